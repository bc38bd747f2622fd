import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { optimizers } from '../methods.ts';
import type { Optimizer } from '../types.ts';
import { adam, wholePower } from './adam.ts';
import { clipByNorm, globalNorm } from '../../core/math/gradientNorm.ts';
import { normalizedSgd } from './normalizedSgd.ts';
import { rmsProp } from './rmsProp.ts';
import { learningRateAt } from '../../core/math/schedule.ts';
import { sgd } from './sgd.ts';

const zeros = (n: number): Float32Array => new Float32Array(n);
const vector = fc
  .array(fc.integer({ min: -80, max: 80 }), { minLength: 1, maxLength: 6 })
  .map((x) => x.map((v) => v / 8));

test('the first step of Adam is η against the sign of the gradient, by hand', () => {
  // m̂ = g, v̂ = g²: the move is η·g/(|g| + 1e-8)
  const theta = new Float32Array([1, 1, 1]);
  adam.step(
    { theta, gradient: new Float32Array([4, -0.5, 0]), m: zeros(3), v: zeros(3) },
    1,
    0.1,
    defaultsOf(adam.params),
  );
  [0.9, 1.1, 1].forEach((x, k) => expect(theta[k]).toBeCloseTo(x, 6));
});

test.each([
  ['Adam', adam, {}],
  ['RMSProp', rmsProp, { momentum: 0.5 }],
  ['Normalized SGD', normalizedSgd, { momentum: 0.5 }],
] as const)('scaling every gradient changes nothing with %s', (_, optimizer: Optimizer, changes) => {
  const params = { ...defaultsOf(optimizer.params), ...changes };
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 5 }), fc.constantFrom(4, 64), (gradients, c) => {
      const walk = (scale: number): Float32Array => {
        const [theta, m, v] = [zeros(6), zeros(6), zeros(6)];
        gradients.forEach((g, n) => {
          const gradient = Float32Array.from({ length: 6 }, (_x, k) => scale * (g[k] ?? 0));
          optimizer.step({ theta, gradient, m, v }, n + 1, 0.01, params);
        });
        return theta;
      };
      const once = walk(1);
      walk(c).forEach((x, k) => expect(Math.abs(x - once[k]!)).toBeLessThan(1e-6));
    }),
  );
});

test('two steps of RMSProp with momentum and decay, by hand', () => {
  const [theta, m, v] = [new Float32Array([1]), zeros(1), zeros(1)];
  const params = { memory: 0.75, momentum: 0.5, epsilon: 1e-12, weightDecay: 0.5 };
  // v = 0.25·4 = 1, m = 2/1: 1 − 0.1·(2 + 0.5·1)
  rmsProp.step({ theta, gradient: new Float32Array([2]), m, v }, 1, 0.1, params);
  expect(theta[0]).toBeCloseTo(0.75, 6);
  // v = 0.75·1 + 0.25·5 = 2, m = 0.5·2 + √5/√2
  rmsProp.step({ theta, gradient: new Float32Array([Math.sqrt(5)]), m, v }, 2, 0.1, params);
  expect(v[0]).toBeCloseTo(2, 6);
  expect(theta[0]).toBeCloseTo(0.75 - 0.1 * (1 + Math.sqrt(2.5) + 0.5 * 0.75), 6);
});

test('RMSProp begins with steps of η/√(1−ρ), and without a memory it moves by the sign', () => {
  const step = (memory: number): number => {
    const theta = zeros(1);
    const params = { ...defaultsOf(rmsProp.params), memory };
    rmsProp.step({ theta, gradient: new Float32Array([-7]), m: zeros(1), v: zeros(1) }, 1, 0.1, params);
    return theta[0]!;
  };
  expect(step(0.96)).toBeCloseTo(0.5, 6);
  expect(step(0)).toBeCloseTo(0.1, 6);
});

test('two steps of normalized SGD with momentum and decay, by hand', () => {
  const [theta, m, v] = [new Float32Array([1, 1]), zeros(2), zeros(2)];
  const params = { momentum: 0.5, weightDecay: 0.5 };
  // m = (1.5, 2), of length 2.5: 1 − 0.5·(0.6 + 0.5), 1 − 0.5·(0.8 + 0.5)
  normalizedSgd.step({ theta, gradient: new Float32Array([3, 4]), m, v }, 1, 0.5, params);
  expect(theta[0]).toBeCloseTo(0.45, 6);
  expect(theta[1]).toBeCloseTo(0.35, 6);
  // m = (0.75 − 0.75, 1 + 3): straight down the second weight
  normalizedSgd.step({ theta, gradient: new Float32Array([-1.5, 6]), m, v }, 2, 0.5, params);
  expect(theta[0]).toBeCloseTo(0.45 * 0.75, 6);
  expect(theta[1]).toBeCloseTo(0.35 * 0.75 - 0.5, 6);
});

test('a step of normalized SGD is as long as the learning rate, however short or long the gradient', () => {
  fc.assert(
    fc.property(vector, fc.constantFrom(1e-8, 1, 1e8), (g, scale) => {
      const gradient = Float32Array.from(g, (x) => scale * x);
      const theta = zeros(g.length);
      normalizedSgd.step(
        { theta, gradient, m: zeros(g.length), v: zeros(g.length) },
        1,
        0.3,
        defaultsOf(normalizedSgd.params),
      );
      expect(Math.hypot(...theta)).toBeCloseTo(g.some((x) => x !== 0) ? 0.3 : 0, 6);
    }),
  );
});

test('SGD with momentum repeats half of the last move, by hand', () => {
  const [theta, m, v] = [zeros(1), zeros(1), zeros(1)];
  const params = { momentum: 0.5, weightDecay: 0 };
  sgd.step({ theta, gradient: new Float32Array([1]), m, v }, 1, 0.5, params);
  sgd.step({ theta, gradient: new Float32Array([0]), m, v }, 2, 0.5, params);
  // −0.5·1, then −0.5·0.5
  expect(theta[0]).toBe(-0.75);
});

test.each(optimizers.map((o) => [o.id, o] as const))(
  '%s: a zero gradient and zero moments move nothing',
  (_, optimizer) => {
    const theta = new Float32Array([1, -2, 3]);
    optimizer.step({ theta, gradient: zeros(3), m: zeros(3), v: zeros(3) }, 1, 0.5, defaultsOf(optimizer.params));
    expect([...theta]).toEqual([1, -2, 3]);
  },
);

test.each(optimizers.map((o) => [o.id, o] as const))('%s: a NaN in the gradient reaches the weight', (_, optimizer) => {
  const theta = zeros(1);
  optimizer.step(
    { theta, gradient: new Float32Array([NaN]), m: zeros(1), v: zeros(1) },
    1,
    0.5,
    defaultsOf(optimizer.params),
  );
  expect(theta[0]).toBeNaN();
});

test('whole powers are exact where floats are', () => {
  expect([wholePower(2, 10), wholePower(0.5, 3), wholePower(7, 0), wholePower(3, 1)]).toEqual([1024, 0.125, 1, 3]);
});

test('a gradient longer than the limit is shortened to it and keeps its direction', () => {
  const gradient = new Float32Array([3, 4]);
  expect(clipByNorm(gradient, 1)).toBe(5);
  expect(globalNorm(gradient)).toBeCloseTo(1, 5);
  expect(gradient[1]! / gradient[0]!).toBeCloseTo(4 / 3, 6);
  const short = new Float32Array([0.3, 0.4]);
  clipByNorm(short, 1);
  clipByNorm(short, 0);
  expect([...short]).toEqual([Math.fround(0.3), Math.fround(0.4)]);
});

test('schedules start at η; linear and cosine are halfway at half of the run and end near 0', () => {
  for (const schedule of ['constant', 'linear', 'cosine'] as const) {
    expect(learningRateAt(schedule, 0.1, 0, 200)).toBeCloseTo(0.1, 12);
  }
  expect(learningRateAt('constant', 0.1, 199, 200)).toBe(0.1);
  for (const schedule of ['linear', 'cosine'] as const) {
    expect(learningRateAt(schedule, 0.1, 100, 200)).toBeCloseTo(0.05, 12);
    expect(learningRateAt(schedule, 0.1, 199, 200)).toBeLessThan(0.001);
    expect(learningRateAt(schedule, 0.1, 200, 200)).toBeCloseTo(0, 12);
  }
});

test('the golden walk of AdamW with norm clip holds', () => {
  const entries = goldenObjective('adam');
  expect(entries.length).toBe(1);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
