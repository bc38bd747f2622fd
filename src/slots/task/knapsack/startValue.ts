import type { StateSpec } from '../../../contract/state.ts';
import type { TaskOutcome } from '../../../contract/tasks.ts';
import { mean } from '../../../core/stats.ts';
import { logLoss } from '../predicted/kernelAverage.ts';
import type { SourceContext, SourceState } from '../types.ts';

/** V(s₀) of the levels of the next batch, NaN before the first; and of the last update whether it had them, and their log loss. */
export const aheadState: StateSpec = {
  ahead: { type: 'f64', per: 'task', start: NaN, onFork: ['tasks'] },
  aheadLoss: { type: 'f64', per: 'replica', width: 2, onFork: ['tasks'] },
};

/**
 * The success that V(s₀) stands for where only success pays, and pays 1: a success after ℓ steps is worth γ^(ℓ−1) at the start,
 *
 *   p̂ = V / γ^(ℓ−1), cut to 0 … 1
 *
 * ℓ is the length of the shortest solution; a policy that takes longer is underrated. Without a solver γ stays in.
 */
export function successOf(V: number, { world }: SourceContext, levelSeed: number): number {
  const gamma = world?.gamma ?? 1;
  const steps = world && gamma < 1 ? shortest(world, levelSeed) : 1;
  return Math.min(1, Math.max(0, V / gamma ** (steps - 1)));
}

/** Of levels while they are kept; a pure function of each. */
const lengths = new WeakMap<object, number>();

function shortest({ env, level: levelOf }: NonNullable<SourceContext['world']>, levelSeed: number): number {
  const level = levelOf(levelSeed);
  const known = lengths.get(level);
  if (known !== undefined) return known;
  const steps = Math.max(1, env.shortestPath(level)?.length ?? 1);
  lengths.set(level, steps);
  return steps;
}

/** After an update: how far what V said was from what came, then what it says of the next levels. */
export function keepAhead(
  { ahead, aheadLoss }: SourceState,
  outcomes: readonly TaskOutcome[],
  V: ArrayLike<number> = [],
): void {
  const judged = outcomes.filter(({ task, tries }) => tries > 0 && task.expected !== undefined);
  const isTold = !Number.isNaN(ahead![0]) && judged.length > 0;
  aheadLoss!.set(isTold ? [1, mean(judged.map(({ task, success }) => logLoss(task.expected!, success)))] : [0, 0]);
  for (let p = 0; p < ahead!.length; p++) ahead![p] = V[p] ?? NaN;
}
