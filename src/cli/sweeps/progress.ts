/** Where a cell stands that is being trained: seconds since it began, and the share that is done. */
export type AtWork = { readonly name: string; readonly seconds: number; readonly share: number };

/** Seconds in words that do not pretend to know more. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Seconds that a cell will still take at the pace so far; null while nothing of it is known. */
export const left = ({ seconds, share }: AtWork): number | null => (share > 0 ? (seconds * (1 - share)) / share : null);

/**
 * Seconds until all is over: what the cells at work still need and what waits at the mean pace of those that ended, on
 * all lanes at once. Null before anything is known.
 */
export function timeLeft(finished: readonly number[], working: readonly AtWork[], waiting: number): number | null {
  const rests = working.map(left);
  const known = working.flatMap((cell, k) => (rests[k] === null ? [] : [cell.seconds + rests[k]!]));
  const whole = finished.length > 0 ? finished : known;
  if (whole.length === 0) return null;
  const each = whole.reduce((a, b) => a + b, 0) / whole.length;
  const now = rests.map((rest) => rest ?? each);
  const total = now.reduce((a, b) => a + b, 0) + waiting * each;
  return Math.max(...now, total / Math.max(1, working.length));
}

/** One line on a cell at work: "GiGPO, seed 2: 40 %, 12 s left". */
export function workLine(cell: AtWork): string {
  const rest = left(cell);
  return `${cell.name}: ${Math.floor(cell.share * 100)} %${rest === null ? '' : `, ${duration(rest)} left`}`;
}
