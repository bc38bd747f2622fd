import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { rloo } from './rloo.ts';
import { salt } from './salt.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = { ...defaultsOf(salt.params), base: 'rloo' } as const;

test('the shared first edge turns neutral, the fork keeps its credit, by hand', () => {
  // RLOO of R = 1, 0: ±1. Edge 7→8 belongs to both: mean 0. After it the ways part.
  const list = [
    { reward: [0, 1], state: [7, 8], action: [0, 0], finalState: 5 },
    { reward: [0, 0], state: [7, 8], action: [0, 1], finalState: 6 },
  ];
  expect([...salt.run(sampleBatch(list), params).A]).toEqual([0, 1, 0, -1]);
});

test('counting each trajectory once removes the pull of a loop', () => {
  const list = [
    { reward: [0, 0, 0], state: [7, 7, 7], action: [0, 0, 0], finalState: 7 },
    { reward: [1], state: [7], action: [0], finalState: 7 },
  ];
  // every visit: (3·(−1) + 1)/4 = −0.5; once each: 0
  expect(salt.run(sampleBatch(list), params).A[0]).toBe(-0.5);
  expect(salt.run(sampleBatch(list), { ...params, count: 'trajectory' }).A[0]).toBe(0);
});

test('merging keeps the sum of the credit of the batch, for every history', () => {
  fc.assert(
    fc.property(arbitraryBatch, fc.integer({ min: 0, max: 7 }), (batch, history) => {
      const total = (A: Float32Array): number => A.reduce((a, b) => a + b, 0);
      expect(
        Math.abs(total(salt.run(batch, { ...params, history }).A) - total(rloo.run(batch, defaultsOf(rloo.params)).A)),
      ).toBeLessThan(1e-4);
    }),
  );
});

test.each(['saltGrpo', 'saltRloo', 'saltGrpoTrajectoryCount', 'saltGrpoHistory'])(
  'the golden values of %s hold in every case',
  (key) => {
    const entries = goldenAdvantage(key);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
  },
);
