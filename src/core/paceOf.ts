/** Updates that a pace is taken from, and the first of a run, which compile and fill caches. */
export const PACE = 20;
export const WARM_UP = 3;

/**
 * Milliseconds of an update: the mean, as evaluations between the updates count too. One that took more than twice as long
 * as any other was a disturbance and is left out.
 */
export function paceOf(durations: readonly number[]): number {
  const sorted = [...durations].sort((a, b) => a - b);
  const [second = 0, largest = 0] = sorted.slice(-2);
  const steady = largest > 2 * second ? sorted.slice(0, -1) : sorted;
  return steady.reduce((sum, ms) => sum + ms, 0) / steady.length;
}

/** Whole numbers, of at least nine units where there are nine seconds, so that rounding changes little. */
export function timeWords(seconds: number): string {
  if (seconds < 540) return `${Math.round(seconds)} s`;
  if (seconds < 9 * 3600) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
