import { CURVES } from '../../slots/metrics/metrics.ts';

/** Numbers of the curves of one run, and of all runs of a sweep, that a bundle takes; of one run no more are read either. */
export const MOST_NUMBERS = { run: 64_000_000, sweep: 128_000_000 } as const;

/** What to do where curves are too many. */
export const HELP = { run: 'take metrics.csv instead, the export of all curves', sweep: 'select fewer runs' } as const;

/** Why curves of so many rows, one for every update and seed, are too many; null: they are not. No curve need be read for it. */
export function whyTooLong(rows: number, kind: keyof typeof MOST_NUMBERS = 'run'): string | null {
  const [numbers, most] = [rows * CURVES, MOST_NUMBERS[kind]];
  if (numbers <= most) return null;
  return `the curves have ${Math.ceil(numbers / 1e6)} million numbers, and a bundle takes ${most / 1e6} million; ${HELP[kind]}`;
}
