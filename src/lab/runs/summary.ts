import { checkpointsOf, EXACT, type Expect, type Summary } from '../../config/expect.ts';
import { toBase64url } from '../../config/base64url.ts';
import { getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { TrainedOn } from '../../core/trainedOn.ts';
import { LAB_VERSION } from '../../core/version.ts';
import type { SeriesPart } from '../../engine/series.ts';
import { CURVES, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';

/** Every number of every update of some seeds, from the first update on. */
export type Curves = { readonly S: number; readonly part: SeriesPart };

/** Episodes of a batch of one seed, and of an evaluation. */
export const episodesOf = (config: Config): number =>
  (getValue(config, 'rollout.tasksPerBatch') as number) * (getValue(config, 'rollout.groupSize') as number);

export const seedCountOf = (config: Config): number => getValue(config, 'run.seeds') as number;

/** The numbers of S seeds after so many updates, wherever they are; u is counted from 0. */
export type Numbers = {
  readonly S: number;
  readonly updates: number;
  at(u: number, s: number, id: MetricId): number;
};

export const numbersOf = ({ S, part }: Curves): Numbers => ({
  ...{ S, updates: part.steps.length },
  at: (u, s, id) => part.values[(u * S + s) * CURVES + metricIndex[id]]!,
});

/** The metrics that a summary is made of. */
export const OF_SUMMARY = ['success', 'entropy', 'ess', 'evalSuccess'] as const satisfies readonly MetricId[];
type OfSummary = (typeof OF_SUMMARY)[number];

const threeDigits = (x: number): number | null => (Number.isFinite(x) ? Number(x.toPrecision(3)) : null);

/**
 * The summary of a run after `updates` updates: Σ over the seeds of success × episodes at the checkpoints and in the last
 * evaluation, means over the seeds of entropy and ESS of the last update, to three digits.
 * @param episodes of a batch of one seed
 * @param seeds places of the seeds that count; all where it is left out
 */
export const summaryOf = (curves: Curves, episodes: number, updates?: number, seeds?: readonly number[]): Summary =>
  summaryBy(numbersOf(curves), episodes, updates, seeds);

export function summaryBy(
  numbers: Numbers,
  episodes: number,
  updates = numbers.updates,
  seeds: readonly number[] = Array.from({ length: numbers.S }, (_, s) => s),
): Summary {
  const at = (u: number, s: number, id: OfSummary): number => numbers.at(u, s, id);
  const over = (u: number, id: OfSummary): number => seeds.reduce((sum, s) => sum + at(u, s, id), 0);
  const count = (u: number, id: OfSummary): number =>
    seeds.reduce((sum, s) => sum + Math.round(at(u, s, id) * episodes), 0);
  let last = updates - 1;
  while (last >= 0 && Number.isNaN(over(last, 'evalSuccess'))) last--;
  const ofLast = (id: 'entropy' | 'ess'): number | null => threeDigits(over(updates - 1, id) / seeds.length);
  return {
    updates,
    successes: checkpointsOf(updates).map((update) => count(update - 1, 'success')),
    entropy: ofLast('entropy'),
    ess: ofLast('ess'),
    evaluated: last < 0 ? null : count(last, 'evalSuccess'),
  };
}

/** The beginning of a digest in hex, as a link carries it. */
export function shortExact(hex: string): string {
  const bytes = Uint8Array.from({ length: (EXACT * 3) / 4 }, (_, k) => parseInt(hex.slice(2 * k, 2 * k + 2), 16));
  return toBase64url(bytes);
}

/** What a run came to: of the page, of the command line, or of a bundle. */
export type Result = {
  readonly config: Config;
  readonly curves: Curves;
  /** hex digest of all seeds after the last update of the curves */
  readonly digest: string;
  readonly backend: TrainedOn;
  readonly version?: string;
};

/** The same without its curves. */
export type Named = Omit<Result, 'curves'>;

/** The result as a link carries it. */
export const expectOf = ({ curves, ...named }: Result): Expect => expectBy(named, numbersOf(curves));

export const expectBy = ({ config, digest, backend, version = LAB_VERSION }: Named, numbers: Numbers): Expect => ({
  ...{ backend, version, exact: shortExact(digest), summary: summaryBy(numbers, episodesOf(config)) },
});
