import { PACE, paceOf, WARM_UP } from '../core/paceOf.ts';

/** Gives waiting messages (pause, stop, acks) a turn without a timer: timers are throttled in hidden tabs. */
export function makeYield(): () => Promise<void> {
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(null);
    });
}

/** Updates that a time is told from at most, and how far apart the pace of earlier ones may be from that of the latest. */
const KEPT = 60;
const APART = 1.2;

/** What three of four updates do not exceed: where evaluations are rarer it is a time without one. */
const usual = (durations: readonly number[]): number =>
  [...durations].sort((a, b) => a - b)[Math.floor((3 * durations.length) / 4)]!;

/** Progress in time: steps per second over the last second, seconds left by the last updates. */
export class Clock {
  private marks: { at: number; envSteps: number }[] = [];
  private durations: number[] = [];
  private startedAt = 0;
  private finished = 0;

  start(now: number): void {
    this.marks = [];
    this.durations = [];
    this.startedAt = now;
    this.finished = 0;
  }

  /** One update has finished. `envSteps` counts all replicas since the start of the run. */
  tick(now: number, envSteps: number): void {
    const before = this.marks.at(-1)?.at ?? this.startedAt;
    this.durations.push(now - before);
    if (this.durations.length > KEPT) this.durations.shift();
    this.marks.push({ at: now, envSteps });
    while (this.marks.length > 2 && this.marks[0]!.at < now - 1000) this.marks.shift();
    this.finished++;
  }

  /** null during warm-up: the first three updates compile and fill caches */
  stepsPerSecond(): number | null {
    const first = this.marks[0];
    const last = this.marks.at(-1);
    if (!first || !last || this.finished < 4 || last.at <= first.at) return null;
    return ((last.envSteps - first.envSteps) * 1000) / (last.at - first.at);
  }

  /**
   * Seconds left: from 23 updates on at the pace of the latest, twice the same number; before by the fastest and by the
   * slowest quarter of them; null before 8 updates and 2 seconds.
   */
  leftBetween(now: number, remaining: number): [low: number, high: number] | null {
    if (this.durations.length < 8 || now - this.startedAt < 2000) return null;
    if (this.finished >= WARM_UP + PACE) {
      const left = (remaining * this.pace()) / 1000;
      return [left, left];
    }
    const sorted = [...this.durations].sort((a, b) => a - b);
    const quarter = Math.floor(sorted.length / 4);
    // a quarter is not one odd update: the ends are its means
    const mean = (part: readonly number[]): number => part.reduce((a, b) => a + b, 0) / part.length;
    const ends = [mean(sorted.slice(0, quarter)), mean(sorted.slice(-quarter))] as const;
    return [(remaining * ends[0]) / 1000, (remaining * ends[1]) / 1000];
  }

  /** Milliseconds of an update. Evaluations are rare, so many updates count, back to where the run went at another pace. */
  private pace(): number {
    let from = this.durations.length - PACE;
    const now = usual(this.durations.slice(from));
    const first = Math.max(0, this.durations.length - (this.finished - WARM_UP));
    while (from > first) {
      const to = from;
      const before = usual(this.durations.slice(Math.max(first, to - PACE), to));
      if (Math.max(before, now) > APART * Math.min(before, now)) break;
      from = Math.max(first, to - PACE);
    }
    return paceOf(this.durations.slice(from));
  }
}

/** A page draws for about a quarter of its time at most: after news it rests this many times as long as that took. */
const REST = 3;
/** What keeps a page busy for longer is something else. */
const LONGEST_MS = 250;

/** Milliseconds that a page is left alone after it was busy for so long with what it was told. */
export const restAfter = (busyMs: number): number => REST * Math.min(busyMs, LONGEST_MS);

/** A call never keeps training waiting for longer than 100 ms, whatever was asked. */
export const workOf = (ms: number): number => Math.max(0, Math.min(100, ms));

type Holding = {
  readonly isOver: () => boolean;
  readonly news: (now: number) => number;
  readonly show: () => Promise<void>;
};

/**
 * Holds training back to a number of updates a second, so that people can watch. It decides when an update begins and nothing
 * else: what is trained stays the same. While it waits the worker hears and answers everything.
 */
export class Pacer {
  private perSecond: number | null = null;
  private nextAt = 0;
  private wake: (() => void) | null = null;

  /** True where nothing is held back. */
  get isFree(): boolean {
    return this.perSecond === null;
  }

  /** `perSecond`: most updates a second, null for as fast as it goes. Counts at once, also in the middle of a wait. */
  set(perSecond: number | null): void {
    const next = perSecond !== null && perSecond > 0 ? perSecond : null;
    if (next === this.perSecond) return;
    this.perSecond = next;
    this.nextAt = 0;
    this.hurry();
  }

  /** An update begins. One that comes late does not make the next ones hurry. */
  begin(now: number): void {
    if (this.perSecond === null) return;
    const interval = 1000 / this.perSecond;
    this.nextAt = (this.nextAt < now - interval ? now : this.nextAt) + interval;
  }

  /** Milliseconds until the next update may begin. */
  left(now: number): number {
    return this.perSecond === null ? 0 : Math.max(0, this.nextAt - now);
  }

  /** Resolves after `ms`, or as soon as someone is in a hurry. */
  rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.hurry(), ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Waits until the next update may begin; meanwhile the page sees the last one as soon as it may, which is in `news`
   * milliseconds.
   */
  async hold({ isOver, news, show }: Holding): Promise<void> {
    for (;;) {
      const now = performance.now();
      const left = this.left(now);
      if (left <= 0 || isOver()) return;
      await this.rest(Math.min(left, news(now)));
      await show();
    }
  }

  /** Ends a wait: a pause, another pace. */
  hurry(): void {
    const { wake } = this;
    this.wake = null;
    wake?.();
  }
}
