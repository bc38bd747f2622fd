import { prepareTask } from '../../../config/level.ts';
import type { Config } from '../../../config/slots.ts';
import { must } from '../../../core/problem.ts';
import type { MakeBackend } from '../../backend.ts';
import { makePlan } from '../../plan.ts';
import { Run } from '../../run.ts';
import { makeCpuBackend } from '../cpuBackend.ts';
import { RowCore } from './rowCore.ts';
import type { PlayJob, RowJob } from './rowJob.ts';
import { sharedColumns } from './rowMemory.ts';
import { rowsOn } from './rows.ts';
import { sentCores, type SentLink } from './sentCrew.ts';
import { SentHand } from './sentHand.ts';
import { sharedCores } from './sharedCrew.ts';

/** For tests: cores that take the items of every job in turn, in this thread; every job is worth it. */
export const onCores =
  (n: number): MakeBackend =>
  (plan, state) =>
    makeCpuBackend(
      plan,
      state,
      rowsOn({ share: sharedColumns, others: sharedCores({ links: [], near: n - 1 }), least: 1 }),
    );

/** Cores with memories of their own: all that goes between them is copied. `flags`: what they say of every job. */
export const onFar =
  (n: number, jobs: Set<string> = new Set(), flags?: number): MakeBackend =>
  (plan, state) => {
    const links = Array.from({ length: n - 1 }, (): SentLink => {
      const hand = new SentHand();
      return {
        open: (config) => hand.open(structuredClone(config)),
        do: async (sent) => {
          jobs.add(sent.job.kind);
          const left = structuredClone(hand.do(structuredClone(sent)));
          return { ...left, flags: flags ?? left.flags };
        },
        close: () => hand.close(),
      };
    });
    return makeCpuBackend(plan, state, rowsOn({ share: (columns) => columns, others: sentCores(links), least: 1 }));
  };

export async function started(config: Config, make: MakeBackend): Promise<Run> {
  await prepareTask(config);
  return Run.create(must(makePlan(config)), make);
}

/** Everything that is left of a run: its records, its state, the batch on view, its digest. */
export async function allOf(run: Run, updates: number) {
  const records = [];
  for (let u = 0; u < updates; u++) records.push(await run.submit());
  const { state } = await run.checkpoint();
  return { records, state, view: await run.backend.view(0), digest: await run.digest() };
}

/** A batch of twelve rows of one seed. */
export const SMALL = { 'run.seeds': 1, 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4 };

/** What comes of some work, and the rollouts that cores played a part of meanwhile. */
export async function playedIn<T>(work: () => Promise<T>): Promise<readonly [T, readonly PlayJob[]]> {
  const jobs: PlayJob[] = [];
  const { begin } = RowCore.prototype;
  RowCore.prototype.begin = function (this: RowCore, ...args): void {
    begin.apply(this, args);
    const { job } = this as unknown as { job: RowJob };
    if (job.kind === 'play') jobs.push(job);
  };
  try {
    return [await work(), jobs];
  } finally {
    RowCore.prototype.begin = begin;
  }
}
