import { expect, test } from 'vitest';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { profileRun, traceOf } from './profile.ts';
import { sampleRun } from '../engine/sampleRun.ts';

test('a profile on the CPU times every slot of a scratch copy and leaves the run where it was', async () => {
  const run = await sampleRun({ 'run.seeds': 1, 'run.backend': 'cpu' });
  await run.submit();
  const before = await run.checkpoint();
  const profile = await profileRun(run.plan, before, makeCpuBackend, null, 3);
  expect(profile).toMatchObject({ backend: 'cpu', clock: 'wall', kernels: [] });
  expect(profile.updates).toBeGreaterThanOrEqual(3);
  // the slots are what an update is made of, but for the turns in between
  const slots = profile.slots.reduce((sum, s) => sum + s.cpuMs, 0);
  expect(slots).toBeLessThanOrEqual(profile.updateMs);
  expect(slots).toBeGreaterThan(0.5 * profile.updateMs);
  expect(profile.slots.map((s) => s.slot)).toEqual(['rollout', 'credit', 'optimize', 'report']);
  expect(profile.slots[0]!.cpuMs).toBeGreaterThan(0);
  expect(profile.slots.every((s) => s.gpuMs === null && s.dispatches === 0)).toBe(true);
  expect(profile.stepsPerSecond).toBeGreaterThan(0);
  expect(profile.memory.map((m) => m.label)).toContain('batch');
  const trace = JSON.parse(traceOf(profile)) as { traceEvents: { ph: string; ts?: number; dur?: number }[] };
  // updates of 4 slots, and the names of the two tracks
  expect(trace.traceEvents.filter((e) => e.ph === 'X' && e.ts! >= 0 && e.dur! >= 0)).toHaveLength(4 * profile.updates);
  expect(trace.traceEvents.filter((e) => e.ph === 'M')).toHaveLength(2);
  expect(await run.checkpoint()).toEqual(before);
});
