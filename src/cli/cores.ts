import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { MakeBackend } from '../engine/backend.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { coresOfRun } from '../config/coresFor.ts';
import { governed } from '../engine/cpu/rows/governed.ts';
import { RowHand, type RowLink, type RowMessage } from '../engine/cpu/rows/rowHand.ts';
import { sharedColumns } from '../engine/cpu/rows/rowMemory.ts';
import { rowsOn } from '../engine/cpu/rows/rows.ts';
import { sharedCores } from '../engine/cpu/rows/sharedCrew.ts';

/** What a thread of a run is told when it starts. */
const THREAD = 'rows-of-a-run';

/** True in a thread that this file has started. */
export const isThread = (): boolean => workerData === THREAD;

const MOST = 64;
/** As many as the updates of the run show to be the fastest. */
const AUTO = 0;

/** The number after --cores; a sentence where it is none. One if not said: on two cores no experiment measured was faster. */
export function coresAsked(text: string | undefined): number | string {
  if (text === undefined) return 1;
  if (text === 'auto') return AUTO;
  const cores = Number(text);
  return Number.isInteger(cores) && cores >= 1 && cores <= MOST
    ? cores
    : `--cores takes auto or a whole number from 1 to ${MOST}, not “${text}”.`;
}

/** The CPU path on some cores, each with some rows of every batch; on fewer where a batch is too small for so many. */
export function onCores(cores: number): MakeBackend {
  if (cores === AUTO) return onFastest;
  return async (plan, state) => {
    const others = sharedCores({ links: startThreads(coresOfRun(plan, cores) - 1) });
    if (others.count === 0) return makeCpuBackend(plan, state);
    try {
      return await makeCpuBackend(plan, state, rowsOn({ share: sharedColumns, others }));
    } catch (error) {
      // a thread that lives keeps the command from ending
      others.close();
      alone(error);
      return makeCpuBackend(plan, state);
    }
  };
}

const alone = (error: unknown): void =>
  console.error(
    `One core trains alone, to the same bits: no other could begin (${error instanceof Error ? error.message : String(error)}).`,
  );

const startThreads = (n: number): RowLink[] => Array.from({ length: n }, startThread);

const onFastest = governed({
  most: Math.min(MOST, availableParallelism()),
  share: sharedColumns,
  take: (n) => sharedCores({ links: startThreads(n) }),
  rest: () => undefined,
  alone,
  now: () => performance.now(),
  lost: (error) => {
    throw error;
  },
});

function startThread(): RowLink {
  const thread = new Worker(process.argv[1]!, { workerData: THREAD });
  const say = (message: RowMessage): void => thread.postMessage(message);
  return {
    open: (config, seen) =>
      new Promise((resolve, reject) => {
        thread.once('message', () => {
          // a run that ends does not wait for its threads
          thread.unref();
          resolve();
        });
        thread.once('error', reject);
        thread.once('exit', (code) => reject(new Error(`its thread ended with code ${code}`)));
        say({ row: 'open', config, seen });
      }),
    enter: (session) => say({ row: 'enter', session }),
    close: () => void thread.terminate(),
  };
}

/** The life of such a thread. */
export function helpRun(): void {
  const hand = new RowHand();
  parentPort!.on('messageerror', (error) => {
    throw error;
  });
  parentPort!.on('message', (message: RowMessage) => {
    void hand.hear(message)?.then(() => parentPort!.postMessage('open'));
  });
}
