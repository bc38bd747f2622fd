/** Words of a replica in a section of the report, floats or u32, and the names of those that kernels write, in their order. */
export type Section = { readonly words: number; readonly names: readonly string[]; readonly u32?: true };

const BATCH = ['wins', 'returns', 'steps', 'entropy', 'anchored', 'agree'] as const;
const RATIOS = [
  ...(['ess', 'cut', 'group', 'share', 'weight', 'rho', 'delta', 'squares'] as const),
  ...(['high', 'low', 'dual', 'outside', 'cov', 'k3', 'units'] as const),
] as const;

/**
 * The report of an update on WebGPU, the one list of its sections: where kernels write, how large it is, and what its numbers
 * are called when they are read follow from it. What kernels do not name here is theirs alone.
 */
export const REPORT_LAYOUT = {
  /** statistics of the batch, and of evaluation episodes */
  batch: { words: 8, names: BATCH },
  eval: { words: 8, names: BATCH },
  /** how far the steps of the batch are from the policy after the update */
  update: { words: 8, names: ['essStep', 'k3', 'ratioMax', 'klRef', 'decisions'] },
  norms: { words: 2, names: ['', 'norm'] },
  losses: { words: 2, names: ['policy', 'value'] },
  rms: { words: 1, names: ['rms'] },
  /** what only some runs have: pairs of a process model; or the batch statistics of side episodes */
  extra: { words: 8, names: ['pairs', 'pairLoss', 'ranked'] },
  /** credit and groups; −1 where there were no successes, or no failures */
  credit: {
    words: 16,
    names: [
      ...(['effective', 'mixed', 'solved', 'failed', 'mean', 'std', 'positive', 'wins', 'fails'] as const),
      ...(['explained', 'spread', 'own'] as const),
    ],
  },
  /** the average policy */
  mix: { words: 16, names: ['marginal', 'normalized', 'gap', 'most', 'plain'] },
  /** ratios at the end and at the start of the update */
  ratios: { words: 16, names: RATIOS },
  start: { words: 16, names: RATIOS },
  weights: { words: 16, names: ['moved', 'size', 'dot', 'now', 'before'] },
  /** what a controlled run did with a replica: see stopAbove, payReference and cutStep */
  control: { words: 16, names: ['', 'taken', 'looks', '', 'paid', 'kept'] },
  /** counts of legal actions, where not all of them may be chosen */
  restriction: { words: 2, names: ['legal', 'removed'], u32: true },
  /** episodes of the panel */
  panel: { words: 8, names: BATCH },
  /** how far what played is from what training sees, on average and at most */
  mismatch: { words: 4, names: ['', 'mean'] },
  mismatchMax: { words: 1, names: ['most'] },
  /** entropy of the policy that trains, where it is not the one that played */
  entropy: { words: 4, names: ['', 'mean'] },
} as const satisfies Readonly<Record<string, Section>>;

export type ReportSection = keyof typeof REPORT_LAYOUT;
export type Names<K extends ReportSection> = Exclude<(typeof REPORT_LAYOUT)[K]['names'][number], ''>;
/** The numbers of one replica by section and name. */
export type Report = { readonly [K in ReportSection]: Readonly<Record<Names<K>, number>> };

export const reportSections = Object.keys(REPORT_LAYOUT) as readonly ReportSection[];

/** How many sections there are; none has more words for a replica than these. */
export const REPORT_SECTIONS = reportSections.length;
export const REPORT_WORDS = 16;
/** Reports that may be on their way to the CPU at once. */
export const REPORT_RING = 3;
