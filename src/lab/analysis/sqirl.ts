import { type Model } from '../../core/dp.ts';
import { PURPOSE, random, uniform } from '../../core/random.ts';
import { fitted, greatest, type Step } from '../../slots/rollout/sqirl/fitted.ts';

/** What SQIRL found: its policy for each step, [T, states], and what it took. */
export type Found = { readonly policy: Int32Array; readonly steps: number };

/** Uniform in [0, 1): number n of an episode while step t is learned; even ones choose actions, odd ones what comes of them. */
type Chance = (t: number, episode: number, n: number) => number;

const drawsOf =
  (seed: number): Chance =>
  (t, episode, n) =>
    uniform(random(seed, PURPOSE.sqirl, t, episode, n));

/**
 * SQIRL with a table as its regression (Laidlaw et al., arXiv 2312.08369): for t = 0 … T − 1,
 *
 *   m episodes: π_0 … π_{t−1} as found, then uniform     explore
 *   Q̂¹_j(s,a) = mean of the returns to go of (j, s, a) in them, for j ≥ t, least return where it was not seen   learn
 *   Q̂ⁱ⁺¹_j(s,a) = mean of r + max_{a′} Q̂ⁱ_{j+1}(s′,a′), k − 1 times     π_t greedy on Q̂ᵏ_t
 *
 * Its steps are what it plays: what is never met is never known. Draws are a function of (seed, t, episode, step).
 */
export function sqirl(
  model: Model,
  T: number,
  { k, m, seed, chance = drawsOf(seed) }: { k: number; m: number; seed: number; chance?: Chance },
): Found {
  const { states: n, actions: A } = model;
  const policy = new Int32Array(T * n).fill(-1);
  let steps = 0;
  for (let t = 0; t < T; t++) {
    const seen: Step[] = [];
    for (let episode = 0; episode < m; episode++) {
      const own = play(
        model,
        T,
        (j, s) => {
          const known = j < t ? policy[j * n + s]! : -1;
          if (known >= 0) return known;
          return Math.floor(A * chance(t, episode, 2 * j));
        },
        (j) => chance(t, episode, 2 * j + 1),
      );
      steps += own.length;
      let back = 0;
      for (const step of own.toReversed()) {
        back += step.reward;
        if (step.t >= t) seen.push({ ...step, back });
      }
    }
    const Q = fitted(seen, { t, T, n, A, k });
    for (let s = 0; s < n; s++) {
      const most = greatest(Q, s * A, A);
      if (most > -Infinity) policy[t * n + s] = Q.subarray(s * A, (s + 1) * A).indexOf(most);
    }
  }
  return { policy, steps };
}

/** One episode: `act` chooses, `chance` draws which result an action has. */
function play(
  { actions: A, offset, next, probability, reward }: Model,
  T: number,
  act: (t: number, s: number) => number,
  chance: (t: number) => number,
): Step[] {
  const steps: Step[] = [];
  for (let t = 0, s = 0; t < T && s >= 0; t++) {
    const a = act(t, s);
    const sa = s * A + a;
    let o = offset[sa]!;
    for (let left = chance(t) - probability[o]!; left >= 0 && o + 1 < offset[sa + 1]!;) left -= probability[++o]!;
    steps.push({ t, s, a, reward: reward[sa]!, next: next[o]!, back: 0 });
    s = next[o]!;
  }
  return steps;
}

/** Return of a policy for each step on a level, by expectation; where it knows nothing it acts uniformly. */
export function returnOf(model: Model, T: number, { policy }: Pick<Found, 'policy'>): number {
  const { states: n, actions: A, offset, next, probability, reward } = model;
  let V = new Float64Array(n);
  for (let t = T - 1; t >= 0; t--) {
    const now = new Float64Array(n);
    for (let s = 0; s < n; s++) {
      const chosen = policy[t * n + s]!;
      for (let a = 0; a < A; a++) {
        if (chosen >= 0 && a !== chosen) continue;
        let q = reward[s * A + a]!;
        for (let o = offset[s * A + a]!; o < offset[s * A + a + 1]!; o++)
          if (next[o]! >= 0) q += probability[o]! * V[next[o]!]!;
        now[s]! += chosen >= 0 ? q : q / A;
      }
    }
    V = now;
  }
  return V[0]!;
}

/** Runs for each m; half of them have to find an optimal policy. */
const RUNS = 8;
/** Environment steps of one run after which nobody waits any longer. */
const MOST_STEPS = 100_000;

export type Searched = { readonly m: number; readonly steps: number };

/** The fewest episodes a step, by doubling, with which half of all runs find a policy that is best, and what a run takes. */
export function sqirlSteps(model: Model, T: number, k: number, best: number): Searched | null {
  const tie = 1e-9 * Math.max(1, Math.abs(best));
  for (let m = 1; ; m *= 2) {
    let [won, taken] = [0, 0];
    for (let seed = 1; seed <= RUNS; seed++) {
      const found = sqirl(model, T, { k, m, seed });
      taken += found.steps / RUNS;
      if (returnOf(model, T, found) >= best - tie) won++;
      if (found.steps > MOST_STEPS) return null;
    }
    if (won >= RUNS / 2) return { m, steps: Math.round(taken) };
  }
}
