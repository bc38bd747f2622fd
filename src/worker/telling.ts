import { restAfter } from './pace.ts';
import type { Told } from './protocol.ts';

/**
 * Tells a page how far something is: at most so often, one thing at a time, and less often to a page that takes long to draw
 * it. Without this a page slower than what it is told has no time left for a click, until all is over.
 */
export class Telling<T extends readonly unknown[]> {
  private readonly tell: Told<T>;
  private readonly everyMs: number;
  private readonly now: () => number;
  private isDrawing = false;
  private nextAt = -Infinity;

  /** `now`: milliseconds on the clock of the other methods */
  constructor(tell: Told<T>, everyMs: number, now = () => performance.now()) {
    this.tell = tell;
    this.everyMs = everyMs;
    this.now = now;
  }

  isDue(now: number): boolean {
    return !this.isDrawing && now >= this.nextAt;
  }

  /** News that is due. */
  say(now: number, ...news: T): void {
    this.nextAt = now + this.everyMs;
    const drawn = this.tell(...news);
    if (!drawn) return;
    this.isDrawing = true;
    void drawn.then((busyMs) => {
      this.isDrawing = false;
      this.nextAt = Math.max(this.nextAt, this.now() + restAfter(busyMs));
    });
  }
}
