import { expect, test } from 'vitest';
import { loudestStep, RunScale, withoutFaint } from './runScale.ts';

/** Two episodes of two steps and one; the second step of the last one is padding. */
const batch = (update: number, exact: readonly number[] | null, A: readonly number[] = [0, 0, 0, 9]) => ({
  ...{ B: 2, T: 2, update, length: Uint32Array.of(2, 1), origin: Uint8Array.of(0, 0) },
  A: Float32Array.from(A),
  exact: exact && Float32Array.from(exact),
});

test('the scale of exact credit is the largest so far and never shrinks', () => {
  const scale = new RunScale();
  const seen = [
    [0.5, -1, 0, 99],
    [0.25, 0, 0, 99],
    [0, 0, 0, 99],
    [0, -2, 0, 99],
  ].map((exact, k) => {
    scale.see(batch(k, exact));
    return scale.exact;
  });
  expect(seen).toEqual([1, 1, 1, 2]);
});

test('a batch is blank where exact credit is below 0.02 of that scale, and without exact values where all credit is 0', () => {
  const scale = new RunScale();
  scale.see(batch(0, [0.5, -1, 0, 0]));
  expect(scale.isBlank(batch(1, [0.019, 0, -0.019, 99]))).toBe(true);
  expect(scale.isBlank(batch(1, [0.021, 0, 0, 0]))).toBe(false);
  expect(scale.isBlank(batch(1, null))).toBe(true);
  expect(scale.isBlank(batch(1, null, [0, 0.1, 0, 0]))).toBe(false);
  // a task of which nothing was learned yet is not solved
  expect(new RunScale().isBlank(batch(0, [0, 0, 0, 0]))).toBe(false);
});

test('of the kept updates the one is found at which credit differed most', () => {
  const scale = new RunScale();
  scale.see(batch(0, [0.1, 0, 0, 0]));
  scale.see(batch(9, [1, -1, 0, 0]));
  scale.see(batch(40, [0.01, 0, 0, 0]));
  expect(scale.mostTelling([0, 8, 32])).toBe(8);
  expect(scale.mostTelling([])).toBeNull();
});

test('the loudest step is one of the policy’s own, and padding says nothing', () => {
  expect(loudestStep(batch(0, [0.5, -1, 0.7, 99]))).toEqual({ i: 0, t: 1 });
  const shown = { ...batch(0, [0.5, -1, 0.7, 99]), origin: Uint8Array.of(5, 0) };
  expect(loudestStep(shown)).toEqual({ i: 1, t: 0 });
});

test('faint values have no color; the others keep every bit', () => {
  const values = Float32Array.of(0.1, -0.019, 0.021, -0.5);
  expect([...withoutFaint(values, 0.02)]).toEqual([...Float32Array.of(0.1, 0, 0.021, -0.5)]);
  expect(withoutFaint(values, 0)).toBe(values);
});
