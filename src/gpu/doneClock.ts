import type { Gpu } from './device.ts';
import { whenDone } from './deviceWait.ts';

/** So long the clock is left alone between two looks at it. */
const ASIDE_MS = 5;

/**
 * What telling that work is done adds to every measurement: asked of a device that has nothing to do.
 *
 *   latency   ms from handing over nothing until it is told
 *   grain     ms between two moments at which anything is told at all, where a browser asks its device on a timer
 */
export class DoneClock {
  latency = 0;
  grain = 0;
  /** never fails: a device that goes away leaves the clock as it is */
  readonly known: Promise<void>;

  constructor(queue: GPUQueue) {
    this.known = this.look(queue).catch(() => undefined);
  }

  /** Latency is the same whenever one asks. On a timer, who asks right after it told waits longest, and others less. */
  private async look(queue: GPUQueue): Promise<void> {
    let told = await whenDone(queue);
    const waits: number[] = [];
    let aside = 0;
    for (const isLate of [false, true, false]) {
      if (isLate) await new Promise((resolve) => setTimeout(resolve, ASIDE_MS));
      const from = isLate ? performance.now() : told;
      if (isLate) aside = from - told;
      told = await whenDone(queue);
      waits.push(told - from);
    }
    const [first, late, again] = waits as [number, number, number];
    const whole = Math.min(first, again);
    const isTimer = whole > ASIDE_MS && whole - late > Math.min(aside, whole) / 2;
    this.grain = isTimer ? whole : 0;
    this.latency = isTimer ? 0 : Math.min(whole, late);
  }
}

const known = new WeakMap<Gpu, DoneClock>();

/** The clock of a device, looked at once, when it has not been given any work yet or very little. */
export function doneClockOf(gpu: Gpu): DoneClock {
  let clock = known.get(gpu);
  if (!clock) known.set(gpu, (clock = new DoneClock(gpu.device.queue)));
  return clock;
}
