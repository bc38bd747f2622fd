import { useSyncExternalStore } from 'react';
import type { SeriesFrame, Snapshot } from '../worker/protocol.ts';

/** The newest large arrays of the run, outside React: components subscribe and are told when something newer is here. */
class Newest<T> {
  protected value: T | null = null;
  protected readonly listeners = new Set<() => void>();
  readonly get = (): T | null => this.value;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  set(value: T | null): void {
    this.value = value;
    for (const listener of this.listeners) listener();
  }
}

export const newestSeries = new Newest<SeriesFrame>();
export const newestSnapshot = new Newest<Snapshot>();

/**
 * Charts are drawn from here: at most twice a second, less often when drawing has proved slow, so that all charts
 * together take at most about 150 ms of the main thread per second. Each chart is drawn in its own task, so that
 * input never waits for more than one of them.
 */
class Staggered extends Newest<SeriesFrame> {
  private turn = 0;
  /** who has not been told yet */
  private late: (() => void)[] = [];
  private interval = 500;
  private drawnAt = -Infinity;

  /** milliseconds until the next drawing is due */
  get due(): number {
    return Math.max(0, this.drawnAt + this.interval - performance.now());
  }

  override set(value: SeriesFrame | null): void {
    this.value = value;
    this.drawnAt = performance.now();
    const turn = ++this.turn;
    // whoever the last drawing did not come to is told first, or the last charts would never be drawn on a busy machine
    this.late = [...new Set([...this.late, ...this.listeners])].filter((l) => this.listeners.has(l));
    let cost = 0;
    const next = (): void => {
      // a newer drawing has taken over: it tells everybody again
      if (turn !== this.turn) return;
      const listener = this.late.shift();
      if (!listener) return;
      const from = performance.now();
      listener();
      // React renders in a microtask that the listener has queued; this one runs after it
      queueMicrotask(() => {
        cost += performance.now() - from;
        this.interval = Math.min(2000, Math.max(500, (cost * 1000) / 150));
        setTimeout(next);
      });
    };
    next();
  }
}

const chartSeries = new Staggered();
let waiting = false;

function draw(): void {
  waiting = false;
  if (!document.hidden) chartSeries.set(newestSeries.get());
}

/** New curves have come; `now` draws them at once (pause, end, reset). */
export function takeSeries(series: SeriesFrame, atOnce: boolean): void {
  newestSeries.set(series);
  if (atOnce) return draw();
  if (waiting) return;
  waiting = true;
  setTimeout(draw, chartSeries.due);
}

export function clearFrames(): void {
  newestSeries.set(null);
  newestSnapshot.set(null);
  chartSeries.set(null);
}

export const useChartSeries = (): SeriesFrame | null => useSyncExternalStore(chartSeries.subscribe, chartSeries.get);
