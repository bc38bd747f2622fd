import { configDigest } from '../../config/digest.ts';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { TrainedOn } from '../../core/trainedOn.ts';
import type { SeriesPart } from '../../engine/series.ts';
import type { Limit } from '../sweep/limit.ts';

/** How far a kept run is. `stopped`: by the person, before its end. */
export const RUN_STATES = ['waiting', 'running', 'paused', 'finished', 'stopped', 'failed'] as const;
export type KeptState = (typeof RUN_STATES)[number];

/** Success on episodes that never train: update number, environment steps taken before, success. */
export type Evaluations = {
  readonly updates: readonly number[];
  readonly steps: readonly number[];
  readonly success: readonly number[];
};

/**
 * One run of one seed as it is kept: the unit of the runs table, of a sweep's cells and of every statistic. A run of the
 * page with five seeds is five of these with the same `batch`. Its curves are kept apart, under the same id.
 */
export type RunRecord = {
  /** never reused; a selection is a set of ids */
  readonly id: string;
  /** what it was trained with: the run of the page, the sweep, or the bundle it came from */
  readonly batch: string;
  readonly origin: 'page' | 'sweep' | 'bundle';
  /** with `run.seeds` 1 and its own `run.seed` */
  readonly config: Config;
  /** digest of the config: equal addresses are the same experiment */
  readonly address: string;
  /** digest of the config without the seed: members of a group differ in nothing else */
  readonly group: string;
  /** the person's title; empty: named by difference */
  readonly title: string;
  readonly seed: number;
  readonly state: KeptState;
  /** the one sentence of why it failed */
  readonly problem: string | null;
  /** the update in which a number was not finite any more: it counts with score 0, and its curve is 0 from there on */
  readonly diverged?: number | undefined;
  readonly update: number;
  readonly updates: number;
  /** what ended it before its updates were over; seconds: another training may end with other numbers */
  readonly limit?: Limit | null;
  readonly envSteps: number;
  /** seconds that it trained; of replicas that trained together, those of all */
  readonly seconds: number;
  readonly backend: TrainedOn;
  /** mean of the last tenth of the evaluations, and the best one; null: never evaluated */
  readonly score: number | null;
  readonly best: number | null;
  /** of the last update; null where it is not measured */
  readonly entropy: number | null;
  readonly ess: number | null;
  readonly evaluations: Evaluations;
  /** chain over what happened in every update; null before the first */
  readonly digest: string | null;
  /** version of the lab that trained it */
  readonly version: string;
  /** milliseconds since 1970 */
  readonly startedAt: number;
  readonly changedAt: number;
  readonly tags: readonly string[];
  readonly note: string;
  readonly isPinned: boolean;
};

/** Every number of every update of one kept run, `S` = 1. */
export type RunCurves = {
  readonly id: string;
  /** ids of the metrics that its numbers are, in their order: another version may have others */
  readonly columns: readonly string[];
  /** every update; of a long run of the page those that are not stored in parts yet */
  readonly part: SeriesPart;
  /** the updates before, those of all seeds: replica s of S */
  readonly older?: {
    readonly run: string;
    readonly S: number;
    readonly s: number;
    readonly stored: { readonly until: number; readonly sums: readonly number[] };
  };
};

/** A config without its seed: what the members of a group share. Backend and number of seeds do not tell groups apart. */
export const withoutSeed = (config: Config): Config =>
  configWith({ 'run.seed': 0, 'run.seeds': 1, 'run.backend': 'cpu' }, config);

/** Digest of everything but the seed. */
export const groupOf = (config: Config): Promise<string> => configDigest(withoutSeed(config));
