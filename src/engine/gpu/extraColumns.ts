import { assert } from '../../core/assert.ts';
import type { TaskField } from '../../contract/columns.ts';
import type { Slice } from '../../gpu/recorder.ts';

/**
 * Arrays that only some estimators need: [S, B, T] log π_φ, columns per task as [S, B] numbers of their rows; and what no run
 * records but a golden case may: [S, B, T] marks of planning steps, [S, B] player of each trajectory, of so many.
 */
export type ExtraColumns = {
  readonly logpPhi?: Slice;
  readonly perTask?: Readonly<Partial<Record<TaskField, Slice>>>;
  readonly planMask?: Slice;
  /** [S, B] of each part of the reward that is not 0 everywhere */
  readonly rewardParts?: readonly (Slice | undefined)[];
  readonly role?: Slice & { readonly players: number };
  /** [S, P, 4] statistics of the returns of every task group, where they are there already */
  readonly returns?: GPUBuffer;
};

/** The slice of a column that a run must have. */
export function recorded(name: string, slice: Slice | undefined): Slice {
  assert(slice !== undefined, `This run does not record ${name}.`);
  return slice!;
}
