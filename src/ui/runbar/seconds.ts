import { useMemo } from 'react';
import { estimateCost } from '../../config/cost.ts';
import type { Config } from '../../config/slots.ts';
import { useWholeConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';

/** Shortest and longest time in seconds. */
export type Seconds = readonly [low: number, high: number];

const UNITS = [
  { seconds: 1, name: 's', until: 90 },
  { seconds: 60, name: 'min', until: 90 * 60 },
  { seconds: 3600, name: 'hours', until: 36 * 3600 },
  { seconds: 86_400, name: 'days', until: Infinity },
] as const;

/** "3–5 s", "1–2 min"; "about 4 s" where both ends are the same in round numbers, which never claim too little room. */
export function between(low: number, high: number): string {
  const { seconds, name } = UNITS.find(({ until }) => high < until)!;
  const [from, to] = [Math.max(high < 2 * seconds ? 1 : 0, Math.floor(low / seconds)), Math.ceil(high / seconds)];
  return high - low < seconds / 2
    ? `about ${Math.max(1, Math.round((low + high) / 2 / seconds))} ${name}`
    : from === 0
      ? `up to ${to} ${name}`
      : `${from}–${to} ${name}`;
}

/** Time of a run at the slowest and fastest speed that was measured; a pace that holds training back is the shortest. */
export function secondsOf(
  config: Config,
  speeds: readonly [slow: number, fast: number],
  pace: number | null,
): Seconds | null {
  const cost = estimateCost(config, null);
  if (!cost) return null;
  const updates = config.run['updates'] as number;
  const held = pace !== null && pace > 0 ? updates / pace : 0;
  const [low, high] = [speeds[1], speeds[0]].map((rate) => Math.max(held, (cost.stepsPerUpdate * updates) / rate));
  return [low!, high!];
}

/** Runs of equal sizes take about equally long. */
export function isSameSize(one: Config, other: Config): boolean {
  const [a, b] = [one, other].map((config) => {
    const cost = estimateCost(config, null);
    return `${config.task.method} ${cost?.parameters} ${cost?.bytes} ${cost?.stepsPerUpdate}`;
  });
  return a === b;
}

/** Time that the draft will take on this device; null until a run of its size has been measured. */
export function useSecondsOfDraft(): Seconds | null {
  const config = useDraft((d) => d.config);
  const loaded = useWholeConfig();
  const speed = useRun((r) => r.calibrated);
  const pace = useView((v) => v.pace);
  return useMemo(
    () =>
      loaded && speed && isSameSize(loaded, config) ? secondsOf(config, [speed.slowest, speed.fastest], pace) : null,
    [config, loaded, speed, pace],
  );
}
