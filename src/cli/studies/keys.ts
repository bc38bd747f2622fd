import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { mean } from '../../core/stats.ts';
import { createRun } from '../../engine/run.ts';
import { anchorStats, transitionsOf } from '../../slots/metrics/anchor.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';

const PRESET = 'sokoban-one-box';
const UPDATES = 60;
/** Updates at the end whose batches count as the end. */
const LAST = 10;

/** Which states count as one. */
export const WAYS = ['exact', 'reduced', 'symmetric', 'bisimulation'] as const;
type Way = (typeof WAYS)[number];

export const COLUMNS = ['key', 'updates', 'seed', 'mean', 'last', 'group', 'steps'] as const;
export const KEYS = ['key', 'updates', 'seed'] as const;

export const configOf = (way: Way, seed: number) =>
  configWith(
    {
      ...{ 'run.backend': 'cpu', 'analysis.evalEvery': 0, 'run.seeds': 1, 'run.seed': seed, 'run.updates': UPDATES },
      'task.stateKeys': way,
    },
    presetConfig(presetById(PRESET)!),
  );

/** Trains a seed: its success over all updates and at the end, the size of step groups in the first batch, and its steps. */
export async function measureKeys(way: Way, seed: number, updates = UPDATES): Promise<Row> {
  const config = configOf(way, seed);
  await prepareTask(config);
  const run = must(await createRun(config));
  const success: number[] = [];
  let [steps, group] = [0, NaN];
  for (let u = 0; u < updates; u++) {
    const record = await run.submit();
    success.push(record.metrics[metricIndex.success]!);
    steps += record.stepsOf[0]!;
    if (u === 0) group = anchorStats(transitionsOf((await run.backend.view(0)).batch)).meanSizeStepWeighted;
    await mayGoOn();
  }
  run.dispose();
  return {
    ...{ key: way, updates, seed, mean: kept(mean(success)), last: kept(mean(success.slice(-LAST))) },
    ...{ group: kept(group), steps },
  };
}
