import type { Policy } from '../policies/policy.ts';
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
  const { layout } = level.value.policy;
  const obsWords = Math.ceil(features / 32);
  // state, observation, keys, action, reward ×2, legal, log-probability, entropy, value, probabilities, advantage, target
  const perStep = 4 * (7 + obsWords + 2 + 9 + actions);
  const bytes = S * (layout.size * 4 * 6 + B * T * (perStep + activations(level.value.policy)));
  const steps = S * B * T;
  return {
    parameters: layout.parameters,
    bytes,
    stepsPerUpdate: steps,
    seconds: stepsPerSecond ? (steps * (getValue(config, 'run.updates') as number)) / stepsPerSecond : null,
  };
}

/** Bytes of activations per step: the widest layer there and back; a transformer works in chunks and keeps its commands. */
function activations(policy: Policy): number {
  if (policy.kind === 'transformer') return 4 * (2 + 2 * policy.shape.grammar.decisions);
  return 8 * Math.max(...policy.layout.widths.slice(1));
}
