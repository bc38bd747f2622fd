import { expect, test, vi } from 'vitest';

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

test('and a hundred thousand numbers are compared in one pass', () => {
  const a = Float32Array.from({ length: 100_000 }, (_, k) => Math.sin(k));
  const b = a.slice();
  const passes = vi.spyOn(Float32Array.prototype, 'every');
  // without the comparison of this folder each number becomes a key that is looked up by its name
  const names = vi.spyOn(Object, 'keys');
  expect(b).toEqual(a);
  const [compared, named] = [passes.mock.calls.length, names.mock.calls.filter(([x]) => x === a || x === b).length];
  passes.mockRestore();
  names.mockRestore();
  expect([compared, named]).toEqual([1, 0]);
});
