import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBatch } from '../advantage/arbitraryBatch.ts';
import { sampleBatch } from '../advantage/sampleBatch.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { anchorShare, anchorStats, transitionsOf } from './anchor.ts';

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

test('transitions of a batch: the state after a step is the one before the next, or the final one', () => {
  // both episodes go 7 → 8; one ends in 9, the other goes back to 7 and ends in 9
  const batch = sampleBatch([
    { reward: [0, 0], state: [7, 8], finalState: 9, action: [1, 2] },
    { reward: [0, 0, 0], state: [7, 8, 7], finalState: 9, action: [1, 0, 1] },
  ]);
  const stats = anchorStats(transitionsOf(batch));
  // edges: (7,1,8) twice, (8,2,9), (8,0,7), (7,1,9)
  expect(stats.mergeRatio).toBeCloseTo(1 / 5, 12);
  expect(stats.mergedShare).toBeCloseTo(2 / 5, 12);
  expect(stats.groups).toBe(2);
  expect(stats.contrastCoverage).toBeCloseTo(2 / 5, 12);
  expect(stats.coverage).toBe(anchorShare(batch));
});

test('the golden values hold', () => {
  for (const entry of goldenObjective('anchor')) expect(entry).toMatchObject({ built: true, passed: true });
});
