import { prepareTask } from '../../config/level.ts';
import { presetConfig, type Preset } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import type { AnyValues } from '../../core/settings.ts';
import { mean } from '../../core/stats.ts';
import { makePlan, type Plan } from '../../engine/plan.ts';
import { createRun } from '../../engine/run.ts';
import { must } from '../../core/problem.ts';
import { horizonOfLevel, type Horizon } from '../../lab/analysis/horizon.ts';
import { METRICS, metricIndex } from '../../slots/metrics/metrics.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';

/** Success over so many updates has to average this. */
export const REACHED = 0.8;
const WINDOW = 5;
/** Environment steps of a seed after which nobody waits any longer. */
export const BUDGET = 200_000;

export const COLUMNS = [
  ...(['preset', 'task', 'states', 'limit', 'actions', 'chance', 'k'] as const),
  ...(['H', 'bound', 'predicted', 'seed', 'steps'] as const),
];
export const KEYS = ['preset', 'seed'];

/** The horizon of the first level of a plan; null where it has none. */
export function horizonOfPlan({ env, config, wrapping, level, firstLevelSeed }: Plan): Horizon | null {
  const { timed } = config.reward[env.id] as AnyValues;
  if (timed === true || wrapping.acting.some(({ module, params }) => module.inexact?.(params))) return null;
  const found = horizonOfLevel(env, level(firstLevelSeed));
  return typeof found === 'string' ? null : found;
}

/** One preset with as many seeds side by side: a row for each; none where its first level has no horizon. */
export async function measurePreset(preset: Preset, seeds: number, budget = BUDGET): Promise<Row[]> {
  const base = presetConfig(preset);
  const config = configWith({ 'run.backend': 'cpu', 'run.seeds': seeds, 'run.seed': 1, 'analysis.evalEvery': 0 }, base);
  await prepareTask(config);
  const plan = makePlan(config);
  const horizon = plan.ok ? horizonOfPlan(plan.value) : null;
  if (!plan.ok || !horizon) return [];
  const run = must(await createRun(config));
  const success = Array.from({ length: seeds }, (): number[] => []);
  const taken = new Float64Array(seeds);
  const steps = new Array<number>(seeds).fill(Infinity);
  while (run.update < run.updates && steps.some((own, s) => own === Infinity && taken[s]! < budget)) {
    const record = await run.submit();
    for (let s = 0; s < seeds; s++) {
      taken[s]! += record.stepsOf[s]!;
      success[s]!.push(record.metrics[s * METRICS + metricIndex.success]!);
      const lately = mean(success[s]!.slice(-WINDOW));
      if (success[s]!.length >= WINDOW && lately >= REACHED - 1e-9) steps[s] = Math.min(steps[s]!, taken[s]!);
    }
    await mayGoOn();
  }
  run.dispose();
  const { states, T, actions, isChance, k, found, bound } = horizon;
  const facts = {
    ...{ preset: preset.id, task: taskName(plan.value), states, limit: T, actions, chance: isChance ? 1 : 0, k },
    ...{ H: found ? kept(found.H) : NaN, bound: kept(bound.H) },
    predicted: kept(Math.log10((found ?? bound).steps)),
  };
  return steps.map((own, s) => ({ ...facts, seed: s + 1, steps: own }));
}

/** Presets with the same first level and the same pay are one task, whatever learns there. */
function taskName({ env, level, firstLevelSeed, config }: Plan): string {
  const first = new Uint32Array(env.words);
  env.reset(level(firstLevelSeed), first, 0);
  const text = env.text(level(firstLevelSeed), first, 0) + JSON.stringify(config.reward[env.id]);
  let hash = 7;
  for (let k = 0; k < text.length; k++) hash = (Math.imul(hash, 31) + text.charCodeAt(k)) | 0;
  return `t${(hash >>> 0).toString(36)}`;
}
