/** Updates that a pace is taken from, and the first of a run, which compile and fill caches. */
const PACE = 20;
const WARM_UP = 3;
/** Shorter waits are not worth a line. */
const WORTH_MS = 10_000;

/** Tells once, from the first updates of a run, how long the others will take. */
export class TimeLeft {
  private readonly durations: number[] = [];
  private before: number;
  private finished = 0;

  constructor(now: number) {
    this.before = now;
  }

  /** An update has finished; the sentence, where it is time for it. */
  tick(now: number, remaining: number): string | null {
    this.finished++;
    const duration = now - this.before;
    this.before = now;
    if (this.finished <= WARM_UP || this.durations.length === PACE) return null;
    if (this.durations.push(duration) < PACE) return null;
    const left = remaining * paceOf(this.durations);
    return left < WORTH_MS ? null : `about ${words(left / 1000)} left`;
  }
}

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

/** Whole numbers of at least nine units, so that rounding changes little. */
function words(seconds: number): string {
  if (seconds < 540) return `${Math.round(seconds)} s`;
  if (seconds < 9 * 3600) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
