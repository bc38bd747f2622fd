import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { reinforcePP } from './reinforcePP.ts';
import { sampleBatch } from './sampleBatch.ts';

test('returns-to-go 1, 1, 0 whitened by hand', () => {
  // G = (1, 1) and (0): mean 2/3, sample std sqrt((2/9 + 4/9)/2) = 0.57735 → 0.57735, 0.57735, −1.1547
  const { A } = reinforcePP.run(sampleBatch([{ reward: [0, 1] }, { reward: [0] }]), { gamma: 1 });
  [0.57735, 0.57735, -1.1547, 0].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 4));
});

test('over real steps the credit has mean 0 and spread 1, or is all 0', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = reinforcePP.run(batch, { gamma: 1 });
      const n = batch.length.reduce((a, b) => a + b, 0);
      const total = A.reduce((a, b) => a + b, 0);
      const squares = A.reduce((a, b) => a + b * b, 0);
      expect(Math.abs(total / n)).toBeLessThan(1e-5);
      if (squares > 0) expect(Math.abs(squares / (n - 1) - 1)).toBeLessThan(1e-3);
    }),
  );
});

test.each(['reinforcePP'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
