import type { Profile, ProfiledSlot } from '../../worker/protocol.ts';
import { bytes, percent, short, value } from '../format.ts';

/** Slots in the words of the page. */
export const SLOT_TITLES: Readonly<Record<ProfiledSlot, string>> = {
  rollout: 'Rollout',
  credit: 'Credit',
  optimize: 'Objective and optimizer',
  report: 'Report',
};

/** Milliseconds that count for a slot: kernels on WebGPU, the worker's own time on the CPU path. */
export const slotMs = (profile: Profile, k: number): number => profile.slots[k]!.gpuMs ?? profile.slots[k]!.cpuMs;

export const totalMs = (profile: Profile): number => profile.slots.reduce((sum, _, k) => sum + slotMs(profile, k), 0);

export function headline(profile: Profile): string {
  const { updateMs, stepsPerSecond, device, runDevice } = profile;
  const speed = `${short(stepsPerSecond)} environment steps per second`;
  if (device === runDevice) return `One update takes ${value(updateMs)} ms on ${device}: ${speed}.`;
  return `One update takes ${value(updateMs)} ms on one core: ${speed}. The run itself is trained by ${runDevice}.`;
}

/** Where the numbers come from, and what they leave out. */
export function provenance({ clock, stampUs, updates }: Profile): string {
  const of = `Means of ${updates} updates of a scratch copy; the run did not change.`;
  if (clock === 'wall') return `${of} Times are those of the worker’s clock.`;
  if (clock === 'timestamps')
    return `${of} Kernel times come from the device’s own timestamps, each kernel in a separate pass: their sum is larger than the time of a whole update.`;
  const why =
    stampUs === null
      ? 'This device gives no timestamps'
      : `This browser rounds the device’s timestamps to ${stampUs} µs, longer than most kernels take`;
  return `${of} ${why}: kernel times are estimates, each kernel repeated and timed from outside.`;
}

/** The costliest slot and kernel in one sentence. */
export function costliest(profile: Profile): string {
  const total = totalMs(profile);
  const k = profile.slots.reduce((best, _, j) => (slotMs(profile, j) > slotMs(profile, best) ? j : best), 0);
  const slot = `${SLOT_TITLES[profile.slots[k]!.slot]} takes ${percent(slotMs(profile, k) / total)} of the time`;
  const kernel = profile.kernels[0];
  if (!kernel) return `${slot}.`;
  return `${slot}; the costliest kernel is ${kernel.kernel} with ${percent(kernel.ms / total)}.`;
}

export function traffic(profile: Profile): string {
  const dispatches = profile.slots.reduce((sum, s) => sum + s.dispatches, 0);
  const held = profile.memory.reduce((sum, m) => sum + m.bytes, 0);
  if (dispatches === 0) return `${bytes(held)} are held.`;
  const bound = profile.slots.reduce((sum, s) => sum + s.bytes, 0);
  return `${short(dispatches)} dispatches per update, with ${bytes(bound)} bound; ${bytes(held)} are held on the device.`;
}
