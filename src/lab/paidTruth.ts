import { backwardInduction } from '../core/dp.ts';
import type { BatchView } from '../engine/backend.ts';
import { noExactReason, PAIR_LIMIT } from '../engine/exactValues.ts';
import { potentialOf } from '../engine/signalTables.ts';
import type { Grounds } from './creditGround.ts';
import { shapedModel } from './shapedModel.ts';

/** Exact advantage of one step for what the world pays and for what the reward modules make of it, with one discount. */
export type PaidTruth = { readonly gamma: number; readonly world: number; readonly paid: number };

/**
 * A_t(s, a) of the policy that played step t of trajectory i, by r and by r′, within the step limit and with the discount of
 * the potential. Potential-based shaping makes no difference but near the limit, where a cut episode keeps its potential.
 * @returns null where r′ is no function of a step, the level is too large, or several versions played
 */
export function paidTruth(grounds: Grounds, view: BatchView, i: number, t: number): PaidTruth | null {
  const { plan } = grounds;
  const { T, env, actions } = plan;
  const seed = view.levelSeeds[i]!;
  if (noExactReason(plan) !== null || view.versions) return null;
  const seen = grounds.of(seed)?.seen;
  if (!seen || seen.model.states * T > PAIR_LIMIT) return null;
  const shaped = shapedModel(plan, plan.level(seed), seen);
  const row = seen.rowOf(view.state, (i * (T + 1) + t) * env.words);
  if (!shaped || row < 0) return null;
  const pi = grounds.policyOf(seed, seen, view.theta, view.restriction);
  const { gamma } = potentialOf(plan);
  const [world, paid] = [seen.model, shaped].map((model) => {
    const { V, Q } = backwardInduction(model, pi, T, gamma);
    const at = t * model.states + row;
    return Q[at * actions + view.batch.action[i * T + t]!]! - V[at]!;
  });
  return { gamma, world: world!, paid: paid! };
}
