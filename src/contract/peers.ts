import type { LevelName } from './tasks.ts';

/** One row as it is told to other runs of the same task: what anybody needs to play it again, and what came of it. */
export type SharedRow = {
  /** seed of its chance */
  readonly episodeSeed: number;
  readonly actions: readonly number[];
  readonly outcome: number;
  /** log π_old of its units, K for each step; absent: whoever plays it again gives its own */
  readonly logp?: readonly number[];
};

/** Rows of one group. `version`: updates that the policy had learned from when it played them. */
export type SharedGroup = { readonly name: LevelName; readonly version: number; readonly rows: readonly SharedRow[] };

/** A group from somewhere else. Its form has been checked; that its rows can be played has not. `sender`: 1, 2, … */
export type ReceivedGroup = SharedGroup & { readonly sender: number };

/** Groups that others have told since the last update, where they are heard. */
export type Heard = { readonly received?: readonly ReceivedGroup[] | undefined };

/** What an update did with groups of others: what it has to tell, senders of rows that were not what they said, rows it took. */
export type Exchange = {
  readonly sent: readonly SharedGroup[];
  readonly refused: readonly number[];
  readonly taken: number;
};

/** A line to other runs of the same task. */
export type Peers = {
  /** Groups that have arrived since; null: it is closed, and nothing is to be told either. */
  take(): readonly ReceivedGroup[] | null;
  tell(exchange: Exchange): void;
};
