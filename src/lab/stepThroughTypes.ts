import type { Snapshot } from './snapshotTypes.ts';

/** What the objective saw of some units (single decisions, or steps): A, ratio ρ, and whether the clip stopped it. */
export type UnitsSeen = {
  readonly A: Float32Array;
  readonly ratio: Float32Array;
  /** 0 none, 1 above, 2 below, 3 dual, 4 guard */
  readonly clip: Uint8Array;
  /** step i*T + t of each unit; empty where a step has several units */
  readonly step: Uint32Array;
};

/** One optimizer step: what the objective asked for, and how far the parameters went. */
export type OptimizerStop = UnitsSeen & {
  /** 0-based */
  readonly epoch: number;
  readonly minibatch: number;
  /** norm of the gradient, and of what was left of it after the norm limit */
  readonly gradNorm: number;
  readonly usedNorm: number;
  /** per tensor: norm of its gradient before the limit, and of the change of its parameters */
  readonly tensors: readonly { readonly name: string; readonly gradNorm: number; readonly moved: number }[];
  readonly updateNorm: number;
  readonly weightNorm: number;
};

/** A whole update of one replica, worked out slot by slot from the exact state of the run; the run itself has not moved. */
export type WalkedUpdate = {
  /** the batch and its credit, as the page will see it after the update */
  readonly snapshot: Snapshot;
  readonly epochs: number;
  readonly minibatches: number;
  readonly clipNorm: number;
  readonly learningRate: number;
  readonly stops: readonly OptimizerStop[];
  /** the whole batch once more with the new parameters */
  readonly end: UnitsSeen;
  readonly approxKL: number;
  /** π in every state of the batch before and after the update, [B, T, actions]; null where π needs more than the state */
  readonly policy: { readonly before: Float32Array; readonly after: Float32Array } | null;
  /** name of the slot in which a number was not finite */
  readonly bad: string | null;
};

/** The update of the run against the one that was walked through: equal bits, or the largest difference of a parameter. */
export type WalkCheck = { readonly isSame: boolean; readonly largest: number; readonly backend: 'webgpu' | 'cpu' };
export type WalkAnswer =
  { readonly ok: true; readonly walk: WalkedUpdate } | { readonly ok: false; readonly why: string };
