import { backwardInduction, discountedOptimum, type Model } from '../core/dp.ts';
import type { BatchView } from '../engine/backend.ts';
import { noExactReason, PAIR_LIMIT } from '../engine/exactValues.ts';
import { potentialOf } from '../engine/signalTables.ts';
import { timeOf } from './creditExact.ts';
import type { Ground, Grounds } from './creditGround.ts';
import type { PaidBatch } from './rewardTypes.ts';
import { shapedModel } from './shapedModel.ts';

/** Exact advantage of one step for what the world pays and for what the reward modules make of it, with one discount. */
export type PaidTruth = { readonly gamma: number; readonly world: number; readonly paid: number };

/** A level by r and by r′: the same states in both. */
type Both = { readonly seen: NonNullable<Ground['seen']>; readonly world: Model; readonly paid: Model };

/** A level of a batch by r and by r′, or the sentence of why there are not both. */
function bothOf(grounds: Grounds, view: Pick<BatchView, 'versions'>, seed: number): Both | string {
  const { plan } = grounds;
  const why = noExactReason(plan);
  if (why !== null) return why;
  if (plan.rewards.length === 0) return 'Nothing is done to the reward of this run.';
  if (view.versions) return 'Several versions of the policy may have played this batch.';
  const seen = grounds.of(seed)?.seen;
  if (!seen || seen.model.states * plan.T > PAIR_LIMIT) return 'The level has too many states for exact values.';
  const paid = shapedModel(plan, plan.level(seed), seen);
  return paid ? { seen, world: seen.model, paid } : PATH;
}

const PATH =
  'What is paid here depends on more than the state, the action and the next state, so r′ has no exact values of its own.';

/**
 * A_t(s, a) of the policy that played step t of trajectory i, by r and by r′, within the step limit and with the discount of
 * the potential. Potential-based shaping makes no difference but near the limit, where a cut episode keeps its potential.
 * @returns null where r′ is no function of a step, the level is too large, or several versions played
 */
export function paidTruth(grounds: Grounds, view: BatchView, i: number, t: number): PaidTruth | null {
  const { T, env, actions } = grounds.plan;
  const seed = view.levelSeeds[i]!;
  const both = bothOf(grounds, view, seed);
  if (typeof both === 'string') return null;
  const row = both.seen.rowOf(view.state, (i * (T + 1) + t) * env.words);
  if (row < 0) return null;
  const pi = grounds.policyOf(seed, both.seen, view.theta, view.restriction);
  const { gamma } = potentialOf(grounds.plan);
  const [world, paid] = [both.world, both.paid].map((model) => {
    const { V, Q } = backwardInduction(model, pi, T, gamma);
    const at = timeOf(view, i, t) * model.states + row;
    return Q[at * actions + view.batch.action[i * T + t]!]! - V[at]!;
  });
  return { gamma, world: world!, paid: paid! };
}

/** The same of all steps of a batch, and in how many states another action is best by r′; or the sentence of why not. */
export function paidBatch(grounds: Grounds, view: BatchView): PaidBatch | string {
  const { T, B, env, actions } = grounds.plan;
  const { gamma } = potentialOf(grounds.plan);
  const [world, paid] = [new Float32Array(B * T), new Float32Array(B * T)];
  let [states, others] = [0, 0];
  for (const seed of new Set(view.levelSeeds)) {
    const both = bothOf(grounds, view, seed);
    if (typeof both === 'string') return both;
    const pi = grounds.policyOf(seed, both.seen, view.theta, view.restriction);
    for (const [model, into] of [[both.world, world] as const, [both.paid, paid] as const]) {
      const { V, Q } = backwardInduction(model, pi, T, gamma);
      for (let i = 0; i < B; i++) {
        if (view.levelSeeds[i] !== seed) continue;
        for (let t = 0; t < view.batch.length[i]!; t++) {
          const row = both.seen.rowOf(view.state, (i * (T + 1) + t) * env.words);
          const action = view.batch.action[i * T + t]!;
          if (row < 0 || action >= actions) continue;
          const at = timeOf(view, i, t) * model.states + row;
          into[i * T + t] = Q[at * actions + action]! - V[at]!;
        }
      }
    }
    states += both.world.states;
    others += differing(both, gamma, T);
  }
  return { gamma, world, paid, states, others, isLimited: gamma === 1 };
}

/** Differences that rounding alone can make. */
const ROUNDING = 1e-9;

/** States in which the actions that are best by r′ are not those that are best by r. */
export function differing({ world, paid }: Pick<Both, 'world' | 'paid'>, gamma: number, T: number): number {
  const [before, after] = [bestActions(world, gamma, T), bestActions(paid, gamma, T)];
  return before.filter((best, s) => best !== after[s]).length;
}

/** The best actions of each state as the bits of a number: without a step limit, or at the first of T steps where γ = 1. */
function bestActions(model: Model, gamma: number, T: number): number[] {
  const { states, actions: A, offset, next, probability, reward } = model;
  const V = gamma < 1 ? discountedOptimum(model, gamma) : null;
  const Q = V ? null : backwardInduction(model, null, T, gamma).Q;
  const valueOf = (sa: number): number => {
    if (!V) return Q![sa]!;
    let q = reward[sa]!;
    for (let k = offset[sa]!; k < offset[sa + 1]!; k++) if (next[k]! >= 0) q += gamma * probability[k]! * V[next[k]!]!;
    return q;
  };
  return Array.from({ length: states }, (_, s) => {
    const values = Array.from({ length: A }, (__, a) => valueOf(s * A + a));
    const best = Math.max(...values);
    return values.reduce((bits, q, a) => bits + (q > best - ROUNDING ? 2 ** a : 0), 0);
  });
}
