import type { RowPlan } from '../../contract/rows.ts';
import type { Environment } from '../../envs/types.ts';

/** What a scheme knows of one replica before and between its phases. */
export type RowContext = {
  readonly env: Environment;
  /** rows of all phases together, step limit, nominal group size */
  readonly B: number;
  readonly T: number;
  readonly G: number;
  /** group of each row that the task source gave, and what it is played with */
  readonly tasks: ArrayLike<number>;
  level(row: number): object;
  episodeSeed(row: number): number;
  /** uniform in [0, 1): draw n of a row in this update */
  draw(row: number, n: number): number;
};

/** What the rows so far look like: columns of this replica, rows that are not planned yet are 0. */
export type RowsSeen = {
  /** rows planned so far */
  readonly count: number;
  readonly length: Uint32Array;
  readonly taskIndex: Uint32Array;
  readonly outcome: Float32Array;
  readonly success: Uint32Array;
  /** [B, T] */
  readonly entropy: Float32Array;
  /** [B, T, 2] */
  readonly stateKey: Uint32Array;
};

/**
 * Which rows a batch has, in phases: all rows of a phase are played in lockstep, then the next phase looks at them and adds
 * rows. A row with a parent takes over its prefix and goes on from its stored state; the parent never notices, so forks
 * that are decided after a phase equal forks that are decided on the way. All phases together give B rows; the first gives
 * those of the task source, in their order.
 */
export type RolloutScheme = {
  readonly id: string;
  /** rows of a replica beyond those of its task source: memory is known before a run; none where it is not said */
  readonly spare?: number;
  /** true if rows may go on from others: their parents and first own steps are columns */
  readonly forks?: boolean;
  readonly phases: readonly ((context: RowContext, seen: RowsSeen) => readonly RowPlan[])[];
};
