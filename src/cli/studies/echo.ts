import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { mean } from '../../core/stats.ts';
import { createRun } from '../../engine/run.ts';
import { Followed } from '../../lab/followed.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';

const PRESET = 'room-two-solvers';
const UPDATES = 200;
/** Updates at the end whose batches count. */
const LAST = 20;

/** What the policy is a clone of: the first solver is as good as the second, or better. */
export const MIXTURES = [
  {
    id: 'worse',
    title: 'Three of four solutions are the worse solver’s',
    changes: { 'policy.cloneShare': 0.75, 'policy.cloneErrs': 0.5 },
  },
  {
    id: 'equal',
    title: 'Three of four solutions are the first solver’s, and both are as good',
    changes: { 'policy.cloneShare': 0.25, 'policy.cloneErrs': 0 },
  },
] as const;

/** Temperature and KL weight. */
export const WAYS: readonly { readonly id: string; readonly temperature: number; readonly kl: number }[] = [
  { id: 'plain', temperature: 1, kl: 0 },
  { id: 'cold', temperature: 0.5, kl: 0 },
  { id: 'hot', temperature: 2, kl: 0 },
  { id: 'held', temperature: 1, kl: 0.1 },
  { id: 'heldFast', temperature: 1, kl: 1 },
];

export const COLUMNS = ['mixture', 'way', 'updates', 'seed', 'start', 'first', 'second', 'success', 'steps'] as const;
export const KEYS = ['mixture', 'way', 'updates', 'seed'] as const;

type Cell = { readonly mixture: (typeof MIXTURES)[number]; readonly way: (typeof WAYS)[number] };

export const configOf = ({ mixture, way }: Cell, seed: number) =>
  configWith(
    {
      ...{ 'run.backend': 'cpu', 'analysis.evalEvery': 0, 'run.seeds': 1, 'run.seed': seed },
      ...mixture.changes,
      ...{ 'rollout.temperature': way.temperature, 'objective.klCoef': way.kl },
    },
    presetConfig(presetById(PRESET)!),
  );

/** Trains a seed: which solver its episodes follow in the first batch, and in the last ones. */
export async function measureEcho(cell: Cell, seed: number, updates = UPDATES): Promise<Row> {
  const config = configOf(cell, seed);
  await prepareTask(config);
  const run = must(await createRun(config));
  const followed = new Followed(run.plan);
  const rows = Array.from({ length: run.plan.B }, (_, i) => i);
  const seen: { first: number; second: number; success: number; steps: number }[] = [];
  for (let u = 0; u < updates; u++) {
    await run.submit();
    if (u > 0 && u < updates - LAST) continue;
    const view = await run.backend.view(0);
    const { followsFirst, followsSecond } = followed.of(view, rows);
    const { success, length } = view.batch;
    seen.push({ first: followsFirst!, second: followsSecond!, success: mean(success), steps: mean(length) });
    await mayGoOn();
  }
  run.dispose();
  const [begin, ...end] = seen;
  const over = (of: 'first' | 'second' | 'success' | 'steps'): number => kept(mean(end.map((x) => x[of])));
  return {
    ...{ mixture: cell.mixture.id, way: cell.way.id, updates, seed, start: kept(begin!.first) },
    ...{ first: over('first'), second: over('second'), success: over('success'), steps: over('steps') },
  };
}
