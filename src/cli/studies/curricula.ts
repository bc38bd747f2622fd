import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { mean } from '../../core/stats.ts';
import { createRun } from '../../engine/run.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { sources } from '../../slots/registry.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';

type Changes = Readonly<Record<string, unknown>>;

/** One row of the tables: a task source with its settings, by the revision of the source. */
export type Way = { readonly id: string; readonly title: string; readonly rev: number; readonly changes: Changes };

export type Task = {
  readonly id: string;
  readonly title: string;
  readonly preset: string;
  /** the same for all ways */
  readonly changes: Changes;
  /** environment steps of every seed */
  readonly budget: number;
  /** the first of its seeds, where settings were tried on others */
  readonly from?: number;
  readonly ways: readonly Way[];
};

/** Updates between evaluations, which always begin at the start of the whole task, and how many of them are averaged. */
const EVERY = 5;
const WINDOW = 5;
export const REACHED = 0.8;
/** A seed whose evaluations average this much has nothing more to learn, and ends before its steps are over. */
const SOLVED = 0.95;
/** Enough that the budget ends every run. Schedules that count in shares of them stand in updates below. */
export const UPDATES = 1000;

const way = (id: string, changes: Changes = {}): Way => {
  const { title, rev } = sources.find((source) => source.id === id)!;
  return { id, title, rev, changes: { 'source.method': id, ...changes } };
};

/** What the others are compared with: every task is the whole one, from its start. */
export const WHOLE = way('uniform');

const SOKOBAN: readonly Way[] = [
  WHOLE,
  way('scalingInter', { 'source.scalingInter.every': 30 }),
  way('startDistance'),
  way('omniReset'),
  way('snapshotRl', { 'source.snapshotRl.phase': 0.2 }),
  way('h1', { 'task.sokoban.growEvery': 50 }),
];

export const TASKS: readonly Task[] = [
  {
    ...{ id: 'sokoban', title: 'Two boxes', preset: 'sokoban-two-boxes-counts', budget: 600_000, from: 41 },
    changes: {
      // with less entropy, all first moves of a batch become the same wrong one, from every kind of start
      ...{ 'reward.countBonus.on': false, 'objective.entropyCoef': 0.1, 'advantage.gae.gamma': 0.99 },
      // boxes on targets pay nothing: with them, policies settle for one box
      ...{ 'reward.sokoban.boxOn': 0, 'reward.sokoban.boxOff': 0 },
      ...{ 'rollout.tasksPerBatch': 64, 'rollout.groupSize': 1 },
    },
    ways: SOKOBAN,
  },
  {
    ...{ id: 'counts', title: 'Two boxes, with a count bonus', preset: 'sokoban-two-boxes-counts', budget: 100_000 },
    changes: {},
    ways: SOKOBAN,
  },
  {
    ...{ id: 'maze', title: 'Three locks', preset: 'maze-chain-three-cloned', budget: 1_400_000, from: 61 },
    changes: { 'policy.cloneEpisodes': 0, 'objective.entropyCoef': 0.1 },
    ways: [
      WHOLE,
      way('scalingInter', { 'source.scalingInter.every': 50 }),
      way('startDistance'),
      way('omniReset'),
      way('snapshotRl', { 'source.snapshotRl.phase': 0.35, 'source.snapshotRl.cut': 1 }),
      way('envGen'),
      way('h1', { 'task.textmaze.growEvery': 200 }),
    ],
  },
];

export const COLUMNS = ['task', 'way', 'rev', 'budget', 'seed', 'success', 'steps', 'taken', 'updates'] as const;
export const KEYS = ['task', 'way', 'budget', 'seed'] as const;

/** The experiment of a way on a task, for one seed. */
export const changesOf = (task: Task, { changes }: Way, seed: number): Changes => ({
  ...task.changes,
  ...{ 'run.backend': 'cpu', 'analysis.evalEvery': EVERY, 'run.updates': UPDATES, 'run.seeds': 1, 'run.seed': seed },
  ...changes,
});

/** Trains one seed until its environment steps are over. */
export async function measureSeed(task: Task, ofWay: Way, seed: number, budget = task.budget): Promise<Row> {
  const config = configWith(changesOf(task, ofWay, seed), presetConfig(presetById(task.preset)!));
  await prepareTask(config);
  const run = must(await createRun(config));
  const success: number[] = [];
  const steps: number[] = [];
  let taken = 0;
  while (run.update < run.updates && taken < budget) {
    const before = taken;
    const record = await run.submit();
    taken += record.stepsOf[0]!;
    const evaluated = record.metrics[metricIndex.evalSuccess]!;
    if (!Number.isNaN(evaluated)) {
      success.push(evaluated);
      steps.push(before);
      if (isSolved(success)) break;
    }
    await mayGoOn();
  }
  const { update } = run;
  run.dispose();
  return {
    ...{ task: task.id, way: ofWay.id, rev: ofWay.rev, budget, seed },
    ...{ ...ended(success, steps), taken, updates: update },
  };
}

const lately = (success: readonly number[], end = success.length): number => mean(success.slice(end - WINDOW, end));

export const isSolved = (success: readonly number[]): boolean =>
  success.length >= WINDOW && lately(success) >= SOLVED - 1e-9;

/** Success of the last evaluations, and the steps before the first that average 0.8 with those before it. */
export function ended(success: readonly number[], steps: readonly number[]) {
  const at = success.findIndex((_, k) => k + 1 >= WINDOW && lately(success, k + 1) >= REACHED - 1e-9);
  return {
    success: kept(success.length >= WINDOW ? lately(success) : NaN),
    steps: at < 0 ? Infinity : steps[at]!,
  };
}

/** All seeds of a way. */
export async function measureWay(task: Task, ofWay: Way, seeds: number): Promise<Row[]> {
  const rows: Row[] = [];
  const { from = 1 } = task;
  for (let seed = from; seed < from + seeds; seed++) rows.push(await measureSeed(task, ofWay, seed));
  return rows;
}
