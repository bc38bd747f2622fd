/** Credits of one cell (step of the episode, state, action), collected over several batches of one frozen policy. */
export type CellSample = {
  /** which cell the sample belongs to, 0 ≤ cell < cells */
  readonly cell: number;
  /** assigned credit, and the exact advantage of the cell */
  readonly credit: number;
  readonly exact: number;
};

export type BiasVariance = {
  /** c = Σxy/Σx²: the unit in which credit is compared with the truth */
  readonly scale: number;
  /** Σ n_k (c·mean x_k − A_k)² / Σ n_k over the cells with at least two samples */
  readonly biasSq: number;
  /** the same less Σ c² Var(x_k) / Σ n_k, what few samples alone would make of it; not below 0 */
  readonly biasSqCorrected: number;
  /** Σ n_k c² Var(x_k) / Σ n_k, sample variances */
  readonly variance: number;
  /** share of the samples in such cells, and mean y² over all samples */
  readonly covered: number;
  readonly signal: number;
};

/**
 * Systematic and random error of credit (spec metrics §10.4). Cells met once say nothing about either and are left out.
 * Null when credit is 0 everywhere or no cell was met twice.
 */
export function biasVariance(samples: readonly CellSample[], cells: number): BiasVariance | null {
  const count = new Float64Array(cells);
  const mean = new Float64Array(cells);
  const truth = new Float64Array(cells);
  let xx = 0;
  let xy = 0;
  let signal = 0;
  for (const { cell, credit, exact } of samples) {
    count[cell]!++;
    mean[cell]! += credit;
    truth[cell] = exact;
    xx += credit * credit;
    xy += credit * exact;
    signal += exact * exact;
  }
  const squares = new Float64Array(cells);
  for (let k = 0; k < cells; k++) if (count[k]! > 0) mean[k]! /= count[k]!;
  for (const { cell, credit } of samples) squares[cell]! += (credit - mean[cell]!) ** 2;
  let total = 0;
  let bias = 0;
  let variance = 0;
  let inflation = 0;
  const scale = xx > 0 ? xy / xx : 0;
  for (let k = 0; k < cells; k++) {
    const n = count[k]!;
    if (n < 2) continue;
    const spread = (scale * scale * squares[k]!) / (n - 1);
    total += n;
    bias += n * (scale * mean[k]! - truth[k]!) ** 2;
    variance += n * spread;
    inflation += spread;
  }
  if (!(xx > 0) || total === 0) return null;
  return {
    scale,
    biasSq: bias / total,
    biasSqCorrected: Math.max(0, (bias - inflation) / total),
    variance: variance / total,
    covered: total / samples.length,
    signal: signal / samples.length,
  };
}
