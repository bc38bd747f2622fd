import { below, PURPOSE, random } from './random.ts';
import { mean } from './stats.ts';
import { interval95 } from './seeds.ts';

/** Scores of a run by seed; a seed that was not measured is missing. */
export type BySeed = ReadonlyMap<number, number>;

/** Difference of two runs at one moment. */
export type Difference = {
  /** mean over seeds, of the first run less the second */
  readonly mean: number;
  /** 95 % bootstrap interval of it; null with too few seeds */
  readonly interval: readonly [low: number, high: number] | null;
  /** true: differences of the seeds that both have; false: of the means of different seeds */
  readonly isPaired: boolean;
  /** seeds of either side that count */
  readonly n: readonly [number, number];
};

/** Fewer seeds than this give no interval (spec metrics §11). */
export const FEWEST_SEEDS = 3;

const RESAMPLES = 2000;
/** The seed of the resampling of `bootstrapInterval`: the same differences give the same interval. */
const SEED = 1;
const tables = new Map<string, Uint16Array>();

/** Which of n seeds stands at each place of each resample, [RESAMPLES, n]; `side`: each side is drawn by itself. */
function tableOf(n: number, side: number): Uint16Array {
  const key = `${n} ${side}`;
  let table = tables.get(key);
  if (!table) {
    table = new Uint16Array(RESAMPLES * n);
    for (let r = 0; r < RESAMPLES; r++)
      for (let j = 0; j < n; j++) table[r * n + j] = below(random(SEED, PURPOSE.bootstrap, r, side, j), n);
    tables.set(key, table);
  }
  return table;
}

/** Mean of every resample. */
function meansOf(values: readonly number[], side: number): Float64Array {
  const n = values.length;
  const table = tableOf(n, side);
  const means = new Float64Array(RESAMPLES);
  for (let r = 0; r < RESAMPLES; r++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += values[table[r * n + j]!]!;
    means[r] = sum / n;
  }
  return means;
}

/**
 * First run less second, over seeds. Seeds that both share are compared with each other: levels, first weights and draws
 * are then the same, and what they have in common cancels. Where fewer than three are shared, and both sides have three,
 * the means of both are compared, each side resampled by itself. Null where one side has no seed.
 */
export function differenceOf(first: BySeed, second: BySeed): Difference | null {
  if (first.size === 0 || second.size === 0) return null;
  const shared = [...first.keys()].filter((seed) => second.has(seed));
  const canSplit = first.size >= FEWEST_SEEDS && second.size >= FEWEST_SEEDS;
  if (shared.length >= FEWEST_SEEDS || (shared.length > 0 && !canSplit)) {
    const d = shared.map((seed) => first.get(seed)! - second.get(seed)!);
    const interval = d.length < FEWEST_SEEDS ? null : interval95(meansOf(d, 0));
    return { mean: mean(d), interval, isPaired: true, n: [d.length, d.length] };
  }
  const [x, y] = [[...first.values()], [...second.values()]];
  const others = canSplit ? meansOf(y, 1) : null;
  return {
    mean: mean(x) - mean(y),
    interval: others && interval95(meansOf(x, 0).map((m, r) => m - others[r]!)),
    isPaired: false,
    n: [x.length, y.length],
  };
}
