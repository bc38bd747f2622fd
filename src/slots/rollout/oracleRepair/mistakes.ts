import { discountedOptimum } from '../../../core/dp.ts';
import { enumerate } from '../../../envs/enumerate.ts';
import type { Environment } from '../../../envs/types.ts';

/** Nobody judges levels with more states. */
const STATES = 5000;
const TOLERANCE = 1e-9;

/** What is best in the states of a level, by the discounted chance of success. */
export type Judge = {
  /** −A*(s, a): what is lost by an action in the state at `at`; 0 where nothing can be won any more */
  loss(state: Uint32Array, at: number, action: number): number;
  /** the best legal action; null: nothing can be won */
  best(state: Uint32Array, at: number): number | null;
};

const judges = new WeakMap<object, Map<number, Judge | null>>();

/** The judge of a level, made once; null where it is too large. */
export function judgeOf(env: Environment, level: object, gamma: number): Judge | null {
  const known = judges.get(level) ?? new Map<number, Judge | null>();
  judges.set(level, known);
  let judge = known.get(gamma);
  if (judge === undefined) known.set(gamma, (judge = makeJudge(env, level, gamma)));
  return judge;
}

function makeJudge(env: Environment, level: object, gamma: number): Judge | null {
  const all = enumerate(env, level, STATES);
  if (!all) return null;
  const { model, rowOf } = all;
  const { actions, offset, next, probability, success } = model;
  const V = discountedOptimum({ ...model, reward: success }, gamma, TOLERANCE);
  const valueOf = (sa: number): number => {
    let q = success[sa]!;
    for (let k = offset[sa]!; k < offset[sa + 1]!; k++) if (next[k]! >= 0) q += gamma * probability[k]! * V[next[k]!]!;
    return q;
  };
  return {
    loss(state, at, action) {
      const s = rowOf(state, at);
      return s < 0 || V[s]! <= 0 ? 0 : V[s]! - valueOf(s * actions + action);
    },
    best(state, at) {
      const s = rowOf(state, at);
      if (s < 0 || V[s]! <= 0) return null;
      const legal = env.legal(level, state, at);
      let [best, most] = [-1, -Infinity];
      for (let a = 0; a < actions; a++) {
        const q = valueOf(s * actions + a);
        if (((legal >>> a) & 1) === 1 && q > most) [best, most] = [a, q];
      }
      return best < 0 ? null : best;
    },
  };
}
