import { backwardInduction, type Model } from '../../core/dp.ts';
import { enumerate } from '../../envs/enumerate.ts';
import type { Environment } from '../../envs/types.ts';
import { episodesPerSequence } from './gorp.ts';
import { greatest } from '../../slots/rollout/sqirl/fitted.ts';
import { sqirlSteps, type Searched } from './sqirl.ts';

/**
 * How hard a level is to explore (Laidlaw, Russell and Dragan, arXiv 2304.09853). With Q¹ the values of the uniform policy
 * and Qᵏ⁺¹ one backup of Qᵏ:
 *
 *   Q¹_t(s,a) = r(s,a) + E mean_{a′} Q¹_{t+1}(s′,a′)     Qᵏ⁺¹_t(s,a) = r(s,a) + E max_{a′} Qᵏ_{t+1}(s′,a′)
 *
 * a level is k-solvable if every policy that is greedy on Qᵏ is optimal from the start, however it decides between ties.
 */
export type Horizon = {
  readonly T: number;
  readonly actions: number;
  readonly states: number;
  /** an action may have several results: then only the bound is known */
  readonly isChance: boolean;
  /** k*: the fewest backups with which greed is best */
  readonly k: number;
  /** min over k of k + log_A m_k, and where it is found; null where actions have several results, or too many to follow */
  readonly found: { readonly H: number; readonly k: number; readonly m: number; readonly steps: number } | null;
  /** episodes a step and steps in all of SQIRL with a table and k* backups; null: more than is waited for */
  readonly sqirl: Searched | null;
  /** what H is at most by the theorem, and where that is found */
  readonly bound: { readonly H: number; readonly k: number; readonly steps: number };
};

/** States of a level up to which they are listed. */
const MOST_STATES = 20_000;
/** Entries of a table over (step, state, action) up to which a level is solved. */
export const HORIZON_ENTRIES = 2_000_000;
/** Sums of all outcomes over all steps and backups. */
const MOST_WORK = 3e9;

/** The horizon of a level; null and a text as below. */
export function horizonOfLevel(env: Environment, level: unknown): Horizon | null | string {
  const all = enumerate(env, level, MOST_STATES);
  if (!all) return `it has more than ${MOST_STATES.toLocaleString('en')} states, or too much depends on chance`;
  const T = env.maxSteps(level);
  const found = horizonOf(all.model, T);
  if (found === null || typeof found === 'string') return found;
  return { ...found, sqirl: sqirlSteps(all.model, T, found.k, backwardInduction(all.model, null, T).V[0]!) };
}

/**
 * The horizon of a level as a decision process that starts in state 0 and is cut after T steps. Null: no way of acting pays
 * more than another. A text: why it is not worked out, after “because”.
 */
export function horizonOf(model: Model, T: number): Horizon | null | string {
  const { states, actions: A } = model;
  if (T * states * A > HORIZON_ENTRIES) return `it has ${states.toLocaleString('en')} states over ${T} steps`;
  const best = backwardInduction(model, null, T);
  const worst = backwardInduction(negated(model), null, T).V.map((v) => -v);
  const [lo, hi] = [worst.reduce((a, b) => Math.min(a, b)), best.V.reduce((a, b) => Math.max(a, b))];
  if (best.V[0]! - worst[0]! <= 1e-9 * Math.max(1, hi - lo)) return null;
  const scale = { lo, hi, tie: 1e-9 * (hi - lo) };
  const Q = backwardInduction(model, new Float64Array(states * A).fill(1 / A), T).Q;
  const isChance = model.offset.some((from, sa) => sa > 0 && from - model.offset[sa - 1]! > 1);
  const paths = optimalPaths(model, T, best.Q, best.V, scale.tie);
  let k = 0;
  let found: Horizon['found'] = null;
  let bound: Horizon['bound'] | null = null;
  let isSearched = !isChance;
  for (let backups = 1; backups <= T; backups++, backUp(model, T, Q)) {
    if (backups >= (bound?.H ?? Infinity) && !(isSearched && backups < (found?.H ?? Infinity))) break;
    if (backups * T * model.next.length > MOST_WORK) {
      if (k > 0) break;
      return `more than ${backups - 1} backups are needed`;
    }
    if (k === 0 && !isSolved(model, T, Q, best, scale.tie)) continue;
    k ||= backups;
    const most = boundAt({ Q, best, paths, A, T, k: backups, scale });
    if (most < (bound?.H ?? Infinity)) bound = { H: most, k: backups, steps: T * T * A ** most };
    if (!isSearched || backups >= (found?.H ?? Infinity)) continue;
    const m = episodesPerSequence({ model, T, k: backups, best, worst, tie: scale.tie });
    if (m === null) isSearched = false;
    if (m === null || m === Infinity) continue;
    const H = backups + Math.log(m) / Math.log(A);
    if (H < (found?.H ?? Infinity)) found = { H, k: backups, m, steps: T * T * A ** backups * m };
  }
  return { T, actions: A, states, isChance, k, found, bound: bound!, sqirl: null };
}

/** The same level with every reward turned around: its best value is the worst of the level, turned around. */
const negated = (model: Model): Model => ({ ...model, reward: model.reward.map((r) => -r) });

/** Qᵏ → Qᵏ⁺¹ in place: steps ascend, so that each still reads the old values of the next. Q has entries [T, states, A]. */
export function backUp(
  { states: n, actions: A, offset, next, probability, reward }: Model,
  T: number,
  Q: Float64Array,
): void {
  for (let t = 0; t < T; t++) {
    for (let sa = 0; sa < n * A; sa++) {
      let q = reward[sa]!;
      for (let o = offset[sa]!; t + 1 < T && o < offset[sa + 1]!; o++) {
        if (next[o]! >= 0) q += probability[o]! * greatest(Q, ((t + 1) * n + next[o]!) * A, A);
      }
      Q[t * n * A + sa] = q;
    }
  }
}

type Best = { readonly V: Float64Array; readonly Q: Float64Array };

/** True if whatever is greedy on Q, ties included, is best in every state that greed comes to. */
function isSolved(model: Model, T: number, Q: Float64Array, best: Best, tie: number): boolean {
  const { states: n, actions: A } = model;
  return everyStep(model, T, (t, s) => {
    const at = (t * n + s) * A;
    const most = greatest(Q, at, A);
    const greedy: number[] = [];
    for (let a = 0; a < A; a++) {
      if (Q[at + a]! < most - tie) continue;
      if (best.Q[at + a]! < best.V[t * n + s]! - tie) return null;
      greedy.push(a);
    }
    return greedy;
  });
}

/** (t, s) as t·states + s of all states on the ways of optimal policies. */
function optimalPaths(
  { states: n, ...model }: Model,
  T: number,
  Q: Float64Array,
  V: Float64Array,
  tie: number,
): number[] {
  const on: number[] = [];
  const { actions: A } = model;
  everyStep({ states: n, ...model }, T, (t, s) => {
    on.push(t * n + s);
    const good: number[] = [];
    for (let a = 0; a < A; a++) if (Q[(t * n + s) * A + a]! >= V[t * n + s]! - tie) good.push(a);
    return good;
  });
  return on;
}

/** Walks from the start along the actions that `choose` gives, each state of a step once; false as soon as it gives null. */
function everyStep(model: Model, T: number, choose: (t: number, s: number) => readonly number[] | null): boolean {
  const { actions: A, offset, next } = model;
  let here = [0];
  for (let t = 0; t < T && here.length > 0; t++) {
    const after = new Set<number>();
    for (const s of here) {
      const chosen = choose(t, s);
      if (!chosen) return false;
      for (const a of chosen)
        for (let o = offset[s * A + a]!; o < offset[s * A + a + 1]!; o++) if (next[o]! >= 0) after.add(next[o]!);
    }
    here = [...after].sort((x, y) => x - y);
  }
  return true;
}

type Bounded = {
  readonly Q: Float64Array;
  readonly best: Best;
  readonly paths: readonly number[];
  readonly A: number;
  readonly T: number;
  readonly k: number;
  readonly scale: { readonly lo: number; readonly hi: number; readonly tie: number };
};

/**
 * H_k ≤ k + max_{t, s, a} log_A(Qᵏ_t(s,a)·V*_t(s)/Δᵏ_t(s)²) + log_A(6·ln(2·T·Aᵏ)) over the states on optimal ways, with Δ the
 * gap of Qᵏ between the best action and the best one that is not optimal. The theorem is about returns in [0, 1]: what is still
 * paid after any step is brought there by the least and the most that it can be.
 */
function boundAt({ Q, best, paths, A, T, k, scale: { lo, hi, tie } }: Bounded): number {
  const unit = (x: number): number => (x - lo) / (hi - lo);
  let hardest = -Infinity;
  for (const ts of paths) {
    let [most, other] = [-Infinity, -Infinity];
    for (let a = ts * A; a < (ts + 1) * A; a++) {
      most = Math.max(most, Q[a]!);
      if (best.Q[a]! < best.V[ts]! - tie) other = Math.max(other, Q[a]!);
    }
    if (other === -Infinity) continue;
    const gap = (most - other) / (hi - lo);
    hardest = Math.max(hardest, gap <= 1e-9 ? Infinity : (unit(most) * unit(best.V[ts]!)) / gap ** 2);
  }
  const logA = (x: number): number => Math.log(x) / Math.log(A);
  return Math.max(k, k + logA(hardest) + logA(6 * (Math.log(2 * T) + k * Math.log(A))));
}
