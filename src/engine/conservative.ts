import { backwardInduction, type Model } from '../core/dp.ts';
import { PURPOSE, random, uniform } from '../core/random.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG, type Environment, type StepResult } from '../envs/types.ts';

/** What the policy that collects reaches, as a share of what the best one does: the middle of 50 to 80 % (NeoRL-2). */
export const SHARE = 0.65;
/** Of the chance to reach the goal, so that longer ways are worth less. */
const GAMMA = 0.95;
/** Levels with more states are left out. */
const STATES = 2_000;
const HALVINGS = 24;

/** Acts best, or with probability `noise` by chance, each legal action as likely; `share`: of the best value, from the start. */
export type Collector = { readonly noise: number; readonly share: number; best(t: number, s: number): number };

/**
 * The policy whose noise makes its value, the discounted chance to reach the goal within T steps, as near to `SHARE` of the
 * best as there is; by exact values. Where even chance alone does better than that, it is chance alone. Null: no goal.
 */
export function collectorOf(model: Model, legal: (s: number, a: number) => boolean, T: number): Collector | null {
  const { states: n, actions: A } = model;
  const { V, Q } = backwardInduction(model, null, T, GAMMA, 'success');
  if (!(V[0]! > 0)) return null;
  const best = new Uint16Array(T * n);
  const even = new Float64Array(n * A);
  for (let s = 0; s < n; s++) {
    const allowed = Array.from({ length: A }, (_, a) => a).filter((a) => legal(s, a));
    for (const a of allowed) even[s * A + a] = 1 / allowed.length;
    for (let t = 0; t < T; t++) {
      const at = (t * n + s) * A;
      best[t * n + s] = allowed.reduce((top, a) => (Q[at + a]! > Q[at + top]! ? a : top));
    }
  }
  const table = new Float64Array(n * A);
  const shareAt = (noise: number): number => {
    const policy = (t: number): Float64Array => {
      even.forEach((p, sa) => (table[sa] = noise * p));
      for (let s = 0; s < n; s++) table[s * A + best[t * n + s]!]! += 1 - noise;
      return table;
    };
    return backwardInduction(model, policy, T, GAMMA, 'success').V[0]! / V[0]!;
  };
  let [low, high] = [0, 1];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (shareAt(middle) > SHARE) low = middle;
    else high = middle;
  }
  return { noise: high, share: shareAt(high), best: (t, s) => best[t * n + s]! };
}

const result: StepResult = { reward: 0, flags: 0 };
type Where = { readonly env: Environment; readonly level: unknown; readonly T: number };
/** Actions of an episode with a seed. */
export type Recorder = (episodeSeed: number) => readonly number[];

/** Episodes of the collecting policy in a level, failures too; null where its states are too many or there is no goal. */
export function recorderOf({ env, level, T }: Where): Recorder | null {
  const all = enumerate(env, level, STATES);
  if (!all) return null;
  const { model, states, rowOf } = all;
  const legal = (s: number, a: number): boolean => ((env.legal(level, states, s * env.words) >>> a) & 1) === 1;
  const collector = collectorOf(model, legal, T);
  if (!collector) return null;
  const { noise, best } = collector;
  return (episodeSeed) => {
    const state = new Uint32Array(env.words);
    const path: number[] = [];
    env.reset(level, state, 0);
    for (let t = 0; t < T; t++) {
      const s = rowOf(state, 0);
      const draw = (k: number): number => uniform(random(episodeSeed, PURPOSE.conservative, t, k, 0));
      const allowed = Array.from({ length: model.actions }, (_, a) => a).filter((a) => legal(s, a));
      const action = draw(0) < noise ? allowed[Math.floor(draw(1) * allowed.length)]! : best(t, s);
      path.push(action);
      env.step(level, state, 0, { action, seed: episodeSeed }, result);
      if ((result.flags & (FLAG.terminated | FLAG.truncated)) !== 0) break;
    }
    return path;
  };
}
