import type { Counted } from './count.ts';
import { FIREFOX_TIMER_MS, type ModelDevice } from './devices.ts';
import { NOTHING, type StepWork } from './stepWork.ts';
import { workOf } from './work.ts';

/** Time of one dispatch on a device, in microseconds, and what it is spent on. */
export type Spent = { readonly us: number; readonly on: 'bytes' | 'flops' | 'one invocation' | 'world' | 'launch' };

/** Microseconds of one invocation that reads and computes one thing after the other. */
export const stepUs = (
  { laneReadNs, laneOperationNs }: Pick<ModelDevice, 'laneReadNs' | 'laneOperationNs'>,
  { reads, operations }: StepWork,
): number => (reads * laneReadNs + operations * laneOperationNs) / 1e3;

/** The longest of: memory, arithmetic, and what one invocation does alone; and the launch. */
export function timeOf(device: ModelDevice, dispatch: Counted['dispatches'][number]): Spent {
  const { flops, bytes, laneLoads, laneFlops, steps = NOTHING } = workOf(dispatch);
  const alone = (laneLoads * device.laneLoadNs + laneFlops / device.laneGigaflops) / 1e3;
  const parts = [
    { on: 'bytes', us: bytes / device.gigabytesPerS / 1e3 },
    { on: 'flops', us: flops / (device.teraflops * device.efficiency) / 1e6 },
    { on: steps.operations > 0 ? 'world' : 'one invocation', us: alone + stepUs(device, steps) },
  ] as const;
  const longest = parts.reduce((a, b) => (b.us > a.us ? b : a));
  return { us: device.dispatchUs + longest.us, on: longest.us < device.dispatchUs ? 'launch' : longest.on };
}

/** Milliseconds of one update by the model, as long as updates follow one another. */
export function updateMs(device: ModelDevice, counted: Counted): number {
  const kernels = counted.dispatches.reduce((ms, d) => ms + (d.times * timeOf(device, d).us) / 1e3, 0);
  const submissions = (counted.submissions * device.submitUs) / 1e3;
  // the next update runs while a report is on its way, where two may be in flight
  const waits = (Math.max(0, counted.reads - (counted.depth > 1 ? 1 : 0)) * device.readBackUs) / 1e3;
  return kernels + submissions + waits;
}

/** The same in Firefox, where the end of every update is seen at the next tick of its timer if nothing else wakes it. */
export const firefoxMs = (device: ModelDevice, counted: Counted): number =>
  Math.max(updateMs(device, counted), (FIREFOX_TIMER_MS * counted.reads) / counted.depth);

/** Million steps per second that optimizer steps learn from. */
export const trainedPerS = ({ rows, epochs }: Counted, ms: number): number => (rows * epochs) / ms / 1e3;
