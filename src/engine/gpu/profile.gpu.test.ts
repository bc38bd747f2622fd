import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { Profiler } from '../../gpu/profiler.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { profileRun, traceOf } from '../../lab/profile.ts';
import { createRun, type Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const small = configWith({
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'run.seeds': 2,
  'task.grid.maxSteps': 12,
  'policy.mlp.hidden': [8],
});

const gpu = await testDevice();

const open = async (): Promise<Run> => must(await createRun(small, gpuBackendOn(gpu)));

test('every dispatch of an update is named and timed, and nothing is left behind', async () => {
  const run = await open();
  // the run keeps the buffer through which it comes back
  const saved = await run.checkpoint();
  const held = [...gpu.bytes.values()].reduce((a, b) => a + b, 0);
  const profile = await profileRun(run.plan, saved, gpuBackendOn(gpu), gpu, 2);
  expect(gpu.profiler).toBeNull();
  expect([...gpu.bytes.values()].reduce((a, b) => a + b, 0)).toBe(held);
  expect(['timestamps', 'repeats']).toContain(profile.clock);
  for (const slot of profile.slots.slice(0, 3)) {
    expect(slot.dispatches).toBeGreaterThan(0);
    expect(slot.bytes).toBeGreaterThan(0);
    expect(slot.gpuMs).toBeGreaterThanOrEqual(0);
  }
  const bars = profile.bars.filter((bar) => bar.track === 'gpu');
  expect(bars).toHaveLength(2 * profile.slots.reduce((n, s) => n + s.dispatches, 0));
  expect(bars.every((bar) => bar.us >= 0 && bar.name !== '')).toBe(true);
  const kernels = profile.kernels.reduce((sum, k) => sum + k.ms, 0);
  expect(kernels).toBeCloseTo(
    profile.slots.reduce((sum, s) => sum + s.gpuMs!, 0),
    6,
  );
  expect(kernels).toBeGreaterThan(0);
  expect(profile.memory.some((m) => m.label === 'weights' && m.bytes > 0)).toBe(true);
  expect(() => JSON.parse(traceOf(profile)) as unknown).not.toThrow();
  run.dispose();
});

test('without timestamps every dispatch is repeated and its time estimated', async () => {
  const run = await open();
  const profiler = new Profiler(gpu, 'repeats');
  gpu.profiler = profiler;
  await run.submit();
  gpu.profiler = null;
  await profiler.finish();
  expect(profiler.timed.length).toBeGreaterThan(0);
  expect(profiler.timed.every((t) => t.startUs === null && t.us! >= 0)).toBe(true);
  expect(profiler.timed.some((t) => t.us! > 0)).toBe(true);
  run.dispose();
});

test('with the profiler in between, the numbers are those of a run without it, bit for bit', async () => {
  const run = await open();
  for (let u = 0; u < 3; u++) await run.submit();
  const plain = await run.checkpoint();
  run.dispose();
  const again = await open();
  const profiler = new Profiler(gpu);
  gpu.profiler = profiler;
  for (let u = 0; u < 3; u++) await again.submit();
  expect(await again.checkpoint()).toEqual(plain);
  gpu.profiler = null;
  await profiler.finish();
  expect(profiler.timed.every((t) => t.us !== null)).toBe(true);
  again.dispose();
});
