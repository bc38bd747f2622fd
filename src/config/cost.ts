import { layoutOf } from '../policies/network.ts';
import { estimators } from '../methods/registry.ts';
import { makeLevelOf } from './level.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** What a run will take. Seconds are null until this device has been measured. */
export type Cost = {
  readonly parameters: number;
  readonly bytes: number;
  readonly stepsPerUpdate: number;
  readonly seconds: number | null;
};

/** Estimate from the sizes alone; environment steps count every episode at its full length. Null for a broken level. */
export function estimateCost(config: Config, stepsPerSecond: number | null): Cost | null {
  const level = makeLevelOf(config);
  if (!level.ok) return null;
  const { features, actions, maxSteps: T } = level.value;
  const S = getValue(config, 'run.seeds') as number;
  const B = (getValue(config, 'rollout.tasksPerBatch') as number) * (getValue(config, 'rollout.groupSize') as number);
  const tabular = config.policy.method === 'tabular';
  const critic = estimators.find((e) => e.id === config.advantage.method)?.critic === true;
  const layout = layoutOf({
    features,
    hidden: tabular ? [] : (getValue(config, 'policy.mlp.hidden') as number[]),
    activation: 'tanh',
    bias: !tabular,
    actions,
    critic,
  });
  const obsWords = Math.ceil(features / 32);
  // state, observation, keys, action, reward ×2, legal, log-probability, entropy, value, probabilities, advantage, target
  const perStep = 4 * (7 + obsWords + 2 + 9 + actions);
  const widest = Math.max(...layout.widths.slice(1));
  const bytes = S * (layout.size * 4 * 6 + B * T * (perStep + 8 * widest));
  const steps = S * B * T;
  return {
    parameters: layout.parameters,
    bytes,
    stepsPerUpdate: steps,
    seconds: stepsPerSecond ? (steps * (getValue(config, 'run.updates') as number)) / stepsPerSecond : null,
  };
}
