/** Time as the page has it; tests bring their own. */
export type Time = { now(): number; every(ms: number, act: () => void): () => void };

const PERIOD_MS = 1000;
/** A worker from which nothing was heard for so long is given up (spec product §4). */
export const SILENT_MS = 10_000;
/** Making the levels of a task is one piece of work, which may search for long. */
export const LOADING_MS = 60_000;

const pageTime: Time = {
  now: () => performance.now(),
  every: (ms, act) => {
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  },
};

type Watched = {
  ping(): void;
  silent(): void;
  /** how long it may be silent now */
  patienceMs(): number;
};

/**
 * Listens whether a worker lives. Silence is counted by the page's own clock while that runs: a tick that comes late
 * (a hidden tab, a suspended laptop, a page that was busy itself) tells nothing about the worker and counts for nothing.
 * It begins with the first sign, as a worker may take long to be fetched.
 */
export class Heartbeat {
  private readonly watched: Watched;
  private readonly time: Time;
  private end: (() => void) | null = null;
  private silence = 0;
  private tickAt = 0;
  private isAsked = false;

  constructor(watched: Watched, time: Time = pageTime) {
    this.watched = watched;
    this.time = time;
  }

  /** Something has come from the worker; `isAnswer`: to a ping. */
  hear(isAnswer: boolean): void {
    this.silence = 0;
    if (isAnswer) this.isAsked = false;
    if (this.end) return;
    this.tickAt = this.time.now();
    this.end = this.time.every(PERIOD_MS, () => this.tick());
  }

  stop(): void {
    this.end?.();
    this.end = () => undefined;
  }

  private tick(): void {
    const now = this.time.now();
    const passed = now - this.tickAt;
    this.tickAt = now;
    if (this.isAsked && passed < 2 * PERIOD_MS) this.silence += passed;
    if (this.silence >= this.watched.patienceMs()) {
      this.stop();
      this.watched.silent();
      return;
    }
    if (this.isAsked) return;
    this.isAsked = true;
    this.watched.ping();
  }
}
