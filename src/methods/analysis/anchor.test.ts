import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBatch } from '../advantage/arbitraryBatch.ts';
import { sampleBatch } from '../advantage/sampleBatch.ts';
import { goldenObjective } from '../conformance/golden.ts';
import { anchorShare, anchorStats } from './anchor.ts';

test('two of four steps share a state, by hand', () => {
  const batch = sampleBatch([
    { reward: [0, 0], state: [7, 8] },
    { reward: [0, 0], state: [7, 9] },
  ]);
  expect(anchorShare(batch)).toBe(0.5);
});

test('equal states in different tasks share nothing', () => {
  const batch = sampleBatch([
    { task: 0, reward: [0], state: [7] },
    { task: 1, reward: [0], state: [7] },
  ]);
  expect(anchorShare(batch)).toBe(0);
});

test('contrast needs two different actions in the same state', () => {
  const one = { task: [0, 0], state: [1, 1], next: [2, 2] };
  expect(anchorStats({ ...one, action: [0, 0] }).contrastCoverage).toBe(0);
  expect(anchorStats({ ...one, action: [0, 1] }).contrastCoverage).toBe(1);
});

test('the share lies between 0 and 1 and agrees with a plain count', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const keys: string[] = [];
      for (let i = 0; i < batch.B; i++) {
        for (let t = 0; t < batch.length[i]!; t++) {
          keys.push(`${batch.taskIndex[i]}:${batch.stateKey[2 * (i * batch.T + t) + 1]}`);
        }
      }
      const shared = keys.filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key)).length;
      expect(anchorShare(batch)).toBe(shared / keys.length);
    }),
  );
});

test('the golden values hold', () => {
  for (const entry of goldenObjective('anchor')) expect(entry).toMatchObject({ built: true, passed: true });
});
