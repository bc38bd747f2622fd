import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { METRICS, metricIndex, type MetricId } from '../../methods/analysis/metrics.ts';
import type { UpdateRecord } from '../backend.ts';
import { createRun, Run } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

// one device for all: its compiled kernels are kept
let gpu: Gpu;
beforeAll(async () => {
  const opened = await openGpu();
  if (!opened.ok) throw new Error(JSON.stringify(opened.problem));
  gpu = opened.value;
});
afterAll(() => gpu.device.destroy());

async function open(changes: Record<string, unknown>, on?: Gpu): Promise<Run> {
  const small = {
    'task.grid.level': 'frozenLake4',
    'task.grid.maxSteps': 8,
    'rollout.tasksPerBatch': 3,
    'rollout.groupSize': 5,
    'run.seeds': 2,
    'policy.mlp.hidden': [13],
    'analysis.evalEvery': 2,
    'objective.epochs': 2,
    'optimizer.learningRate': 0.01,
  };
  const run = await createRun(configWith({ ...small, ...changes }), on && gpuBackendOn(on));
  if (!run.ok) throw new Error(JSON.stringify(run.problem));
  return run.value;
}

async function train(run: Run, updates: number): Promise<UpdateRecord[]> {
  const records: UpdateRecord[] = [];
  for (let u = 0; u < updates; u++) records.push(await run.submit());
  return records;
}

const transformer = {
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.hidden': 12,
  'policy.transformer.layers': 1,
};
const COMPARED: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'essStart'] as const),
  ...(['staleness', 'clipFraction', 'updateNorm'] as const),
];

// One ulp of a weight may fall on the other side of a rounding step of four bits and move it by a seventh of its row:
// with rounding only the first update is compared, before any training has moved the weights apart.
test.each([
  ['two updates old, with a critic', { 'rollout.staleness': 2, 'advantage.method': 'gae' }, 4],
  ['greedy baseline', { 'rollout.staleness': 2, 'advantage.method': 'remax' }, 4],
  ['commands, one update old', { ...transformer, 'rollout.staleness': 1 }, 3],
  ['half floats', { 'rollout.rolloutPrecision': 'f16' }, 1],
  ['four bits on both sides', { 'rollout.rolloutPrecision': 'int4', 'rollout.unifiedPrecision': true }, 1],
  ['commands, four bits', { ...transformer, 'rollout.rolloutPrecision': 'int4' }, 1],
] as const)('the GPU agrees with the CPU on old and coarse data: %s', async (_, changes, updates) => {
  const onGpu = await open(changes, gpu);
  const onCpu = await open(changes);
  const a = await train(onGpu, updates);
  const b = await train(onCpu, updates);
  for (let u = 0; u < updates; u++) {
    expect([...a[u]!.hash], `actions of update ${u}`).toEqual([...b[u]!.hash]);
    for (const id of COMPARED) {
      for (let s = 0; s < 2; s++) {
        const got = a[u]!.metrics[s * METRICS + metricIndex[id]]!;
        const want = b[u]!.metrics[s * METRICS + metricIndex[id]]!;
        if (Number.isNaN(want)) expect(got, id).toBeNaN();
        else
          expect(Math.abs(got - want), `${id} of update ${u}: ${got} against ${want}`).toBeLessThanOrEqual(
            2e-5 + 1e-3 * Math.abs(want),
          );
      }
    }
  }
  const mine = await onGpu.backend.view(1);
  const theirs = await onCpu.backend.view(1);
  theirs.theta.forEach((w, k) => expect(Math.abs(mine.theta[k]! - w)).toBeLessThan(1e-4));
  onGpu.dispose();
  expect([...gpu.bytes]).toEqual([]);
});

test('a run on old data goes on exactly after a pause', async () => {
  const changes = { 'rollout.staleness': 3, 'rollout.rolloutPrecision': 'int8', 'rollout.unifiedPrecision': true };
  const whole = await open(changes, gpu);
  await train(whole, 4);
  const middle = await whole.checkpoint();
  await train(whole, 3);
  const again = await Run.create(whole.plan, gpuBackendOn(gpu), middle);
  await train(again, 3);
  expect((await again.checkpoint()).state).toEqual((await whole.checkpoint()).state);
  whole.dispose();
  again.dispose();
});

test('batches of several versions are computed on the CPU', async () => {
  for (const ages of ['mixed', 'interrupted']) {
    const run = await open({ 'rollout.staleness': 2, 'rollout.ages': ages }, gpu);
    expect(run.backend.kind).toBe('cpu');
  }
});
