import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import type { BatchSeen } from '../../slots/metrics/types.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

/** Credit and reward of the last steps. */
function lastSteps({ batch: { B, T, length, reward }, A }: BatchSeen): number {
  let sum = 0;
  for (let i = 0; i < B; i++) sum += A[i * T + length[i]! - 1]! + reward[i * T + length[i]! - 1]!;
  return sum;
}

test('a metric without a WebGPU form is computed after a read-back, and the run waits for it', async () => {
  const { plan } = await openSmall({ 'revise.softerBlame.on': true });
  // it is written where a run without a queue has a gap
  const probe = { id: 'simTime', of: lastSteps, reads: ['length', 'reward'] } as const;
  const onGpu = await Run.create({ ...plan, metricsReadBack: [probe] }, gpuBackendOn(gpu));
  expect(onGpu.backend.depth).toBe(1);
  await trainAlike(onGpu, await openSmall({ 'revise.softerBlame.on': true }), 2, ['creditRms', 'success']);
  const { A, batch } = await onGpu.backend.view(1);
  const seen = { A, batch } as BatchSeen;
  expect(onGpu.series.at(1, 1, metricIndex.simTime)).toBeCloseTo(lastSteps(seen), 4);
  onGpu.dispose();
});
