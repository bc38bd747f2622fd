import { PACE, paceOf, timeWords, WARM_UP } from '../core/paceOf.ts';

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
    return left < WORTH_MS ? null : `about ${timeWords(left / 1000)} left`;
  }
}
