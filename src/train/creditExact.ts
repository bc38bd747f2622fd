import { backwardInduction, type Values } from '../core/dp.ts';
import type { Enumeration } from '../envs/enumerate.ts';
import { whyInexact } from '../envs/perturb/perturbation.ts';
import { exactGradient, visitation } from '../methods/analysis/exactGradient.ts';
import type { BatchView } from './backend.ts';
import { PAIR_LIMIT, type Grounds } from './creditGround.ts';
import type { Plan } from './plan.ts';

/** Exact values of one level under one policy. `at`: where its rows begin in tables that hold all levels. */
export type LevelTruth = {
  readonly seen: Enumeration;
  readonly probs: Float32Array;
  readonly values: Values;
  /** [n, actions] gradient of the return on the table of logits */
  readonly gradient: Float64Array;
  readonly at: number;
};

/** Levels in the order of their first trajectory. */
export type Levels = Map<number, LevelTruth>;

/** Why there can be no exact values, as one sentence; null if there can. The size of a level is another matter. */
export function noExactReason(plan: Plan): string | null {
  const rewards = plan.config.reward[plan.env.id] as { timed?: boolean } | undefined;
  if (rewards?.timed === true) return 'The reward depends on the clock, which the table of states does not hold.';
  const disturbed = whyInexact(plan.perturbation, plan.flickers);
  if (disturbed !== null) return disturbed;
  if (plan.policy.kind === 'dense') return null;
  if (plan.policy.shape.history > 0) return 'The policy remembers, so what it does is no function of the state alone.';
  if (!plan.policy.shape.grammar.masked) return 'The policy may write words that are no command.';
  return null;
}

const TOO_LARGE = 'The task has too many states for exact values.';

/**
 * Exact values of all levels of a batch, level by level, so that whoever drives it can stop in between. Returns the
 * levels, or the sentence that says why there are none. `known`: policies that were worked out before.
 */
export function* exactLevels(
  grounds: Grounds,
  view: Pick<BatchView, 'levelSeeds' | 'theta' | 'mask'>,
  known: ReadonlyMap<number, Float32Array> = new Map(),
): Generator<number, Levels | string> {
  const { plan } = grounds;
  const why = noExactReason(plan);
  if (why !== null) return why;
  const seeds = [...new Set(view.levelSeeds)];
  const levels: Levels = new Map();
  let at = 0;
  for (const seed of seeds) {
    const seen = grounds.of(seed)?.seen;
    if (!seen || seen.model.states * plan.T > PAIR_LIMIT) return TOO_LARGE;
    const probs = known.get(seed) ?? grounds.policyOf(seed, seen, view.theta, view.mask);
    yield (levels.size + 0.3) / seeds.length;
    const values = backwardInduction(seen.model, probs, plan.T);
    const start = new Float64Array(seen.model.states);
    start[0] = 1; // enumeration begins with the first state
    const gradient = exactGradient(seen.model, probs, values, visitation(seen.model, probs, start, plan.T));
    levels.set(seed, { seen, probs, values, gradient, at });
    at += seen.model.states * plan.actions;
    yield levels.size / seeds.length;
  }
  return levels;
}

/** Entries of a table over (state, action) of all levels. */
const tableSize = (levels: Levels): number => [...levels.values()].reduce((n, l) => n + l.gradient.length, 0);

/** ∂J/∂z over all levels, each weighted by its share of the trajectories. */
export function wholeGradient(levels: Levels, levelSeeds: Uint32Array): Float64Array {
  const gradient = new Float64Array(tableSize(levels));
  const B = levelSeeds.length;
  for (const seed of levelSeeds) {
    const { gradient: own, at } = levels.get(seed)!;
    for (let k = 0; k < own.length; k++) gradient[at + k]! += own[k]! / B;
  }
  return gradient;
}

/** Where each step of a batch lies in the tables: row of its state in the enumeration of its level, −1 if unknown. [B, T] */
export function rowsOfSteps(
  plan: Plan,
  levels: Levels,
  view: { readonly length: Uint32Array; readonly state: Uint32Array; readonly levelSeeds: Uint32Array },
): Int32Array {
  const { T, env } = plan;
  const B = view.length.length;
  const rows = new Int32Array(B * T).fill(-1);
  for (let i = 0; i < B; i++) {
    const { seen } = levels.get(view.levelSeeds[i]!)!;
    for (let t = 0; t < view.length[i]!; t++) rows[i * T + t] = seen.rowOf(view.state, (i * (T + 1) + t) * env.words);
  }
  return rows;
}

/** A_t(s, a) at a row of a level. Words that are no command have no value of their own: 0. */
export function exactAt({ values, seen }: LevelTruth, actions: number, t: number, row: number, action: number): number {
  const n = seen.model.states;
  if (row < 0 || action >= actions) return 0;
  return values.Q[(t * n + row) * actions + action]! - values.V[t * n + row]!;
}
