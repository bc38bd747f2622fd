import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';
import { placed } from '../../slots/fixtures/modules/placed.ts';
import { makeCpuBackend } from '../cpu/cpuBackend.ts';
import { Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const CASES: readonly (readonly [name: string, changes: Record<string, unknown>, isFused: boolean])[] = [
  ['many steps at once', {}, true],
  ['step by step', {}, false],
  ['with a delayed world', { 'task.actionDelay': 1 }, true],
  ['behind a gate that tells the step limit, too', { 'task.externalChain.on': true }, true],
  ['in phases that fork', { 'rollout.method': 'arpo', 'rollout.arpo.starts': 3, 'rollout.arpo.alpha': 0.5 }, true],
  ['with greedy episodes beside them', { 'advantage.method': 'remax' }, true],
];

test.each(CASES)('WebGPU: episodes begin in saved states as on the CPU: %s', async (_name, changes, isFused) => {
  const { whole } = await openSmall({
    'task.grid.level': 'fourRooms',
    'task.grid.maxSteps': 12,
    'task.levels': 4,
    ...changes,
  });
  const plan = { ...whole, source: placed, sourceParams: { moves: 3 } };
  const run = await Run.create(plan, gpuBackendOn(gpu, isFused));
  const cpu = await Run.create(plan, makeCpuBackend);
  await trainAlike(run, cpu, 2, ['success', 'evalSuccess', 'lengthMean', 'returnMean', 'gradNorm']);
  for (const s of [0, 1]) {
    const [got, want] = [await run.backend.view(s), await cpu.backend.view(s)];
    expect([...got.limits]).toEqual([...want.limits]);
    const { T, env } = plan;
    for (let i = 0; i < plan.B; i++) {
      const n = (want.batch.length[i]! + 1) * env.words;
      const at = i * (T + 1) * env.words;
      expect([...got.state.subarray(at, at + n)]).toEqual([...want.state.subarray(at, at + n)]);
    }
    const clocks = Array.from({ length: plan.B }, (_, i) => want.state[(i * (T + 1) + 1) * env.words - 1]! & 0xffff);
    expect(new Set(clocks)).toEqual(new Set([0, 3]));
  }
  run.dispose();
});
