import { useSyncExternalStore } from 'react';
import type { Snapshot } from '../worker/protocol.ts';
import type { SeriesFrame } from '../worker/protocol.ts';

/** The newest large arrays of the run, outside React: components subscribe and are told when something newer is here. */
class Newest<T> {
  private value: T | null = null;
  private readonly listeners = new Set<() => void>();
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
 * together take at most about 150 ms of the main thread per second.
 */
export const chartSeries = new Newest<SeriesFrame>();
let drawnAt = -Infinity;
let interval = 500;
let waiting = false;

function draw(): void {
  waiting = false;
  if (document.hidden) return;
  const from = performance.now();
  drawnAt = from;
  chartSeries.set(newestSeries.get());
  // React has committed when the next frame starts; what lies between is what the charts cost.
  requestAnimationFrame(() => {
    const cost = performance.now() - from;
    interval = Math.min(2000, Math.max(500, (cost * 1000) / 150));
  });
}

/** New curves have come; `now` draws them at once (pause, end, reset). */
export function takeSeries(series: SeriesFrame, atOnce: boolean): void {
  newestSeries.set(series);
  if (atOnce) return draw();
  if (waiting) return;
  waiting = true;
  setTimeout(draw, Math.max(0, drawnAt + interval - performance.now()));
}

export function clearFrames(): void {
  newestSeries.set(null);
  newestSnapshot.set(null);
  chartSeries.set(null);
}

export const useSnapshot = (): Snapshot | null => useSyncExternalStore(newestSnapshot.subscribe, newestSnapshot.get);
export const useChartSeries = (): SeriesFrame | null => useSyncExternalStore(chartSeries.subscribe, chartSeries.get);
