import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { openGpu } from '../../gpu/device.ts';
import { METRICS, metrics } from '../../methods/analysis/metrics.ts';
import { createRun } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

test('first', async () => {
  const gpu = await openGpu();
  if (!gpu.ok) throw new Error(JSON.stringify(gpu.problem));
  gpu.value.device.addEventListener('uncapturederror', (e) => console.log('GPUERR', (e as GPUUncapturedErrorEvent).error.message));
  const config = configWith({ 'run.updates': 3 });
  const g = await createRun(config, gpuBackendOn(gpu.value));
  const c = await createRun(config);
  if (!g.ok || !c.ok) throw new Error('x');
  for (let u = 0; u < 3; u++) {
    const a = await g.value.submit();
    const b = await c.value.submit();
    console.log(u, [...a.hash], [...b.hash], [...a.bad]);
    metrics.forEach((m, k) => console.log(m.id, a.metrics[k], b.metrics[k], a.metrics[METRICS + k], b.metrics[METRICS + k]));
  }
  expect(1).toBe(1);
});
