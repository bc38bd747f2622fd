import { isEmbed } from '../isEmbed.ts';
import type { View } from './view.ts';

/** What a browser remembers of how its person likes to look at runs. Nothing of it changes a result. */
export type Looks = Pick<View, 'pace' | 'isCreditOpen' | 'setupWidth' | 'chartsWidth'>;

const KEY = 'horizon-lab.looks';

/** Updates a second: slow enough to follow each, and such that the 200 updates of a first visit take about 15 s. */
export const SLOW = 4;
export const NORMAL = 13;

/** Seconds that a run takes at the normal pace, if it is no longer than the one of a first visit. */
const WATCHED_S = 15;

/** Most updates a second at a pace, for a run of this length: at the normal one a short run takes its time, too. */
export function perSecondOf(pace: number | null, updates: number): number | null {
  return pace === NORMAL ? Math.max(SLOW, Math.min(NORMAL, updates / WATCHED_S)) : pace;
}

const FIRST_VISIT: Looks = { pace: NORMAL, isCreditOpen: false, setupWidth: null, chartsWidth: null };

const isSize = (x: unknown): boolean => x === null || (typeof x === 'number' && x >= 0 && x < 10_000);

/** What is kept, as far as it makes sense; the rest is that of a first visit. */
export function looksFrom(text: string | null): Looks {
  let kept: Record<string, unknown>;
  try {
    kept = Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
  } catch {
    return FIRST_VISIT;
  }
  const fits = (name: string): boolean =>
    Object.hasOwn(kept, name) && (name === 'isCreditOpen' ? typeof kept[name] === 'boolean' : isSize(kept[name]));
  return Object.fromEntries(
    Object.entries(FIRST_VISIT).map(([name, first]) => [name, fits(name) ? kept[name] : first]),
  ) as Looks;
}

export function keptLooks(): Looks {
  if (isEmbed) return FIRST_VISIT;
  try {
    return looksFrom(localStorage.getItem(KEY));
  } catch {
    return FIRST_VISIT;
  }
}

export function keepLooks({ pace, isCreditOpen, setupWidth, chartsWidth }: Looks): void {
  if (isEmbed) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ pace, isCreditOpen, setupWidth, chartsWidth }));
  } catch {
    // without storage every visit begins like the first one
  }
}
