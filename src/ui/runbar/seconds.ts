import { useMemo } from 'react';
import { REGULAR, TOLD_MS, WRITTEN_MS, WRITTEN_SHARE } from '../../contract/kept.ts';
import { MOST_HZ, TRAINED } from '../../contract/looks.ts';
import { estimateCost } from '../../config/cost.ts';
import type { Config } from '../../config/slots.ts';
import { useDraft } from '../stores/draft.ts';
import type { Beside, Speed } from '../../worker/protocol.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';

type Measured = Pick<Speed, 'slowest' | 'fastest' | 'shares' | 'later' | 'falling' | 'beside'>;
/** Shortest and longest time in seconds. */
export type Seconds = readonly [low: number, high: number];

const UNITS = [
  { seconds: 1, name: 's', until: 90 },
  { seconds: 60, name: 'min', until: 90 * 60 },
  { seconds: 3600, name: 'hours', until: 36 * 3600 },
  { seconds: 86_400, name: 'days', until: Infinity },
] as const;

/** "3–5 s", "1–2 min", "up to 1 s": round numbers around both ends, never a single one that would claim to be exact. */
export function between(low: number, high: number): string {
  const { seconds, name } = UNITS.find(({ until }) => high < until)!;
  const from = Math.floor(low / seconds);
  const to = Math.max(from + 1, Math.ceil(high / seconds));
  if (from > 0) return `${from}–${to} ${name}`;
  return `up to ${to} ${name}`;
}

/** Nobody knows where an agent stops to become quicker: at a quarter of what it takes, if not before. */
const QUICKEST = 1 / 4;

/**
 * Batches of so many updates, each as a share of its full length: the first as in the trials, the others as at their end, or shorter
 * from one to the next.
 */
function fullBatches({ shares, later }: Measured, updates: number, falling = 0): number {
  const known = shares.slice(0, updates);
  const rest = updates - known.length;
  const least = QUICKEST * later;
  const falls = falling > 0 ? Math.min(rest, Math.floor((later - least) / falling)) : rest;
  const after = falls * later - (falling * falls * (falls + 1)) / 2 + (rest - falls) * least;
  return known.reduce((a, b) => a + b, 0) + after;
}

/** Copies of its state that a run makes: every so many updates, after 1, 2, 4, …, and before evaluations. */
function copiesOf({ analysis }: Config, updates: number): number {
  const every = analysis['evalEvery'] as number;
  return updates / REGULAR + Math.log2(updates + 1) + (every > 0 ? updates / every : 0);
}

/**
 * Seconds of a run that takes so many besides them, with what the page and the storage are given of its copies: each of them, or
 * as many as pass while it trains and writes, and the last one in any case.
 */
function withKeeping(seconds: number, copies: number, { told, written }: Beside): number {
  const pause = Math.max(WRITTEN_MS / 1000, WRITTEN_SHARE * written);
  const most = seconds + copies * (told + written);
  const share = told / (TOLD_MS / 1000) + written / pause;
  return share < 1 ? Math.min(most, (seconds + 2 * (told + written)) / (1 - share)) : most;
}

/**
 * Seconds of what a run does besides its updates, once or now and then: it is prepared, shows its first and its last batch, copies its
 * state, and evaluates before the first update and the last one, while its speed has a share of an evaluation for each.
 */
function besideOf(config: Config, updates: number, beside: Beside): number {
  const every = config.analysis['evalEvery'] as number;
  const isLastMore = (updates - 1) % every !== 0;
  const evaluations = every > 0 ? Math.ceil(updates / every) + Number(isLastMore) - updates / every : 0;
  const { preparing, evaluation, snapshot, checkpoint } = beside;
  return preparing + 2 * snapshot + evaluations * evaluation + copiesOf(config, updates) * checkpoint;
}

/**
 * Time of a run at the slowest and fastest speed that was measured: the slowest with all that its rollout may play beside
 * the batches, the fastest with episodes that go on to become shorter. A pace that holds training back is the shortest, and what makes updates late comes on top of it.
 */
export function secondsOf(config: Config, speed: Measured, pace: number | null): Seconds | null {
  const cost = estimateCost(config, null);
  if (!cost) return null;
  const updates = config.run['updates'] as number;
  const held = pace !== null && pace > 0 ? updates / pace : 0;
  const shown = 1 + Math.min(1 / TRAINED, MOST_HZ * speed.beside.snapshot);
  const beside = besideOf(config, updates, speed.beside);
  const kept = (training: number): number =>
    withKeeping(shown * training + beside, copiesOf(config, updates), speed.beside);
  const high = kept((cost.mostSteps * fullBatches(speed, updates)) / speed.slowest);
  // nobody knows how fast it becomes
  const batches = fullBatches(speed, updates, speed.falling);
  const low = speed.fastest === Infinity ? 0 : kept((cost.stepsPerUpdate * batches) / speed.fastest);
  const least = Math.max(held, low);
  return [least, least + high - low];
}

/** Runs of equal sizes take about equally long. */
export function isSameSize(one: Config, other: Config): boolean {
  const [a, b] = [one, other].map((config) => {
    const cost = estimateCost(config, null);
    return `${config.task.method} ${cost?.parameters} ${cost?.bytes} ${cost?.mostSteps}`;
  });
  return a === b;
}

/** Time that the draft will take on this device; null until a run of its size has been measured. */
export function useSecondsOfDraft(): Seconds | null {
  const config = useDraft((d) => d.config);
  const speed = useRun((r) => r.calibrated);
  const pace = useView((v) => v.pace);
  return useMemo(
    () => (speed && isSameSize(speed.of, config) ? secondsOf(config, speed, pace) : null),
    [config, speed, pace],
  );
}
