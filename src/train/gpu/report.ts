/**
 * Sections of the report: batch statistics, evaluation, update statistics, norms, losses, RMS of the credit, hash, and one
 * for what only some runs have: pairs of a process model, or batch statistics of greedy episodes.
 */
export const REPORT = { batch: 0, eval: 1, update: 2, norms: 3, losses: 4, rms: 5, hash: 6, extra: 7 } as const;

/** Modes of the kernels that weigh units. */
export const AGGREGATE = { unitMean: 0, seqMeanUnitMean: 1, seqMeanUnitSum: 2, constant: 3 } as const;
