import { mean } from './stats.ts';

/** Pearson correlation; null when either side is constant or there are fewer than two pairs. */
export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  const n = x.length;
  if (n < 2) return null;
  const mx = mean(x);
  const my = mean(y);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < n; k++) {
    xx += (x[k]! - mx) * (x[k]! - mx);
    xy += (x[k]! - mx) * (y[k]! - my);
    yy += (y[k]! - my) * (y[k]! - my);
  }
  return isConstant(x) || isConstant(y) || !(xx > 0) || !(yy > 0) ? null : xy / Math.sqrt(xx * yy);
}

function isConstant(x: ArrayLike<number>): boolean {
  for (let k = 1; k < x.length; k++) if (x[k] !== x[0]) return false;
  return true;
}

/** Average ranks 1 … n; values closer than 1e-6·max(1, max|x|) to their neighbor in sorted order are tied. */
export function averageRanks(x: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: x.length }, (_, k) => k).sort((a, b) => x[a]! - x[b]! || a - b);
  const gap = 1e-6 * order.reduce((size, k) => Math.max(size, Math.abs(x[k]!)), 1);
  const ranks = new Float64Array(x.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && x[order[to]!]! - x[order[to - 1]!]! < gap) to++;
    for (let k = from; k < to; k++) ranks[order[k]!] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

/** True advantages beyond this count as having made a difference: 0.02 of the range of what a step can pay. */
export const signThreshold = (rewardRange: number): number => 0.02 * rewardRange;

export type Agreement = {
  /** Pearson and Spearman correlation; null if undefined */
  readonly pearson: number | null;
  readonly spearman: number | null;
  /** share of the steps with |y| > threshold where the signs agree (x = 0 is wrong), and share of steps that pass */
  readonly sign: number | null;
  readonly signShare: number;
  /** Σ|y|·1[xy > 0] / Σ|y| */
  readonly signWeighted: number | null;
  /** best common factor Σxy/Σx², and what remains with it: Σ(cx − y)²/Σy² */
  readonly scale: number | null;
  readonly nmse: number | null;
};

/** How well credit x points where the exact advantage y points, over real steps (spec metrics §10.2). */
export function agreement(x: ArrayLike<number>, y: ArrayLike<number>, threshold = signThreshold(1)): Agreement {
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let stakes = 0;
  let right = 0;
  let passed = 0;
  let agreed = 0;
  for (let k = 0; k < x.length; k++) {
    const a = x[k]!;
    const b = y[k]!;
    xx += a * a;
    xy += a * b;
    yy += b * b;
    stakes += Math.abs(b);
    if (a * b > 0) right += Math.abs(b);
    if (Math.abs(b) > threshold) {
      passed++;
      if (a * b > 0) agreed++;
    }
  }
  return {
    pearson: correlation(x, y),
    spearman: correlation(averageRanks(x), averageRanks(y)),
    sign: passed > 0 ? agreed / passed : null,
    signShare: passed / x.length,
    signWeighted: stakes > 0 ? right / stakes : null,
    scale: xx > 0 ? xy / xx : null,
    nmse: xx > 0 && yy > 0 ? 1 - (xy * xy) / (xx * yy) : null,
  };
}

/** Correlation of assigned credit with the exact advantage. */
export function creditCorr(credit: ArrayLike<number>, exact: ArrayLike<number>): number | null {
  return correlation(credit, exact);
}

/** Share of the steps that matter (|A| > threshold) whose credit has the right sign. */
export function creditSign(
  credit: ArrayLike<number>,
  exact: ArrayLike<number>,
  threshold = signThreshold(1),
): number | null {
  let passed = 0;
  let agreed = 0;
  for (let k = 0; k < credit.length; k++) {
    if (Math.abs(exact[k]!) <= threshold) continue;
    passed++;
    if (credit[k]! * exact[k]! > 0) agreed++;
  }
  return passed > 0 ? agreed / passed : null;
}

/** Cosine of two vectors; null if one is zero. */
export function cosine(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < x.length; k++) {
    xx += x[k]! * x[k]!;
    xy += x[k]! * y[k]!;
    yy += y[k]! * y[k]!;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}
