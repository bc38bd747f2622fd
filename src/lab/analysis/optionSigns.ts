import { backwardInduction, type Model } from '../../core/dp.ts';
import { gaussian } from '../../core/fmath.ts';
import { PURPOSE, randomPair, uniform } from '../../core/random.ts';
import { enumerate } from '../../envs/enumerate.ts';
import type { Environment } from '../../envs/types.ts';

/** Lengths of options that are compared; steps to the subgoal, which is a multiple of them. */
export const OPTIONS = [1, 2, 4] as const;
const SUBGOAL = 4;
/** Discount per decision, and the standard deviation of the error of a backup, in steps. */
const GAMMA = 0.95;
const NOISE = 0.5;
/** Tables with errors. */
const TABLES = 48;
/** States, and steps to the goal, up to which a level is worked out. */
const STATES = 1_000;
const FARTHEST = 200;
const SWEEPS = 200;

/** For each distance to the goal: its states, and the share of them and of all tables in which the sign is right, by option length. */
export type OptionSigns = {
  readonly distance: readonly number[];
  readonly states: readonly number[];
  readonly right: readonly (readonly number[])[];
};

/** Probabilities of states after some steps, those after the end left out: of state s from `from[s]` to `from[s + 1]`. */
type Jump = { readonly from: Uint32Array; readonly to: Uint32Array; readonly p: Float64Array };

/**
 * Temporal abstraction in the exact values (OTA, arXiv 2505.12737). An option is what the solver does in n steps. Distances are
 * learned from targets that jump as far, with an error ε(s) in each entry of the table, which backups then hand on:
 *
 *   V̂(s) = −1 + γ·E V̂(s_n) + ε(s), V̂ = 0 at the goal      Â(s) = E V̂(s_k) − V̂(s)
 *
 * Â is the high-level advantage of the subgoal k steps ahead on the solver's way, which is good: its sign should be that of the
 * same equation without errors. A goal d steps away is d/n backups away. Nothing is trained. Null: too few steps to tell.
 */
export function optionSigns(model: Model, T: number): OptionSigns | null {
  const { V } = backwardInduction(model, null, T, GAMMA, 'success');
  if (!(V[0]! > 0)) return null;
  const one = solverSteps(model, T);
  const steps = expectedSteps(one, model.states);
  const reach = Math.round(steps[0]!);
  const near = Array.from({ length: model.states }, (_, s) => s)
    .filter((s) => Number.isFinite(steps[s]!) && steps[s]! <= FARTHEST)
    .sort((a, b) => steps[a]! - steps[b]!);
  const judged = near.filter((s) => Math.round(steps[s]!) > SUBGOAL);
  if (!(reach > SUBGOAL) || judged.length === 0) return null;
  const distance = [...new Set(judged.map((s) => Math.round(steps[s]!)))];
  const at = new Map(distance.map((d, k) => [d, k]));
  const states = distance.map((d) => judged.filter((s) => Math.round(steps[s]!) === d).length);
  const ahead = power(one, SUBGOAL);
  const right = OPTIONS.map((n) => {
    const jump = power(one, n);
    const truth = advantage(ahead, valuesOf(jump, near, null));
    const hits = distance.map(() => 0);
    const error = new Float64Array(model.states);
    for (let table = 0; table < TABLES; table++) {
      for (let s = 0; s < error.length; s++) {
        const [a, b] = randomPair(table, PURPOSE.optionNoise, s, 0, 0);
        error[s] = NOISE * gaussian(uniform(a), uniform(b));
      }
      const noisy = advantage(ahead, valuesOf(jump, near, error));
      for (const s of judged) if (noisy(s) > 0 === truth(s) > 0) hits[at.get(Math.round(steps[s]!))!]!++;
    }
    return hits.map((hit, k) => hit / (TABLES * states[k]!));
  });
  return { distance, states, right };
}

/** The same of a level; a text says why there is nothing, after “because”. */
export function optionSignsOf(env: Environment, level: unknown): OptionSigns | string {
  const all = enumerate(env, level, STATES);
  if (!all) return `it has more than ${STATES.toLocaleString('en')} states, or too much depends on chance`;
  return optionSigns(all.model, env.maxSteps(level)) ?? `its goal is at most ${SUBGOAL} steps away, or out of reach`;
}

/** Where the solver's action leads from each state; it is the first of the actions that reach the goal soonest. */
function solverSteps({ states: n, actions: A, offset, next, probability, success, ...model }: Model, T: number): Jump {
  const { V, Q } = backwardInduction(
    { states: n, actions: A, offset, next, probability, success, ...model },
    null,
    T,
    GAMMA,
    'success',
  );
  const [from, to, p] = [new Uint32Array(n + 1), [] as number[], [] as number[]];
  for (let s = 0; s < n; s++) {
    let a = 0;
    while (Q[s * A + a]! < V[s]! - 1e-9) a++;
    for (let o = offset[s * A + a]!; o < offset[s * A + a + 1]!; o++) {
      if (next[o]! < 0 || probability[o] === 0) continue;
      to.push(next[o]!);
      p.push(probability[o]!);
    }
    // out of reach: it stays where it is for ever
    if (V[s] === 0) {
      to.length = p.length = from[s]!;
      to.push(s);
      p.push(1);
    }
    from[s + 1] = to.length;
  }
  return { from, to: Uint32Array.from(to), p: Float64Array.from(p) };
}

/** n steps of it as one. */
function power(one: Jump, n: number): Jump {
  const count = one.from.length - 1;
  const [from, to, p] = [new Uint32Array(count + 1), [] as number[], [] as number[]];
  for (let s = 0; s < count; s++) {
    let here = new Map([[s, 1]]);
    for (let k = 0; k < n; k++) {
      const after = new Map<number, number>();
      for (const [x, share] of here)
        for (let o = one.from[x]!; o < one.from[x + 1]!; o++)
          after.set(one.to[o]!, (after.get(one.to[o]!) ?? 0) + share * one.p[o]!);
      here = after;
    }
    for (const [x, share] of here) {
      to.push(x);
      p.push(share);
    }
    from[s + 1] = to.length;
  }
  return { from, to: Uint32Array.from(to), p: Float64Array.from(p) };
}

/** Expected steps of the solver to the goal; Infinity where that is never sure. */
function expectedSteps(one: Jump, n: number): Float64Array {
  let steps = new Float64Array(n);
  for (let sweep = 0; sweep < 4 * FARTHEST; sweep++) {
    const now = steps.map((_, s) => 1 + mean(one, steps, s));
    if (now.every((x, s) => Math.abs(x - steps[s]!) < 1e-9 || x > 2 * FARTHEST)) break;
    steps = now;
  }
  return steps.map((x) => (x > FARTHEST ? Infinity : x));
}

/** V̂ by sweeps from the nearest state on, until nothing moves: without chance the first is enough. */
function valuesOf(jump: Jump, near: readonly number[], error: Float64Array | null): { jump: Jump; V: Float64Array } {
  const V = new Float64Array(jump.from.length - 1);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let moved = 0;
    for (const s of near) {
      const value = -1 + GAMMA * mean(jump, V, s) + (error?.[s] ?? 0);
      moved = Math.max(moved, Math.abs(value - V[s]!));
      V[s] = value;
    }
    if (moved < 1e-9) break;
  }
  return { jump, V };
}

const advantage =
  (ahead: Jump, { V }: { readonly V: Float64Array }) =>
  (s: number): number =>
    mean(ahead, V, s) - V[s]!;

/** E x after the jump from s, 0 after the end. */
function mean({ from, to, p }: Jump, x: Float64Array, s: number): number {
  let sum = 0;
  for (let o = from[s]!; o < from[s + 1]!; o++) sum += p[o]! * x[to[o]!]!;
  return sum;
}
