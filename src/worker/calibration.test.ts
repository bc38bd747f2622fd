import { expect, test, vi } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must, ok } from '../core/problem.ts';
import { makeCpuBackend } from '../train/cpu/cpuBackend.ts';
import { createRun, Run } from '../train/run.ts';
import { Calibration } from './calibration.ts';
import { Devices } from './devices.ts';

const small = {
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'run.seeds': 1,
  'task.grid.level': 'corridor',
  'task.grid.n': 4,
  'task.grid.maxSteps': 40,
  'policy.mlp.hidden': [4],
};

async function open(changes: Record<string, unknown> = {}): Promise<Run> {
  return must(await createRun(configWith({ ...small, ...changes })));
}

class OnlyCpu extends Devices {
  made = 0;
  override make: Devices['make'] = () => {
    this.made++;
    return Promise.resolve(ok(makeCpuBackend));
  };
}

test('a size of run is measured once, and the run itself does not move', async () => {
  const devices = new OnlyCpu(1);
  const calibration = new Calibration();
  const run = await open();
  const speed = await calibration.measure(run, devices, () => true);
  expect(speed!.stepsPerSecond).toBeGreaterThan(0);
  // episodes that end early are fewer steps than the cost counts
  expect(speed!.fullStepsPerSecond).toBeGreaterThan(speed!.stepsPerSecond);
  expect(run.update).toBe(0);
  expect(await calibration.measure(await open({ 'run.seed': 9 }), devices, () => true)).toBe(speed);
  expect(devices.made).toBe(1);
  await calibration.measure(await open({ 'rollout.groupSize': 5 }), devices, () => true);
  expect(devices.made).toBe(2);
});

test('a run that starts meanwhile ends the measurement without a number', async () => {
  const devices = new OnlyCpu(1);
  const calibration = new Calibration();
  const run = await open();
  const updates = vi.spyOn(Run.prototype, 'submit');
  let asked = 0;
  let before: number | null = null;
  const isIdle = (): boolean => {
    if (++asked <= 3) return true;
    before ??= updates.mock.calls.length;
    return false;
  };
  expect(await calibration.measure(run, devices, isIdle)).toBeNull();
  const after = updates.mock.calls.length;
  updates.mockRestore();
  expect(before).toBeGreaterThan(0);
  expect(after - before!).toBeLessThanOrEqual(1);
  expect(await calibration.measure(run, devices, () => true)).not.toBeNull();
});
