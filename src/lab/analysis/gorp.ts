import { backwardInduction, type Model } from '../../core/dp.ts';
import { below, PURPOSE, random, uniform } from '../../core/random.ts';

/** Whole runs of GORP that are sampled for each m; half of them have to succeed. */
const RUNS = 32;
/** Different ends of the action sequences of a state; more are not followed. */
const MOST_ENDS = 4096;
const MOST_EPISODES = 2 ** 40;

/** What action sequences from a state come to: first action, state after them (−1: over), what they paid, how many there are. */
type End = { readonly first: number; readonly state: number; readonly paid: number; readonly count: number };

export type Searched = {
  readonly model: Model;
  readonly T: number;
  readonly k: number;
  readonly best: { readonly V: Float64Array; readonly Q: Float64Array };
  /** [T, states] least that can still be paid */
  readonly worst: Float64Array;
  /** values that differ by less are equal */
  readonly tie: number;
};

/**
 * m_k of GORP on a level without chance. In every step it tries each of the Aᵏ next action sequences in m episodes, which go on
 * uniformly, and takes the first action of the sequence with the best mean return. m_k is the smallest m with which half of all
 * runs choose an optimal action in every step; to a quarter of a doubling, from a fixed sample of runs. Infinity: no m
 * up to 2⁴⁰ does it. Null: a state has too many ends of sequences.
 *
 * The mean of m returns is drawn from a scaled binomial distribution with the exact mean and variance of the return, which for a
 * level with one goal is the distribution itself. Among first actions with equal best means one is drawn.
 */
export function episodesPerSequence(given: Searched): number | null {
  const { model, T } = given;
  const moments = momentsOf(model, T);
  const known = new Map<number, readonly End[] | null>();
  const succeeds = (m: number): boolean | null => {
    let [won, lost] = [0, 0];
    while (won < RUNS / 2 && lost <= RUNS / 2) {
      const run = won + lost;
      const isBest = runsWell(given, moments, known, { m, run });
      if (isBest === null) return null;
      if (isBest) won++;
      else lost++;
    }
    return won >= RUNS / 2;
  };
  let m = 1;
  for (; m <= MOST_EPISODES; m *= 2) {
    const enough = succeeds(m);
    if (enough === null) return null;
    if (enough) break;
  }
  if (m > MOST_EPISODES) return Infinity;
  // between half of it and it
  for (let step = m / 4; step >= 1 && step >= m / 8; step /= 2) if (succeeds(m - step)) m -= step;
  return m;
}

/** Mean and variance of what the uniform policy is still paid: [T, states], 0 at the limit. */
function momentsOf(model: Model, T: number): { readonly mean: Float64Array; readonly variance: Float64Array } {
  const { states: n, actions: A, offset, next, reward } = model;
  const mean = backwardInduction(model, new Float64Array(n * A).fill(1 / A), T).V;
  const square = new Float64Array(T * n);
  for (let t = T - 1; t >= 0; t--) {
    for (let s = 0; s < n; s++) {
      let total = 0;
      for (let sa = s * A; sa < (s + 1) * A; sa++) {
        const r = reward[sa]!;
        const to = next[offset[sa]!]!;
        const after = t + 1 < T && to >= 0 ? (t + 1) * n + to : -1;
        total += r * r + (after < 0 ? 0 : 2 * r * mean[after]! + square[after]!);
      }
      square[t * n + s] = total / A;
    }
  }
  return { mean, variance: square.map((x, at) => Math.max(0, x - mean[at]! ** 2)) };
}

/** One run of GORP from the start: does it choose an optimal action in every step? */
function runsWell(
  { model, T, k, best, worst, tie }: Searched,
  { mean, variance }: ReturnType<typeof momentsOf>,
  known: Map<number, readonly End[] | null>,
  { m, run }: { readonly m: number; readonly run: number },
): boolean | null {
  const { states: n, actions: A, offset, next } = model;
  for (let t = 0, s = 0; t < T && s >= 0; t++) {
    const length = Math.min(k, T - t);
    const name = length * n + s;
    if (!known.has(name)) known.set(name, endsFrom(model, s, length));
    const ends = known.get(name);
    if (!ends) return null;
    const most = new Float64Array(A).fill(-Infinity);
    for (let e = 0; e < ends.length; e++) {
      const { first, state, paid, count } = ends[e]!;
      const at = state < 0 || t + length >= T ? -1 : (t + length) * n + state;
      // the greatest of `count` draws
      const u = (uniform(random(run, PURPOSE.horizon, t, e, 0)) + 2 ** -25) ** (1 / count);
      const x = paid + (at < 0 ? 0 : worst[at]! + meanOf(m, mean[at]! - worst[at]!, variance[at]!, u));
      if (x > most[first]!) most[first] = x;
    }
    const top = most.reduce((x, y) => Math.max(x, y));
    const tied = Array.from(most.keys()).filter((a) => most[a]! >= top - tie);
    const chosen = tied[below(random(run, PURPOSE.horizon, t, ends.length, 0), tied.length)]!;
    if (best.Q[(t * n + s) * A + chosen]! < best.V[t * n + s]! - tie) return false;
    s = next[offset[s * A + chosen]!]!;
  }
  return true;
}

/** Where the action sequences of a length end, equal ends together; null if there are too many. */
function endsFrom({ actions: A, offset, next, reward }: Model, s: number, length: number): readonly End[] | null {
  let ends = new Map<string, End>([['', { first: -1, state: s, paid: 0, count: 1 }]]);
  for (let j = 0; j < length; j++) {
    const longer = new Map<string, End>();
    for (const { first, state, paid, count } of ends.values()) {
      for (let a = 0; a < A; a++) {
        const sa = state * A + a;
        const to = state < 0 ? -1 : next[offset[sa]!]!;
        const sum = Math.round((state < 0 ? paid : paid + reward[sa]!) * 1e6) / 1e6;
        const own = j === 0 ? a : first;
        const name = `${own},${to},${sum}`;
        longer.set(name, { first: own, state: to, paid: sum, count: count + (longer.get(name)?.count ?? 0) });
      }
    }
    if (longer.size > MOST_ENDS) return null;
    ends = longer;
  }
  return [...ends.values()];
}

/** Quantile u of the mean of m draws that are at least 0: a scaled binomial with this mean and variance of one draw. */
export function meanOf(m: number, mean: number, variance: number, u: number): number {
  if (mean <= 1e-300 || variance <= 1e-12 * mean * mean) return mean;
  const scale = mean + variance / mean;
  return (scale * binomialQuantile(m, mean / scale, u)) / m;
}

/** Smallest x with P(X ≤ x) ≥ u for X ~ Bin(m, p): by its sum where few are expected, else by the normal distribution. */
export function binomialQuantile(m: number, p: number, u: number): number {
  if (p > 0.5) return m - binomialQuantile(m, 1 - p, 1 - u);
  const expected = m * p;
  if (expected > 40) {
    const x = expected + Math.sqrt(expected * (1 - p)) * normalQuantile(u);
    return Math.min(m, Math.max(0, x));
  }
  let chance = Math.exp(m * Math.log1p(-p));
  let [x, below] = [0, chance];
  while (below < u && x < m && (chance > 1e-18 || x < expected)) {
    chance *= ((m - x) / (x + 1)) * (p / (1 - p));
    below += chance;
    x++;
  }
  return x;
}

/** Quantile of the standard normal distribution, to 4.5e-4 (Abramowitz and Stegun 26.2.23). */
export function normalQuantile(u: number): number {
  if (u > 0.5) return -normalQuantile(1 - u);
  const t = Math.sqrt(-2 * Math.log(Math.max(u, 1e-300)));
  return ((0.010328 * t + 0.802853) * t + 2.515517) / (((0.001308 * t + 0.189269) * t + 1.432788) * t + 1) - t;
}
