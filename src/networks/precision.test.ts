import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutOf } from './dense/shape.ts';
import { roundHalfEven, roundToHalf } from '../core/rounding.ts';
import { outputRows, roundWeights, type Precision } from './precision.ts';

const layout = layoutOf({
  features: 3,
  hidden: [4],
  activation: 'tanh',
  bias: true,
  actions: 2,
  critic: false,
});
const round = (precision: Precision, theta: Float32Array): Float32Array => {
  const out = new Float32Array(theta.length);
  roundWeights(layout, precision, theta, 0, out);
  return out;
};
// steps of a row whose largest weight is next to the smallest float there is have no float of their own
const weights = fc
  .array(fc.float({ min: -3, max: 3, noNaN: true }), { minLength: layout.size, maxLength: layout.size })
  .map((x) => Float32Array.from(x, (w) => (Math.abs(w) < 2 ** -100 ? 0 : w)));

test('halves go to the even number', () => {
  expect([0.5, 1.5, 2.5, -0.5, -1.5, 0.49, -2.51].map(roundHalfEven)).toEqual([0, 2, 2, 0, -2, 0, -3]);
});

test('half floats by hand: 11 bits, ties to even, small and large ends', () => {
  expect(roundToHalf(1 + 2 ** -11)).toBe(1);
  expect(roundToHalf(1 + 3 * 2 ** -11)).toBe(1 + 2 ** -9);
  expect(roundToHalf(-0.1)).toBe(-0.0999755859375);
  expect(roundToHalf(65519)).toBe(65504);
  expect(roundToHalf(65520)).toBe(Infinity);
  expect(roundToHalf(2 ** -24)).toBe(2 ** -24);
  expect(roundToHalf(2 ** -26)).toBe(0);
  expect(roundToHalf(NaN)).toBeNaN();
});

test('four bits of one output row by hand: scale 0.1, seven steps to each side', () => {
  const theta = new Float32Array(layout.size);
  // W1 is [in, out]: the first output row is every fourth number
  theta.set([0.7, 9, 9, 9, -0.26, 9, 9, 9, 0.04, 9, 9, 9]);
  const out = round('int4', theta);
  [0.7, -0.3, 0].forEach((w, k) => expect(out[4 * k]).toBeCloseTo(w, 6));
});

test('every weight moves by at most half a step, biases stay, and what is rounded stays as it is', () => {
  fc.assert(
    fc.property(weights, fc.constantFrom<Precision>('int8', 'int4'), (theta, precision) => {
      const out = round(precision, theta);
      const steps = precision === 'int8' ? 127 : 7;
      const inRow = new Set<number>();
      for (const { start, count, stride } of outputRows(layout)) {
        const places = Array.from({ length: count }, (_, k) => start + k * stride);
        const most = Math.max(...places.map((k) => Math.abs(theta[k]!)));
        for (const k of places) {
          inRow.add(k);
          expect(Math.abs(out[k]! - theta[k]!)).toBeLessThanOrEqual((most / steps) * 0.5001);
        }
      }
      theta.forEach((w, k) => inRow.has(k) || expect(out[k]).toBe(w));
      const twice = round(precision, out);
      twice.forEach((w, k) => expect(Math.abs(w - out[k]!)).toBeLessThan(1e-6));
    }),
    { numRuns: 50 },
  );
});
