import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { mean } from '../../core/stats.ts';
import { createRun } from '../../engine/run.ts';
import { networkOf } from '../../networks/policy.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';

type Changes = Readonly<Record<string, unknown>>;

const PRESET = 'sokoban-new-boards';
/** Environment steps of a seed, and how many of them belong to one point of its curve. */
export const BUDGET = 300_000;
export const PART = 50_000;

/** More than any seed needs. */
const UPDATES = 1000;

/** Two networks with as many parameters; the rest of the experiment is the same. */
export const WAYS: readonly { readonly id: string; readonly title: string; readonly changes: Changes }[] = [
  { id: 'conv', title: networkOf('conv').title, changes: {} },
  {
    id: 'mlp',
    title: networkOf('mlp').title,
    changes: { 'policy.method': 'mlp', 'policy.mlp.hidden': [150, 118], 'policy.mlp.activation': 'relu' },
  },
];

export const COLUMNS = ['network', 'rev', 'parameters', 'budget', 'seed', 'at', 'success', 'updates'] as const;
export const KEYS = ['network', 'budget', 'seed', 'at'] as const;

export const configOf = (way: (typeof WAYS)[number], seed: number) =>
  configWith(
    {
      'run.backend': 'cpu',
      'analysis.evalEvery': 0,
      'run.seeds': 1,
      'run.seed': seed,
      'run.updates': UPDATES,
      ...way.changes,
    },
    presetConfig(presetById(PRESET)!),
  );

/**
 * Trains one seed until its environment steps are over: a row for every part of them. As every board is new, success of a
 * batch is success on boards that the policy has never seen.
 */
export async function measureNetwork(
  way: (typeof WAYS)[number],
  seed: number,
  { budget, part } = { budget: BUDGET, part: PART },
): Promise<Row[]> {
  const config = configOf(way, seed);
  await prepareTask(config);
  const run = must(await createRun(config));
  const rows: Row[] = [];
  const { parameters } = run.plan.layout;
  let [taken, batches] = [0, [] as number[]];
  while (taken < budget && run.update < UPDATES) {
    const record = await run.submit();
    batches.push(record.metrics[metricIndex.success]!);
    const before = Math.floor(taken / part);
    taken += record.stepsOf[0]!;
    if (Math.floor(taken / part) > before) {
      rows.push({
        ...{ network: way.id, rev: networkOf(way.id).rev, parameters, budget, seed },
        ...{ at: part * (before + 1), success: kept(mean(batches)), updates: run.update },
      });
      batches = [];
    }
    await mayGoOn();
  }
  run.dispose();
  return rows;
}
