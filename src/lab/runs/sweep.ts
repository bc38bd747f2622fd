import type { Description } from '../sweep/description.ts';
import type { RunRecord } from './record.ts';

/** How far a sweep of the page is. */
export const SWEEP_STATES = ['waiting', 'running', 'paused', 'finished', 'cancelled'] as const;
export type SweepState = (typeof SWEEP_STATES)[number];

/** A sweep as it is kept; its cells are kept runs with its id as their `batch`. */
export type KeptSweep = {
  readonly id: string;
  readonly title: string;
  /** with a whole config as its base: it means the same however presets change */
  readonly description: Description;
  readonly state: SweepState;
  /** its groups in the order of the description, by the digest that their runs have as `group` */
  readonly groups: readonly { readonly name: string; readonly group: string }[];
  /** ids of the runs that are still to train, in this order */
  readonly order: readonly string[];
  readonly startedAt: number;
  readonly changedAt: number;
};

/** True of a run that a cancelled sweep has left, whether or not the page lived to mark it as stopped. */
export const isLeft = ({ state }: Pick<RunRecord, 'state'>): boolean => state !== 'finished' && state !== 'failed';
