import { useMemo } from 'react';
import { estimateCost } from '../../config/cost.ts';
import type { Config } from '../../config/slots.ts';
import { useDraft } from '../stores/draft.ts';
import type { Speed } from '../../worker/protocol.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';

type Measured = Pick<Speed, 'slowest' | 'fastest' | 'shares' | 'later'>;
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

/** Batches of so many updates, each as a share of its full length: the first as in the trials, the others as at their end. */
function fullBatches({ shares, later }: Measured, updates: number): number {
  const known = shares.slice(0, updates);
  return known.reduce((a, b) => a + b, 0) + (updates - known.length) * later;
}

/**
 * Time of a run at the slowest and fastest speed that was measured: the slowest with all that its rollout may play beside
 * the batches. A pace that holds training back is the shortest, and what makes updates late comes on top of it.
 */
export function secondsOf(config: Config, speed: Measured, pace: number | null): Seconds | null {
  const cost = estimateCost(config, null);
  if (!cost) return null;
  const updates = config.run['updates'] as number;
  const held = pace !== null && pace > 0 ? updates / pace : 0;
  const batches = fullBatches(speed, updates);
  const [low, high] = [(cost.stepsPerUpdate * batches) / speed.fastest, (cost.mostSteps * batches) / speed.slowest];
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
