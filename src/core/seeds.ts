import { below, PURPOSE, random } from './random.ts';
import { iqm, mean, quantileSorted } from './stats.ts';

/** Scores of one method: scores[task][seed]. */
export type Scores = readonly (readonly number[])[];

/** Seed of the resampling, fixed so that an interval can be reproduced. */
const BOOTSTRAP_SEED = 1;

/**
 * Stratified bootstrap: resamples seeds with replacement inside each task and gives the 2.5 and 97.5 % quantiles of
 * `statistic` over `resamples` (rliable, arXiv 2108.13264). Null with fewer than 3 seeds in a task.
 */
export function bootstrapInterval(
  scores: Scores,
  statistic: (all: Float64Array) => number = iqm,
  resamples = 2000,
): [low: number, high: number] | null {
  if (scores.length === 0 || scores.some((task) => task.length < 3)) return null;
  const seeds = scores.map((task) => task.length);
  const index = drawnSeeds(seeds, resamples);
  const cells = index.length / resamples;
  const all = new Float64Array(cells);
  const results = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    let at = 0;
    for (const task of scores) for (let j = 0; j < task.length; j++, at++) all[at] = task[index[r * cells + at]!]!;
    results[r] = statistic(all);
  }
  return interval95(results);
}

let lastDrawn = { key: '', index: new Uint32Array() };

/** Which seed stands at each place of each resample, task by task. A table asks for the same ones again and again. */
function drawnSeeds(seeds: readonly number[], resamples: number): Uint32Array {
  const key = `${resamples} ${seeds.join()}`;
  if (lastDrawn.key === key) return lastDrawn.index;
  const index = new Uint32Array(resamples * seeds.reduce((a, b) => a + b, 0));
  let at = 0;
  for (let r = 0; r < resamples; r++)
    seeds.forEach((n, k) => {
      for (let j = 0; j < n; j++) index[at++] = below(random(BOOTSTRAP_SEED, PURPOSE.bootstrap, r, k, j), n);
    });
  lastDrawn = { key, index };
  return index;
}

/**
 * The statistic of each given resample: index[(r·seeds + j)·tasks + k] says which seed stands at place j of task k.
 * What `bootstrapInterval` draws can so be given from outside, and repeated.
 */
export function resampled(
  scores: Scores,
  index: ArrayLike<number>,
  statistic: (all: Float64Array) => number = iqm,
): Float64Array {
  const tasks = scores.length;
  const seeds = scores[0]!.length;
  const cells = tasks * seeds;
  const all = new Float64Array(cells);
  return Float64Array.from({ length: index.length / cells }, (_, r) => {
    for (let c = 0; c < cells; c++) all[c] = scores[c % tasks]![index[r * cells + c]!]!;
    return statistic(all);
  });
}

/** 2.5 and 97.5 % quantiles. */
export function interval95(values: ArrayLike<number>): [low: number, high: number] {
  const sorted = new Float64Array(values).sort();
  return [quantileSorted(sorted, 0.025), quantileSorted(sorted, 0.975)];
}

/**
 * P(X > Y): per task the share of pairs (x, y) with x > y, ties count half, then the mean over tasks.
 * 0.5 = no difference; not a p-value.
 */
export function probabilityOfImprovement(X: Scores, Y: Scores): number {
  return mean(
    X.map((xs, task) => {
      const ys = Y[task]!;
      let wins = 0;
      for (const x of xs) for (const y of ys) wins += x > y ? 1 : x === y ? 0.5 : 0;
      return wins / (xs.length * ys.length);
    }),
  );
}
