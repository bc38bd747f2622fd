/** Columns beside the stage that a person can make wider or narrower. */
export type Column = 'setup' | 'charts';

/** Least width of a column in CSS pixels, and the share of the window that it may take. */
export const LEAST = 240;
const MOST_SHARE = 0.5;
const STEP = 24;

export const mostWidth = (windowWidth: number): number => Math.max(LEAST, Math.floor(windowWidth * MOST_SHARE));

/** A width within its bounds, in whole pixels. */
export const fitWidth = (width: number, windowWidth: number): number =>
  Math.round(Math.max(LEAST, Math.min(mostWidth(windowWidth), width)));

/**
 * Width after a key on the bar beside a column: arrows move the bar, so that the column on its left grows to the right.
 * null: the width of the style sheet again; undefined: the key means nothing here.
 */
export function widthAfter(key: string, width: number, column: Column, windowWidth: number): number | null | undefined {
  const grows = column === 'setup' ? 1 : -1;
  const to = {
    ArrowRight: width + grows * STEP,
    ArrowLeft: width - grows * STEP,
    Home: LEAST,
    End: mostWidth(windowWidth),
  }[key];
  if (to !== undefined) return fitWidth(to, windowWidth);
  return key === 'Enter' ? null : undefined;
}
