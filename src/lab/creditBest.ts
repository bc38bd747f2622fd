import { backwardInduction, type Values } from '../core/dp.ts';
import { timeOf, type PlayedBatch } from './creditExact.ts';
import { noExactReason, PAIR_LIMIT } from '../engine/exactValues.ts';
import type { Grounds } from './creditGround.ts';

/**
 * Of two ways to the same reward the shorter is better: later rewards count a little less. Without it nearly every action
 * would be a best one as long as there is time to come back.
 */
const BEST_GAMMA = 0.99;

/** The level that was asked for last: best values are as large as the table of its (state, step) pairs. */
const last = new WeakMap<Grounds, { readonly seed: number; readonly values: Values }>();

/**
 * Exact value Q*_t(s, a) of every action at step t of trajectory i, with the best actions from there on: backward
 * induction over the training reward within the step limit, discounted by BEST_GAMMA. [actions]; null where the states
 * of the level are not enumerated or the reward is no function of them.
 */
export function bestValues(grounds: Grounds, view: PlayedBatch, i: number, t: number): Float32Array | null {
  const { plan } = grounds;
  const { T, env, actions } = plan;
  const seed = view.levelSeeds[i]!;
  if (noExactReason(plan) !== null) return null;
  const seen = grounds.of(seed)?.seen;
  if (!seen || seen.model.states * T > PAIR_LIMIT) return null;
  const row = seen.rowOf(view.state, (i * (T + 1) + t) * env.words);
  if (row < 0) return null;
  let known = last.get(grounds);
  if (known?.seed !== seed) {
    known = { seed, values: backwardInduction(seen.model, null, T, BEST_GAMMA) };
    last.set(grounds, known);
  }
  const at = (timeOf(view, i, t) * seen.model.states + row) * actions;
  return Float32Array.from(known.values.Q.subarray(at, at + actions));
}
