import type { ModuleForm } from '../../contract/module.ts';
import type { Batch, BatchField } from '../../contract/columns.ts';
import type { Settings, ValuesOf } from '../../core/settings.ts';

/** What a revision may read: the batch that was played, and π_old [B, T, actions] of its steps. */
export type Revised = { readonly batch: Batch; readonly probs: Float32Array; readonly actions: number };

/** The operations that revisions on the GPU are composed of; each records dispatches that change A in place. */
export type ReviseOps = {
  readonly actions: number;
  /** A ← A/RMS(A) over the real steps; as it is where all are 0 */
  toUnitSize(): Promise<void>;
  /** A ← A·clamp(base + slope·mean R of its task group, 0, 1) where A < 0 */
  scaleNegative(base: number, slope: number): Promise<void>;
  /** A ← clip(A, −bound, bound) */
  clip(bound: number): Promise<void>;
  /** A ← (1 − α)A + α·[success]·π^τ/π, τ and α by how far the entropy of the batch is from `target` nats */
  pullToTarget(target: number): Promise<void>;
};

/** What is done to the credit of the estimator before the objective sees it. A is [B, T], 0 on padding. */
export type Revision<S extends Settings = Settings> = ModuleForm<S> & {
  /** the arrays `run` reads beside A, exactly */
  readonly needs: readonly (BatchField | 'probs')[];
  /** what it does to the credit, as the end of a sentence about a step */
  readonly caption: string;
  /** true if it multiplies all credit by one number, which an optimizer may undo */
  readonly onlyScales?: boolean;
  /** true if it needs a policy that chooses whole actions */
  readonly wholeActions?: boolean;
  /** the definition; changes A in place */
  run(A: Float32Array, seen: Revised, params: ValuesOf<S>): void;
  gpu?(ops: ReviseOps, params: ValuesOf<S>): Promise<void>;
};

/** A revision whose functions get the types of its own settings. */
export function defineRevision<const S extends Settings>(revision: Revision<S>): Revision<S> {
  return revision;
}
