import { afterEach, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { globalNorm } from '../../core/math/gradientNorm.ts';
import { must } from '../../core/problem.ts';
import { random, uniform } from '../../core/random.ts';
import type { Moments } from '../../core/math/moments.ts';
import { adam } from '../../slots/optimizer/adam.ts';
import { makeKernels } from '../../networks/kernels.ts';
import { switchSimd } from '../../wasm/simd.ts';
import { createRun } from '../run.ts';

afterEach(() => switchSimd(true));

/** Digest, parameters and every metric of a few updates. */
async function trained(isFast: boolean, changes: Record<string, unknown>) {
  switchSimd(isFast);
  const run = must(await createRun(configWith({ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 3, ...changes })));
  expect(run.backend.description).toBe(isFast ? 'CPU (SIMD)' : 'CPU');
  for (let u = 0; u < 2; u++) await run.submit();
  return { digest: await run.digest(), state: await run.backend.save(), csv: run.csv() };
}

const words = {
  'policy.method': 'transformer',
  'policy.transformer.width': 16,
  'policy.transformer.layers': 2,
  'policy.transformer.gate': 'gru',
};

test.each([
  ['tanh', {}],
  ['gelu, odd widths, two layers', { 'policy.mlp.hidden': [33, 7], 'policy.mlp.activation': 'gelu' }],
  ['relu, critic, minibatches', { 'policy.mlp.activation': 'relu', 'advantage.method': 'gae', 'objective.epochs': 2 }],
  ['process model, three seeds', { 'advantage.method': 'oprl', 'run.seeds': 3 }],
  ['a table', { 'policy.method': 'tabular', 'optimizer.method': 'sgd' }],
  ['written commands', words],
])('WebAssembly on and off give the same run, bit for bit: %s', async (_name, changes) => {
  expect(await trained(true, changes)).toEqual(await trained(false, changes));
});

test.each([0, 0.01])(
  'a step of Adam has the bits of its definition, weight decay %d, and says when a parameter is not finite',
  (weightDecay) => {
    const n = 32;
    const kernels = makeKernels(4 * n, 0);
    const numbers = { beta1: 0.9, beta2: 0.95, epsilon: 1e-7, weightDecay };
    const learningRate = 0.003;
    const fill = (array: Float32Array, a: number, scale: number): Float32Array => {
      for (let k = 0; k < n; k++) array[k] = (uniform(random(1, 99, a, k, 0)) - (a === 4 ? 0 : 0.5)) * scale;
      // of each four from the second on: nothing, all but a gradient, one mean, and squares alone
      if (a > 1) array.fill(0, 4, 8);
      if (a === 2) array.fill(0, 8, 12);
      if (a > 1) array.fill(0, 12, a === 3 ? 15 : 16);
      if (a === 2 || a === 3) array.fill(0, 16, 20);
      if (a === 1) array[5] = -0;
      return array;
    };
    const make = (floats: () => Float32Array): Moments => ({
      theta: fill(floats(), 1, 2),
      gradient: fill(floats(), 2, 0.1),
      m: fill(floats(), 3, 0.1),
      v: fill(floats(), 4, 0.01),
    });
    const have = make(() => kernels.floats(n));
    const want = make(() => new Float32Array(n));
    for (let step = 1; step < 40; step++) {
      expect(kernels.globalNorm(have.gradient)).toBe(globalNorm(want.gradient));
      expect(kernels.moments(have, adam.moments!(step, numbers), learningRate)).toBe(true);
      adam.step(want, step, learningRate, numbers);
      for (const array of [have.gradient, want.gradient])
        for (let k = 0; k < n; k++) array[k] = k < 4 || k > 19 || step > 30 ? Math.sin(step * 7 + k) / step : 0;
    }
    expect(have).toEqual(want);
    const last = { ...numbers, c1: 0.1, c2: 0.1 };
    have.gradient[n - 1] = NaN;
    expect(kernels.moments(have, last, learningRate)).toBe(false);
    have.theta.fill(0);
    have.gradient[n - 1] = 1;
    have.theta[2] = Infinity;
    expect(kernels.moments(have, last, learningRate)).toBe(false);
    // what nothing has moved yet is looked at, too, and so is the rate
    for (const array of [have.theta, have.gradient, have.m, have.v]) array.fill(0);
    expect(kernels.moments(have, last, learningRate)).toBe(true);
    expect(kernels.moments(have, last, NaN)).toBe(false);
    have.theta.fill(0)[7] = NaN;
    expect(kernels.moments(have, last, learningRate)).toBe(false);
  },
);

test('arrays that lie elsewhere are left to the definition of Adam', () => {
  const kernels = makeKernels(16, 0);
  const floats = (): Float32Array => kernels.floats(4);
  const net = { theta: floats(), gradient: floats(), m: floats(), v: new Float32Array(4) };
  const numbers = { beta1: 0.9, beta2: 0.9, epsilon: 1e-8, weightDecay: 0, c1: 0.1, c2: 0.1 };
  expect(kernels.isFast).toBe(true);
  expect(kernels.moments(net, numbers, 1)).toBeNull();
});
