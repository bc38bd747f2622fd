import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { mean } from '../../core/stats.ts';
import { createRun } from '../../engine/run.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';

type Changes = Readonly<Record<string, unknown>>;
type Way = { readonly preset: string; readonly updates: number; readonly changes?: Changes };

const HAE = { preset: 'own-subgoals-hae', updates: 30 } as const;
const VSC = { preset: 'given-subgoals-vsc', updates: 60 } as const;
const ROOM = { preset: 'small-room-archer', updates: 120 } as const;
const PLAIN = { 'rollout.method': 'sampled', 'advantage.method': 'grpo' };
const FLAT = { 'advantage.hiper.levels': 'flat' };
const SEEN = { 'task.subgoals.sees': 'full' };
/** Four episodes of one level are a group; with groups of one GRPO has no baseline. */
const GROUP = { ...PLAIN, 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4 };

/** What trains: each method of a hierarchy, and what it is measured against in the same world, at the same steps of an update. */
export const WAYS: Readonly<Record<string, Way>> = {
  HAE: HAE,
  'flat GAE': { ...HAE, changes: FLAT },
  'HAE (all seen)': { ...HAE, changes: SEEN },
  'flat GAE (all seen)': { ...HAE, changes: { ...SEEN, ...FLAT } },
  'VSC-RL': VSC,
  'GRPO with its subgoals': { ...VSC, changes: PLAIN },
  ArCHer: ROOM,
  'ArCHer at 0.01': { ...ROOM, changes: { 'optimizer.learningRate': 0.01 } },
  'GRPO in its room': { ...ROOM, changes: GROUP },
  'GRPO in its room at 0.01': { ...ROOM, changes: { ...GROUP, 'optimizer.learningRate': 0.01 } },
};
export const NAMES = Object.keys(WAYS);

/** Pairs that are compared seed by seed. */
export const PAIRS = [
  ['HAE', 'flat GAE'],
  ['HAE (all seen)', 'flat GAE (all seen)'],
  ['VSC-RL', 'GRPO with its subgoals'],
  ['ArCHer', 'GRPO in its room'],
  ['ArCHer at 0.01', 'GRPO in its room at 0.01'],
  ['ArCHer', 'GRPO in its room at 0.01'],
] as const;

/** Success counts as 0.8 when this many episodes in a row, or those of one update, have it. */
const EPISODES = 64;
const ENOUGH = 0.8;
/** Updates at the end whose batches count as the end. */
const LAST = 10;

export const COLUMNS = ['way', 'updates', 'seed', 'mean', 'last', 'steps', 'reached'] as const;
export const KEYS = ['way', 'updates', 'seed'] as const;

export function configOf(name: string, seed: number) {
  const { preset, changes, updates } = WAYS[name]!;
  const one = { 'run.seeds': 1, 'run.seed': seed, 'run.updates': updates, 'analysis.evalEvery': 0 };
  return configWith({ 'run.backend': 'cpu', ...one, ...changes }, presetConfig(presetById(preset)!));
}

/** Steps of the world up to the end of the first `window` updates whose mean success is enough; null: never. */
export function stepsTo(success: readonly number[], steps: readonly number[], window: number): number | null {
  let all = 0;
  for (let u = 0; u < success.length; u++) {
    all += steps[u]!;
    if (u + 1 >= window && mean(success.slice(u + 1 - window, u + 1)) >= ENOUGH) return all;
  }
  return null;
}

/** Trains a seed: its success over all updates and at the end, and the steps of the world to 0.8 (all of them where it never came). */
export async function measureHierarchy(name: string, seed: number, updates = WAYS[name]!.updates): Promise<Row> {
  const config = configOf(name, seed);
  await prepareTask(config);
  const run = must(await createRun(config));
  const [success, steps]: [number[], number[]] = [[], []];
  for (let u = 0; u < updates; u++) {
    const record = await run.submit();
    success.push(record.metrics[metricIndex.success]!);
    steps.push(record.stepsOf[0]!);
    await mayGoOn();
  }
  const found = stepsTo(success, steps, Math.ceil(EPISODES / run.plan.B));
  run.dispose();
  return {
    ...{ way: name, updates, seed, mean: kept(mean(success)), last: kept(mean(success.slice(-LAST))) },
    ...{ steps: found ?? steps.reduce((a, b) => a + b, 0), reached: found === null ? 0 : 1 },
  };
}
