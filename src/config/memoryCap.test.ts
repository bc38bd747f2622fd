import { afterEach, expect, test, vi } from 'vitest';
import { capIssues } from './caps.ts';
import { bytesAllowed, machineHas } from './memoryCap.ts';
import { memoryOf } from './memory.ts';
import { configWith, setValue } from './schema.ts';

const GIB = 2 ** 30;

afterEach(() => {
  vi.unstubAllGlobals();
  machineHas(0);
});

test('one run may take a quarter of what a machine has, within bounds, and 512 MiB where it says nothing', () => {
  expect(bytesAllowed()).toBe(GIB / 2);
  for (const [deviceMemory, gib] of [
    [0.5, 0.5],
    [2, 0.5],
    [8, 2],
    [32, 4],
  ] as const) {
    machineHas(0);
    vi.stubGlobal('navigator', { deviceMemory });
    expect(bytesAllowed(), 'a browser').toBe(gib * GIB);
    vi.unstubAllGlobals();
    machineHas(deviceMemory * GIB);
    expect(bytesAllowed(), 'any other machine').toBe(gib * GIB);
  }
});

test('65,536 environments of 16 steps are refused with the largest number of tasks that fits, and fit where there is more', () => {
  const size = { 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64, 'task.grid.maxSteps': 16, 'run.seeds': 1 };
  const config = configWith({ ...size, 'policy.mlp.hidden': [16], 'run.backend': 'cpu' });
  const [issue] = capIssues(config);
  expect(issue!.message).toMatch(/^makes the run take \d+ MiB of memory; at most 512 MiB are given to one$/);
  const [{ path, value }] = issue!.repair!.set as [{ path: string; value: number }];
  expect(path).toBe('rollout.tasksPerBatch');
  const taken = (tasks: number): number => memoryOf(setValue(config, path, tasks))!.most.cpu;
  expect(taken(value)).toBeLessThanOrEqual(GIB / 2);
  expect(taken(value + 1)).toBeGreaterThan(GIB / 2);
  machineHas(8 * GIB);
  expect(capIssues(setValue(config, 'run.seed', 2))).toEqual([]);
});
