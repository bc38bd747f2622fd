import { expect, test } from 'vitest';

test('typed arrays are equal when their types, lengths and numbers are', () => {
  const a = Float32Array.of(1, NaN, -0);
  expect(a.slice()).toEqual(a);
  expect({ deep: [a.slice()] }).toEqual({ deep: [a] });
  expect(Float32Array.of(1, NaN, 0)).not.toEqual(a);
  expect(Float32Array.of(1, 2, -0)).not.toEqual(a);
  expect(Float32Array.of(1, NaN)).not.toEqual(a);
  expect(Float64Array.of(1, NaN, -0)).not.toEqual(a);
  expect(a).not.toEqual([1, NaN, -0]);
});

test('and a hundred thousand numbers are compared at once', () => {
  const a = Float32Array.from({ length: 100_000 }, (_, k) => Math.sin(k));
  // the fastest of some: seconds without the comparison of this folder, a few milliseconds with it
  const times = Array.from({ length: 5 }, () => {
    const from = performance.now();
    expect(a.slice()).toEqual(a);
    return performance.now() - from;
  });
  expect(Math.min(...times)).toBeLessThan(200);
});
