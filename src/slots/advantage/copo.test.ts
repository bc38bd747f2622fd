import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { consistencyCredit, copo } from './copo.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('a group that fails as one still learns, by hand', () => {
  // R̄ = 0 and 1 → ∓√½ between the groups. Group 0: one answer, H = 0, w = σ(−20·0.5). Group 1: both succeeded.
  const list = [
    { reward: [0], finalState: 5 },
    { reward: [0], finalState: 5 },
    { task: 1, reward: [1], finalState: 6 },
    { task: 1, reward: [1], finalState: 7 },
  ];
  const { A, perTask } = consistencyCredit(sampleBatch(list), 20, 0.5);
  expect([...perTask.entropy]).toEqual([0, expect.closeTo(Math.LN2, 12)]);
  expect(A[0]).toBeCloseTo(-Math.SQRT1_2, 3);
  expect(A[2]).toBeCloseTo(Math.SQRT1_2 * (1 / (1 + Math.exp(20 * (Math.LN2 - 0.5)))), 5);
});

test('without a second group or with all weight inside it is GRPO', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const want = grpo.run(batch, defaultsOf(grpo.params)).A;
      consistencyCredit(batch, 100, -100).A.forEach((a, k) => expect(a).toBeCloseTo(want[k]!, 5));
    }),
  );
  const one = sampleBatch([
    { reward: [1], finalState: 5 },
    { reward: [0], finalState: 5 },
  ]);
  expect(copo.run(one, defaultsOf(copo.params)).parts!['global']).toEqual(new Float32Array(2));
});

test('a batch in which every episode succeeds teaches nothing', () => {
  const batch = sampleBatch([{ reward: [1] }, { reward: [1] }, { task: 1, reward: [1] }, { task: 1, reward: [1] }]);
  expect(copo.run(batch, defaultsOf(copo.params)).A).toEqual(new Float32Array(4));
});

test.each(['copo'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
