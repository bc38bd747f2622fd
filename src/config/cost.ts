import { REPORT_RING, REPORT_SECTIONS, REPORT_WORDS } from '../core/report.ts';
import type { AnyValues } from '../core/settings.ts';
import { slicesOf } from '../core/slices.ts';
import { environments } from '../envs/registry.ts';
import { estimators, objectives } from '../methods/registry.ts';
import { objectiveWith } from '../methods/types.ts';
import { criticsOf, floatsInPassing, floatsOfHalves, type Policy } from '../policies/policy.ts';
import { isFresh } from './fresh.ts';
import { makeLevelOf, type LevelFacts } from './level.ts';
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
  const { maxSteps: T, policy } = level.value;
  const number = (path: string): number => getValue(config, path) as number;
  const S = number('run.seeds');
  const P = number('rollout.tasksPerBatch');
  const B = P * number('rollout.groupSize');
  const needs: readonly string[] = estimators.find((e) => e.id === config.advantage.method)?.needs ?? [];
  const hasGreedy = needs.includes('greedyReturn');
  const hasProcess = needs.includes('logpPhi');
  // greedy episodes are a small run of their own; a process model has weights and moments, and a score per step
  const floats =
    floatsOfRun(config, level.value, B) +
    (hasGreedy ? floatsOfRun(config, level.value, P) : 0) +
    (hasProcess ? 3 * policy.layout.size + B * T : 0) +
    floatsOfPast(config, policy);
  const steps = S * (B + (hasGreedy ? P : 0)) * T;
  return {
    parameters: policy.layout.parameters,
    bytes: 4 * S * floats,
    stepsPerUpdate: steps,
    seconds: stepsPerSecond ? (steps * number('run.updates')) / stepsPerSecond : null,
  };
}

/** Copies of the weights: θ, both moments, gradient and the last one, reference, what sampled, θ of the update before. */
const COPIES = 8;
/** Columns that an estimator makes on its way, about. */
const COLUMNS = 4;
/** What comes back of an update, where it is written and in the buffers that take turns on the way. */
const REPORT = (1 + REPORT_RING) * REPORT_SECTIONS * REPORT_WORDS;

/** Floats that one replica holds on WebGPU, with B trajectories. The CPU path holds less. */
function floatsOfRun(config: Config, { features, actions, maxSteps: T, policy }: LevelFacts, B: number): number {
  const env = environments.find((e) => e.id === config.task.method)!;
  const words = env.words + ((getValue(config, 'task.actionDelay') as number) > 0 ? 1 : 0);
  const looks = words + Math.ceil(features / 32);
  const objective = objectives.find((o) => o.id === config.objective.method);
  const isSurveyed =
    objective && objectiveWith(objective, config.objective[objective.id] as AnyValues).survey !== undefined;
  // the policy that trains at the steps of a batch that another one played
  const seen = isFresh(config)
    ? 0
    : 3 + actions + (policy.kind === 'transformer' ? 2 * policy.shape.grammar.decisions : 0);
  // two values each for themselves, what the estimator sees of rewards that are normalized or pay, marks of units
  const extra =
    (policy.shape.critic && criticsOf(config.policy) === 2 ? 2 : 0) +
    (getValue(config, 'reward.normalize') === true ? 1 : 0) +
    (getValue(config, 'objective.klIn') === 'reward' ? 1 : 0) +
    (isSurveyed ? (policy.kind === 'transformer' ? policy.shape.grammar.decisions : 1) : 0);
  // gradients of seeds that have stopped, weights before a step that may be cut
  const held =
    ((getValue(config, 'objective.klStop') as number) > 0 ? 1 : 0) + (config.objective['klPreview'] === true ? 1 : 0);
  // action and legal ones, reward ×2, key, log-probability, entropy, value, π, A and target, matches with their table, what the loss keeps
  const perStep = seen + extra + looks + 2 + 4 + 3 + actions + 2 + 4 + 6 + COLUMNS + activations(config, policy);
  // first and last state, ending, keys, tasks, turns, hash in the reports on their way, members of minibatches
  const perRow = looks + 22 + 2 * REPORT_RING + (getValue(config, 'objective.epochs') as number);
  return (
    policy.layout.size * (COPIES + held + slices(policy, B * T)) +
    floatsInPassing(policy) +
    floatsOfHalves(policy).weights +
    B * (T * perStep + perRow) +
    REPORT
  );
}

/** Floats of a step that only learning needs: outputs and their gradient, hidden layers there and back. */
function activations(config: Config, policy: Policy): number {
  // commands and their words; the rest passes through in chunks
  if (policy.kind === 'transformer') return 10 + 3 * policy.shape.grammar.decisions;
  const { hidden, activation } = policy.shape;
  const n = policy.layout.widths.at(-1)!;
  const { klCoef, klControl, klPreview } = config.objective;
  const hasReference = (klCoef as number) > 0 || klControl === 'safe' || klPreview === true;
  const outputs = hasReference ? 3 : 2;
  const kept = (activation === 'gelu' ? 3 : 2) * hidden.reduce((sum, h) => sum + h, 0);
  return outputs * n + kept + floatsOfHalves(policy).perStep;
}

/** Slices in which a gradient is added up. */
function slices({ kind, layout }: Policy, rows: number): number {
  if (kind === 'transformer') return 16;
  return slicesOf(rows, layout.size);
}

/** Older versions that still play, the rounding of the newest, and a mask policy. */
function floatsOfPast(config: Config, { layout }: Policy): number {
  const { staleness, rolloutPrecision } = config.rollout as AnyValues;
  const lag = staleness as number;
  const isRestricted = objectives.find((o) => o.id === config.objective.method)?.restricts !== undefined;
  return layout.size * ((lag > 0 ? lag + 1 : 0) + (rolloutPrecision === 'f32' ? 0 : 1) + (isRestricted ? 1 : 0));
}
