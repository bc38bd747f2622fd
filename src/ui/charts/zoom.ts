import type { Range } from './Plot.tsx';

/** What the bar below a large chart is told: the part that is shown, all there is, and what to do with another part. */
export type Zoom = {
  readonly range: Range;
  readonly whole: Range;
  readonly isByUpdate: boolean;
  readonly set: (range: Range | null) => void;
};

/** Whole steps of the sliders, about 400 from end to end. */
export const stepOf = ([from, to]: Range): number => Math.max(1, Math.round((to - from) / 400));

/** A part that many times as wide around the same middle, pushed inside of the whole; at least two wide. */
export function wider([from, to]: Range, [low, high]: Range, by: number): Range {
  const wide = Math.min(high - low, Math.max(2, (to - from) * by));
  const start = Math.max(low, Math.min(high - wide, (from + to) / 2 - wide / 2));
  return [Math.round(start), Math.round(start + wide)];
}
