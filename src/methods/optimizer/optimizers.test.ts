import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenObjective } from '../conformance/golden.ts';
import { optimizers } from '../registry.ts';
import { adam, wholePower } from './adam.ts';
import { clipByNorm, globalNorm } from './clip.ts';
import { learningRateAt } from './schedule.ts';
import { sgd } from './sgd.ts';

const zeros = (n: number): Float32Array => new Float32Array(n);
const vector = fc
  .array(fc.integer({ min: -80, max: 80 }), { minLength: 1, maxLength: 6 })
  .map((x) => x.map((v) => v / 8));

test('the first step of Adam is η against the sign of the gradient, by hand', () => {
  // m̂ = g, v̂ = g²: the move is η·g/(|g| + 1e-8)
  const theta = new Float32Array([1, 1, 1]);
  adam.step(theta, new Float32Array([4, -0.5, 0]), zeros(3), zeros(3), 1, 0.1, defaultsOf(adam.params));
  [0.9, 1.1, 1].forEach((x, k) => expect(theta[k]).toBeCloseTo(x, 6));
});

test('scaling every gradient changes nothing with Adam', () => {
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 5 }), fc.constantFrom(4, 64), (gradients, c) => {
      const walk = (scale: number): Float32Array => {
        const [theta, m, v] = [zeros(6), zeros(6), zeros(6)];
        gradients.forEach((g, n) => {
          const gradient = Float32Array.from({ length: 6 }, (_, k) => scale * (g[k] ?? 0));
          adam.step(theta, gradient, m, v, n + 1, 0.01, defaultsOf(adam.params));
        });
        return theta;
      };
      const once = walk(1);
      walk(c).forEach((x, k) => expect(Math.abs(x - once[k]!)).toBeLessThan(1e-6));
    }),
  );
});

test('SGD with momentum repeats half of the last move, by hand', () => {
  const [theta, m, v] = [zeros(1), zeros(1), zeros(1)];
  const params = { momentum: 0.5, weightDecay: 0 };
  sgd.step(theta, new Float32Array([1]), m, v, 1, 0.5, params);
  sgd.step(theta, new Float32Array([0]), m, v, 2, 0.5, params);
  // −0.5·1, then −0.5·0.5
  expect(theta[0]).toBe(-0.75);
});

test.each(optimizers.map((o) => [o.id, o] as const))(
  '%s: a zero gradient and zero moments move nothing',
  (_, optimizer) => {
    const theta = new Float32Array([1, -2, 3]);
    optimizer.step(theta, zeros(3), zeros(3), zeros(3), 1, 0.5, defaultsOf(optimizer.params));
    expect([...theta]).toEqual([1, -2, 3]);
  },
);

test.each(optimizers.map((o) => [o.id, o] as const))('%s: a NaN in the gradient reaches the weight', (_, optimizer) => {
  const theta = zeros(1);
  optimizer.step(theta, new Float32Array([NaN]), zeros(1), zeros(1), 1, 0.5, defaultsOf(optimizer.params));
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
