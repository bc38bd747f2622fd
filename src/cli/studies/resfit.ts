import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { mean } from '../../core/stats.ts';
import { createRun } from '../../engine/run.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';

const PRESET = 'key-door-resfit';
/** Episodes of an update, all of them of one task. */
export const EPISODES = 8;
const UPDATES = 40;
/** Updates that are looked at together: 80 episodes. */
const SPAN = 10;

/**
 * What learns: a correction of the frozen clone, the clone with all its weights, at other rates than 0.003 as well, or the same
 * network from scratch.
 */
export const WAYS = {
  residual: {},
  'fine-tuning': { 'policy.method': 'mlp' },
  'fine-tuning at 0.01': { 'policy.method': 'mlp', 'optimizer.learningRate': 0.01 },
  'fine-tuning at 0.001': { 'policy.method': 'mlp', 'optimizer.learningRate': 0.001 },
  scratch: { 'policy.method': 'mlp', 'policy.cloneEpisodes': 0 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export type Way = keyof typeof WAYS;
export const NAMES = Object.keys(WAYS) as readonly Way[];

export const COLUMNS = ['way', 'updates', 'seed', 'start', 'few', 'more', 'last'] as const;
export const KEYS = ['way', 'updates', 'seed'] as const;

export const configOf = (way: Way, seed: number) =>
  configWith(
    {
      ...{ 'run.backend': 'cpu', 'analysis.evalEvery': 0, 'run.seeds': 1, 'run.seed': seed, 'run.updates': UPDATES },
      // time for some detours, so that the clone succeeds now and then
      ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': EPISODES, 'task.grid.maxSteps': 20 },
      ...WAYS[way],
    },
    presetConfig(presetById(PRESET)!),
  );

/** Trains a seed: its success in the first batch, in the first 80 episodes, in the next 80, and in the last 80. */
export async function measureResfit(way: Way, seed: number, updates = UPDATES): Promise<Row> {
  const config = configOf(way, seed);
  await prepareTask(config);
  const run = must(await createRun(config));
  const success: number[] = [];
  for (let u = 0; u < updates; u++) {
    success.push((await run.submit()).metrics[metricIndex.success]!);
    await mayGoOn();
  }
  run.dispose();
  const over = (from: number, to?: number): number => kept(mean(success.slice(from, to)));
  return {
    ...{ way, updates, seed, start: kept(success[0]!), few: over(0, SPAN) },
    ...{ more: over(SPAN, 2 * SPAN), last: over(-SPAN) },
  };
}
