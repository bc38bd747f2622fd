import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { thetaOf } from '../../contract/state.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';
import { gateSettings } from '../../networks/transformer/overSteps.ts';

const gpu = await testDevice();

const looksBack = {
  ...{ 'policy.method': 'gtrxl', 'policy.gtrxl.memory': 3, 'policy.gtrxl.segment': 2, 'policy.gtrxl.gateBias': 0.5 },
  ...{ 'policy.gtrxl.width': 6, 'policy.gtrxl.hidden': 7 },
};
const sumsUp = {
  ...{ 'policy.method': 'memo', 'policy.memo.segment': 4, 'policy.memo.keep': 2 },
  ...{ 'policy.memo.width': 6, 'policy.memo.hidden': 7 },
};

test.each([
  ['GRU, a critic, an odd memory', { 'policy.method': 'gru', 'policy.gru.hidden': 7, 'advantage.method': 'gae' }],
  [
    'GRU, minibatches, KL to the reference, a gradient that is cut, an even memory',
    {
      'policy.method': 'gru',
      'policy.gru.hidden': 8,
      'policy.gru.unroll': 3,
      'advantage.method': 'gae',
      'objective.minibatches': 3,
      'objective.klCoef': 0.1,
      'objective.entropyCoef': 0.01,
    },
  ],
  ['GTrXL, a critic', { ...looksBack, 'advantage.method': 'gae' }],
  [
    'GTrXL, a plain sum, one layer, minibatches, KL to the reference',
    {
      ...looksBack,
      ...{ 'policy.gtrxl.gate': gateSettings.gate.options.at(-1), 'policy.gtrxl.layers': 1, 'policy.gtrxl.width': 8 },
      ...{ 'objective.minibatches': 3, 'objective.klCoef': 0.1, 'objective.entropyCoef': 0.01 },
    },
  ],
  ['Memo, a critic, four segments', { ...sumsUp, 'advantage.method': 'gae', 'task.grid.maxSteps': 14 }],
  [
    'Memo, one summary at a time, one layer, minibatches, KL to the reference',
    {
      ...sumsUp,
      ...{ 'policy.memo.gate': 'gru', 'policy.memo.layers': 1, 'policy.memo.keep': 1 },
      ...{ 'objective.minibatches': 3, 'objective.klCoef': 0.1, 'objective.entropyCoef': 0.01 },
    },
  ],
])('a network with a memory trains alike on the CPU and on WebGPU: %s', async (_name, changes) => {
  const all = { 'task.obsNoise': 40, ...changes };
  const [onGpu, onCpu] = [await openSmall(all, gpu), await openSmall(all)];
  const before = thetaOf(await onCpu.backend.save()).slice();
  await trainAlike(onGpu, onCpu, 3, ['entropy', 'gradNorm', 'ratioMax', 'approxKL', 'evalSuccess']);
  const [a, b] = [thetaOf(await onGpu.backend.save()), thetaOf(await onCpu.backend.save())];
  const far = (x: Float32Array, y: Float32Array): number => Math.max(...x.map((v, k) => Math.abs(v - y[k]!)));
  expect(far(b, before)).toBeGreaterThan(0.01);
  expect(far(a, b)).toBeLessThan(1e-3);
  onGpu.dispose();
  onCpu.dispose();
});

test.each([
  ['GRU', { 'policy.method': 'gru', 'policy.gru.hidden': 5 }],
  ['GTrXL', looksBack],
  ['Memo', sumsUp],
])('a run with a memory goes through a pause on WebGPU: same digest: %s', async (_name, changes) => {
  const [whole, first, second] = [
    await openSmall(changes, gpu),
    await openSmall(changes, gpu),
    await openSmall(changes, gpu),
  ];
  for (let u = 0; u < 4; u++) await whole.submit();
  for (let u = 0; u < 2; u++) await first.submit();
  await second.restore(await first.checkpoint());
  for (let u = 0; u < 2; u++) await second.submit();
  expect((await second.digest()).all).toBe((await whole.digest()).all);
  for (const run of [whole, first, second]) run.dispose();
});
