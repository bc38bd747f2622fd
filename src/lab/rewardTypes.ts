import type { BatchName } from './creditTypes.ts';

/** What the reward modules of a run look at and pay: of one episode, or exactly for all steps of a batch. */
export type RewardRequest = BatchName & ({ readonly of: 'episode'; readonly i: number } | { readonly of: 'batch' });

/** Signals of an episode of n steps, whether or not a module of the run needs them. */
export type EpisodeSignals = {
  /** [n] 1 where the action was refused; the state was new; the same was done in the same state before; it cannot be undone */
  readonly refused: Uint8Array;
  readonly isNew: Uint8Array;
  readonly repeated: Uint8Array;
  readonly hard: Uint8Array;
  /** [n] the last milestone that was first reached in the step, counted from 1; 0: none */
  readonly reached: Uint8Array;
  /** [n + 1] before the first step, and after each */
  readonly completion: Float32Array;
  readonly phi: Float32Array;
  readonly potential: 'distance' | 'milestone' | 'value';
};

/** Exact advantages of all steps of a batch by r and by r′, with one discount; and what of the best actions changes. */
export type PaidBatch = {
  readonly gamma: number;
  /** [B, T] */
  readonly world: Float32Array;
  readonly paid: Float32Array;
  /** states of the levels of the batch, and those in which another action is best by r′ than by r */
  readonly states: number;
  readonly others: number;
  /** with γ = 1 values end at the step limit; below, best actions are those without a limit */
  readonly isLimited: boolean;
};

/** A text is the sentence of why there is nothing. */
export type RewardAnswer = BatchName & {
  readonly isKept: boolean;
  readonly episode: EpisodeSignals | string | null;
  readonly batch: PaidBatch | string | null;
};
