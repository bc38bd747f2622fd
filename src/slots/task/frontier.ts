/** The controller of SCALER: a real difficulty that follows the frontier where a given share of episodes succeeds. */

/** Bounds of a difficulty, and how it moves: d ← clip(d + clip(k·(a − a*), −c, c)). */
export type FrontierRule = {
  readonly dMin: number;
  readonly dMax: number;
  readonly target: number;
  readonly gain: number;
  readonly stepCap: number;
};

/** When a family has nothing more to teach; a window is the last `history` updates. */
export type RetireRule = {
  readonly dMax: number;
  readonly history: number;
  readonly zeroLimit: number;
  readonly topLimit: number;
};

/** What was played of a family in its latest updates, oldest first. */
export type Window = { readonly difficulty: readonly number[]; readonly accuracy: readonly number[] };

/** n tasks at a difficulty d between two rows of the table: round(n·(d − ⌊d⌋)) of them, half up, at ⌈d⌉, the rest at ⌊d⌋. */
export function mixOf(
  d: number,
  n: number,
): { readonly low: number; readonly high: number; readonly highCount: number } {
  const low = Math.floor(d);
  return { low, high: Math.ceil(d), highCount: Math.floor(n * (d - low) + 0.5) };
}

const clip = (x: number, least: number, most: number): number => Math.min(Math.max(x, least), most);

/** How far a difficulty wants to move where the share a of its episodes succeeded. */
export const moveOf = (a: number, { target, gain, stepCap }: Omit<FrontierRule, 'dMin' | 'dMax'>): number =>
  clip(gain * (a - target), -stepCap, stepCap);

export const movedTo = (d: number, delta: number, { dMin, dMax }: Pick<FrontierRule, 'dMin' | 'dMax'>): number =>
  clip(d + delta, dMin, dMax);

/** Σ α_δ·a_δ with α_δ = 1 − |d − δ|: success at d between that of the two rows around it. */
export const interpolated = (d: number, low: number, high: number): number => {
  const share = d - Math.floor(d);
  return (1 - share) * low + share * high;
};

/** How many of the last entries are `value`, without a break. */
export function runOf(entries: readonly number[], value: number): number {
  let run = 0;
  while (run < entries.length && entries[entries.length - 1 - run] === value) run++;
  return run;
}

/** Slope of the regression of the entries on their position; 1 while the window is not full. */
export function slopeOf(entries: readonly number[], history: number): number {
  const n = entries.length;
  if (n < history || n < 2) return 1;
  const [middle, mean] = [(n - 1) / 2, entries.reduce((sum, x) => sum + x, 0) / n];
  let [products, squares] = [0, 0];
  entries.forEach((x, k) => {
    products += (k - middle) * (x - mean);
    squares += (k - middle) ** 2;
  });
  return products / squares;
}

/**
 * Why a family leaves: its last `zeroLimit` updates had no success, its last `topLimit` were at the largest difficulty, or
 * its difficulty did not rise over a full window. The code released with the paper never looks at the first entry of a
 * window, so a run that fills it counts one short; here all count.
 */
export function retirement({ difficulty, accuracy }: Window, rule: RetireRule): 'zero' | 'top' | 'flat' | null {
  if (runOf(accuracy, 0) >= rule.zeroLimit) return 'zero';
  if (runOf(difficulty, rule.dMax) >= rule.topLimit) return 'top';
  return slopeOf(difficulty, rule.history) <= 0 ? 'flat' : null;
}

/** A window with one more update, and without what is older than `history`. */
export const pushed = (entries: readonly number[], entry: number, history: number): number[] =>
  [...entries, entry].slice(-history);

/** How a family that goes on rising, or that has waited, is preferred: see `progressWeight`. */
export type ProgressRule = { readonly slopeScale: number; readonly ageWeight: number };
/** Updates of a family whose slope is its progress, and the age at which a family has waited for long. */
export const PROGRESS_WINDOW = 20;
const LONG_AGO = 100;

/**
 * How often a family is drawn, from its latest difficulties and the updates since it was drawn last:
 *
 *   1 − e^(−max(0, slope)/slopeScale) + ageWeight·min(1, age/100)     1 with fewer than 3 difficulties
 */
export function progressWeight(entries: readonly number[], age: number, rule: ProgressRule): number {
  if (entries.length < 3) return 1;
  const slope = slopeOf(entries, entries.length);
  return 1 - Math.exp(-Math.max(0, slope) / rule.slopeScale) + rule.ageWeight * Math.min(1, age / LONG_AGO);
}

/** The family that u in [0, 1) draws by these weights; where all are 0, each as likely. */
export function drawnBy(weights: readonly number[], u: number): number {
  const total = weights.reduce((sum, w) => sum + w, 0);
  if (total === 0) return Math.floor(u * weights.length);
  let left = u * total;
  const found = weights.findIndex((w) => (left -= w) < 0);
  return found >= 0 ? found : weights.findLastIndex((w) => w > 0);
}
