import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import type { Gpu } from '../gpu/device.ts';
import { rollouts } from '../slots/registry.ts';
import { gpuBackendOn } from './gpu/gpuBackend.ts';
import { makePlan } from './plan.ts';
import { initialState } from './state.ts';
import { trainsOnCpu } from './trainsOnCpu.ts';

const planWith = (method: string, backend: string) =>
  must(makePlan(configWith({ 'rollout.method': method, 'run.backend': backend })));

test.each(rollouts.filter(({ memory }) => memory).map(({ id }) => id))(
  '%s with its memory trains on the CPU wherever it is asked for, and a device refuses it rather than train without',
  async (id) => {
    for (const backend of ['auto', 'webgpu']) {
      const plan = planWith(id, backend);
      expect(trainsOnCpu(plan)).toBe(true);
      // a stand-in that has nothing: it is refused before anything is asked of it
      await expect(gpuBackendOn({} as Gpu)(plan, initialState(plan))).rejects.toThrow('no WebGPU form');
    }
  },
);

test('plain sampling is for both', () => {
  expect(trainsOnCpu(planWith('sampled', 'auto'))).toBe(false);
});
