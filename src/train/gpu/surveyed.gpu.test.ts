import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { METRICS, metricIndex, type MetricId } from '../../methods/analysis/metrics.ts';
import type { UpdateRecord } from '../backend.ts';
import { createRun, type Run } from '../run.ts';
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

const old = { 'rollout.staleness': 2 };
const COMPARED: readonly MetricId[] = [
  ...(['success', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'essStart', 'clipFraction'] as const),
  ...(['updateNorm', 'clipHigh', 'klRef'] as const),
];

// Ranks of covariances and which units are drawn may turn on a last digit; two updates are compared.
test.each([
  ['gspo', { 'objective.aggregate': 'seqMeanUnitMean', 'objective.minibatches': 2 }],
  ['klCov', {}],
  ['stableReinforce', {}],
  ['decoupled', { ...old, 'objective.minibatches': 2 }],
  ['hispo', { ...old, 'objective.hispo.deltaTok': 0.5, 'objective.hispo.deltaSeq': 0.2 }],
  ['vcpo', { ...old, 'objective.vcpo.scoreNorm': 'unit', 'objective.minibatches': 3 }],
  ['vcpo', { ...old, 'objective.vcpo.credit': 'advantage', 'advantage.method': 'loop' }],
  ['dpo', { ...old, 'objective.aggregate': 'seqMeanUnitSum', 'objective.minibatches': 3 }],
  ['cpl', { 'objective.aggregate': 'seqMeanUnitSum', 'objective.cpl.length': 'mean' }],
  ['alol', { ...old, 'objective.aggregate': 'seqMeanUnitSum' }],
] as const)('%s on the GPU agrees with the CPU: %j', async (method, changes) => {
  await agree({ 'objective.method': method, ...changes }, 3);
});

test.each(['exactForward', 'k2', 'abs'])('the %s penalty on the GPU agrees with the CPU', async (form) => {
  await agree({ 'objective.klForm': form, 'objective.klCoef': 0.5 }, 2);
});

async function agree(changes: Record<string, unknown>, updates: number): Promise<void> {
  const onGpu = await open(changes, gpu);
  const onCpu = await open(changes);
  expect(onGpu.backend.kind).toBe('webgpu');
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
  onGpu.dispose();
  expect([...gpu.bytes]).toEqual([]);
}

test('gradients of single episodes, and words, stay on the CPU', async () => {
  for (const changes of [
    { 'objective.method': 'vcpo' },
    {
      ...{ 'objective.method': 'gspo', 'policy.method': 'transformer', 'policy.transformer.width': 8 },
      'policy.transformer.layers': 1,
    },
    { 'objective.klStop': 0.1 },
  ])
    expect((await open(changes, gpu)).backend.kind).toBe('cpu');
});

test('replicas with their own step factors are those of single runs, bit for bit', async () => {
  const changes = { ...old, 'objective.method': 'vcpo', 'objective.vcpo.credit': 'advantage' };
  const both = await open(changes, gpu);
  await train(both, 4);
  const alone = await open({ ...changes, 'run.seeds': 1, 'run.seed': both.plan.seeds[1]! }, gpu);
  await train(alone, 4);
  const { size } = both.plan.layout;
  expect((await alone.backend.save()).theta).toEqual((await both.backend.save()).theta.slice(size));
  both.dispose();
  alone.dispose();
});
