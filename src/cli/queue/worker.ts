import type { Job, Worker } from 'bullmq';
import { availableParallelism } from 'node:os';
import { LAB_VERSION } from '../../core/version.ts';
import type { Args } from '../args.ts';
import { exitCodeOf, onSignal } from '../interrupt.ts';
import { duration } from '../sweeps/progress.ts';
import { childTrainer, type Trainer } from '../sweeps/trainer.ts';
import { closed, giveBack, MOST_TAKEOVERS, Outage, QUEUE, reach, type BullMq } from './cellQueue.ts';
import { cellIn, type Parcel } from './parcel.ts';
import type { Server } from './server.ts';

export const WORKER_USAGE = `npm run lab -- worker --queue redis://HOST:PORT [--jobs N] [--takeover SECONDS]
  trains cells that sweeps put into the queue, N at a time, until it is stopped; the cell of a worker that is gone begins
  again elsewhere after about SECONDS (30)`;

const MOST_JOBS = 256;
/** Milliseconds between two words to the queue on how far a cell is. */
const TELL_MS = 2000;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

type Reached = { readonly bull: BullMq; readonly server: Server };
type Asked = { readonly jobs: number; readonly takeover: number };

/** Trains what comes out of a queue. Resolves with the exit code. */
export async function workerCommand({ words, options }: Args): Promise<number> {
  const { queue: address } = options;
  if (words.length !== 1 || address === undefined) return say(`Usage: ${WORKER_USAGE}`);
  const jobs = Number(options['jobs'] ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MOST_JOBS)
    return say(`--jobs takes a whole number between 1 and ${MOST_JOBS}.`);
  const takeover = Number(options['takeover'] ?? 30);
  if (!(takeover >= 1 && takeover <= 3600)) return say('--takeover takes a number of seconds between 1 and 3600.');
  const reached = await reach(address);
  return typeof reached === 'string' ? say(reached) : serve(reached, { jobs, takeover });
}

async function serve({ bull, server }: Reached, { jobs, takeover }: Asked): Promise<number> {
  const trainers = Array.from({ length: jobs }, childTrainer);
  const free = [...trainers];
  const outage = new Outage(server.name, console.error);
  let asked: NodeJS.Signals | null = null;
  let problem: string | null = null;
  let stop = (): void => undefined;
  const stopping = new Promise<void>((resolve) => (stop = resolve));
  let drop = (): void => undefined;
  const dropping = new Promise<'dropped'>((resolve) => (drop = () => resolve('dropped')));
  onSignal((signal) => {
    // one that has nothing at hand waits for nothing, not for a server that is away either
    if (signal !== 'SIGINT' || free.length === jobs) drop();
    else if (asked === null) console.log('Stopping when the cells at hand are finished; Ctrl+C again drops them.');
    asked ??= signal;
    stop();
  });

  /** Back into the queue, for whoever can train it. */
  const handBack = async (job: Job<Parcel>, token: string): Promise<never> => {
    await job.moveToWait(token);
    throw new bull.WaitingError();
  };
  const trainIt = async (job: Job<Parcel>, token = ''): Promise<string> => {
    const cell = await cellIn(job.data);
    if (typeof cell === 'string') {
      problem ??= cell;
      stop();
      return handBack(job, token);
    }
    const trainer = free.pop()!; // as many as cells at a time
    console.log(`training ${cell.name}`);
    const from = performance.now();
    try {
      const trained = await Promise.race([trainer.train(cell, teller(job)), dropping]);
      if (trained === 'dropped') return await handBack(job, token);
      await giveBack(job, cell, trained);
      const seconds = duration((performance.now() - from) / 1000);
      console.log(
        'problem' in trained ? `${cell.name} failed: ${trained.problem}` : `trained ${cell.name}, ${seconds}`,
      );
      return 'trained';
    } finally {
      free.push(trainer);
    }
  };
  // cells are trained by processes of their own: this one is always there to say that they are at work
  const lockDuration = takeover * 1000;
  const worker = new bull.Worker<Parcel, string>(QUEUE, trainIt, {
    connection: server.options,
    ...{ concurrency: jobs, lockDuration, stalledInterval: lockDuration / 2, maxStalledCount: MOST_TAKEOVERS },
  });
  worker.on('error', (error) =>
    isAway(error) ? outage.lost() : say(`A cell was lost: ${error.message.slice(0, 200)}`),
  );
  worker.on('ioredis:close', outage.lost);
  worker.on('ready', outage.back);
  worker.on('active', outage.back);
  console.log(`lab ${LAB_VERSION} trains cells from ${server.name}, ${jobs} at a time`);
  await stopping;
  outage.over();
  await leave(worker, dropping, outage);
  for (const trainer of trainers) trainer.end();
  if (problem !== null) return say(problem);
  return asked === null ? 0 : exitCodeOf(asked);
}

/** Waits for the cells at hand; those that are dropped go back on their own. */
async function leave(worker: Worker<Parcel, string>, dropping: Promise<unknown>, outage: Outage): Promise<void> {
  const over = worker.close();
  await Promise.race([over, dropping.then(() => closed([worker], outage))]);
}

/** Tells the queue how far a cell is, not too often; nobody waits for it. */
function teller(job: Job<Parcel>): Parameters<Trainer['train']>[1] {
  let at = performance.now();
  return (share) => {
    const now = performance.now();
    if (now - at < TELL_MS) return;
    at = now;
    job.updateProgress(share).catch(() => undefined); // the next one comes
  };
}

const isAway = (error: Error & { readonly code?: string }): boolean =>
  error.code !== undefined || /Connection is closed|ECONN|ETIMEDOUT|max retries/i.test(error.message);
