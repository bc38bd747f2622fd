export { REPORT_SECTIONS, REPORT_WORDS } from '../../core/report.ts';

/**
 * Sections of the report: batch statistics, evaluation, update statistics, norms, losses, RMS of the credit, and one
 * for what only some runs have: pairs of a process model, or batch statistics of greedy episodes. Then what only metrics
 * read: credit and groups, the average policy, ratios at the end and at the start of the update, weights. And what a
 * controlled run did with each replica: see klStop and payReference. Then the counts of masked actions,
 * episodes of the panel, and how far what played is from what training sees, on average and at most, and the entropy of the
 * policy that trains where it is not the one that played.
 */
export const REPORT = {
  ...{ batch: 0, eval: 1, update: 2, norms: 3, losses: 4, rms: 5, extra: 6 },
  ...{ credit: 7, mix: 8, ratios: 9, start: 10, weights: 11, control: 12, mask: 13, panel: 14 },
  ...{ mismatch: 15, mismatchMax: 16, entropy: 17 },
} as const;

/** Modes of the kernels that weigh units. */
export const AGGREGATE = { unitMean: 0, seqMeanUnitMean: 1, seqMeanUnitSum: 2, constant: 3 } as const;
