import type { StateSpec } from '../../../contract/state.ts';
import type { TaskOutcome } from '../../../contract/tasks.ts';
import type { SourceContext, SourceState } from '../types.ts';
import { logLoss, predictedSuccess, type KernelRule, type Result } from './kernelAverage.ts';

/** Numbers that tell what a level is like. */
const D = 4;

/** What a level is like: shortest solution, width and height of its picture, share of walls. */
export function descriptorOf({ world }: SourceContext, levelSeed: number): readonly number[] {
  if (!world) return [0, 0, 0, 0];
  const { env } = world;
  const level = world.level(levelSeed);
  const known = described.get(level);
  if (known) return known;
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const lines = env.text(level, state, 0).split('\n');
  const all = lines.join('');
  const walls = [...all].filter((cell) => cell === '#').length / Math.max(1, all.length);
  const path = env.shortestPath(level)?.length ?? world.T;
  const phi = [path, Math.max(...lines.map((line) => line.length)), lines.length, walls];
  described.set(level, phi);
  return phi;
}

/** Of levels while they are kept; a pure function of each. */
const described = new WeakMap<object, readonly number[]>();

/** The newest results, in a ring of `kept`. */
export const resultsState = (kept: number): StateSpec => ({
  phi: { type: 'f64', per: 'replica', width: kept * D, onFork: ['tasks'] },
  success: { type: 'f64', per: 'replica', width: kept, onFork: ['tasks'] },
  // 1 + the update of a result; 0: none
  at: { type: 'u32', per: 'replica', width: kept, onFork: ['tasks'] },
  // results so far, and the losses of the last update: of p̂, and of the mean
  told: { type: 'f64', per: 'replica', width: 3, onFork: ['tasks'] },
});
/** The same for a source that asks a critic, too: whether one was there in the last update, and its loss. */
export const criticState = {
  toldByCritic: { type: 'f64', per: 'replica', width: 2, onFork: ['tasks'] },
} as const satisfies StateSpec;

export function resultsOf({ phi, success, at }: SourceState, update: number): Result[] {
  const found: Result[] = [];
  for (let j = 0; j < at!.length; j++)
    if (at![j]! > 0)
      found.push({ phi: phi!.subarray(j * D, (j + 1) * D), success: success![j]!, age: update + 1 - at![j]! });
  return found;
}

/** Remembers how levels went, after judging what these results would have predicted for them. */
export function remember(
  state: SourceState,
  outcomes: readonly TaskOutcome[],
  context: SourceContext,
  rule: KernelRule,
): void {
  const { phi, success, at, told } = state as Required<SourceState>;
  const results = resultsOf(state, context.update);
  const mean = results.reduce((sum, r) => sum + r.success, 0) / results.length;
  const played = outcomes.filter(({ tries }) => tries > 0);
  const lossOf = (p: (levelSeed: number) => number): number =>
    played.reduce((sum, o) => sum + logLoss(p(o.task.levelSeed), o.success), 0) / played.length;
  told![1] = lossOf((seed) => predictedSuccess(descriptorOf(context, seed), results, rule));
  told![2] = lossOf(() => (results.length > 0 ? mean : 0.5));
  const critic = played.map(({ startValue = NaN, success: s }) => logLoss(startValue, s));
  const loss = critic.reduce((sum, x) => sum + x, 0) / critic.length;
  state['toldByCritic']?.set(Number.isNaN(loss) ? [0, 0] : [1, loss]);
  for (const outcome of played) {
    const j = told![0]! % at!.length;
    phi!.set(descriptorOf(context, outcome.task.levelSeed), j * D);
    [success![j], at![j]] = [outcome.success, context.update + 1];
    told![0]!++;
  }
}

/** Losses of the last update, of the prediction, of the mean and of a critic, by these ids of metrics. */
export const lossesOf = (
  { told, toldByCritic }: SourceState,
  [own, mean, critic]: readonly [string, string, string?],
): Readonly<Record<string, number>> => ({
  ...(told![0]! > 0 ? { [own]: told![1]!, [mean]: told![2]! } : {}),
  ...(critic !== undefined && toldByCritic?.[0] === 1 ? { [critic]: toldByCritic[1]! } : {}),
});
