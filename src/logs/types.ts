/** A file of a log: its bytes come in pieces, and may be asked for more than once. */
export type LogFile = {
  /** with its folders, where it came with others */
  readonly name: string;
  readonly size: number;
  bytes(): AsyncIterable<Uint8Array>;
};

/** What a column of a log can be. */
export const ROLES = [
  ...(['task', 'episode', 'step', 'update', 'reward', 'outcome', 'success', 'terminated'] as const),
  ...(['state', 'next', 'action', 'text', 'source'] as const),
  ...(['logp', 'entropy', 'value', 'nextValue', 'greedy', 'scoreNorm', 'logpPhi'] as const),
] as const;
export type Role = (typeof ROLES)[number];

/** Name of the column that has each role; a role that is missing has none. */
export type Mapping = Readonly<Partial<Record<Role, string>>>;

/** How the texts of two states are compared. */
export type KeyRule =
  | { readonly kind: 'exact' | 'spaces' | 'digits' }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'similar'; readonly threshold: number };

/** How a log is read. Everything has a default. */
export type ReadOptions = {
  /** columns by role, where the names that were recognized are to be corrected */
  readonly mapping?: Mapping;
  readonly key?: KeyRule;
  /** lines that cannot be read are left out instead of refusing the log */
  readonly leavesOutBad?: boolean;
  /** where a log does not say in what state an episode ended: episodes with equal outcomes ended in the same one */
  readonly sharesEnds?: boolean;
  /** told from time to time how many steps were read */
  readonly onSteps?: (steps: number) => void;
};

/** A line that cannot be read, and why; `line` counts from 1. */
export type BadLine = { readonly file: string; readonly line: number; readonly why: string };

/** All bad lines are counted, the first ones are kept. */
export type BadLines = { readonly count: number; readonly first: readonly BadLine[] };

/** Ways in which a log can be written down. */
export type LayoutId = 'rows' | 'turns' | 'messages' | 'verl' | 'atif' | 'lab';

/** What was found out about a log while it was read. */
export type Found = {
  readonly layout: LayoutId;
  /** the layout in a sentence */
  readonly sentence: string;
  /** names of the columns, where there are any, and the role that each was given */
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  readonly bad: BadLines;
  /** sentences about what was assumed, left out or thinned */
  readonly notes: readonly string[];
};

/** Why a log cannot be read: one sentence with a way out. */
export type Refused = {
  readonly ok: false;
  readonly sentence: string;
  /** true: with the bad lines left out, it could be read */
  readonly canLeaveOut: boolean;
  /** as far as they were found, so that a mapping can be corrected */
  readonly found: Pick<Found, 'columns' | 'mapping' | 'bad'> | null;
};
