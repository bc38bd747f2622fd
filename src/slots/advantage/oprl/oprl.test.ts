import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../../check/conformance/golden.ts';
import { defaultsOf } from '../../../core/settings.ts';
import { arbitraryBatch } from '../arbitraryBatch.ts';
import { grpo } from '../grpo.ts';
import { rloo } from '../rloo.ts';
import { sampleBatch } from '../sampleBatch.ts';
import { implicitReward, oprl } from './oprl.ts';

const params = defaultsOf(oprl.params);

test('a step that the process model likes is praised, by hand', () => {
  // β = ½: r = ½·(−1 + 2), ½·(−2 + 2) = ½, 0; divided by ½: 1, 0; leave-one-out ±1. Episodes agree: 0.
  const list = [
    { reward: [0], logp: [-2], logpPhi: [-1] },
    { reward: [0], logp: [-2], logpPhi: [-2] },
  ];
  const { A, parts } = oprl.run(sampleBatch(list), { ...params, beta: 0.5, alpha: 0.5 });
  expect([...implicitReward(sampleBatch(list), 0.5, false)]).toEqual([0.5, 0]);
  expect([...parts!['step']!]).toEqual([0.5, -0.5]);
  expect([...A]).toEqual([0.5, -0.5]);
});

test('in the first iteration, where φ is the policy, it equals its base', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const first = { ...batch, logpPhi: batch.logp };
      expect(oprl.run(first, params).A).toEqual(rloo.run(batch, defaultsOf(rloo.params)).A);
      expect(oprl.run(first, { ...params, base: 'grpo' }).A).toEqual(grpo.run(batch, defaultsOf(grpo.params)).A);
    }),
  );
});

test('a single trajectory still compares its steps', () => {
  const { A } = oprl.run(sampleBatch([{ reward: [1, 0], logp: [-1, -1], logpPhi: [-0.5, -1] }]), params);
  expect(A[0]).toBeGreaterThan(0);
  expect(A[1]).toBeLessThan(0);
});

test('divided by the largest reward, β does not matter', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const small = oprl.run(batch, { ...params, beta: 0.01 }).A;
      oprl.run(batch, { ...params, beta: 1 }).A.forEach((a, k) => expect(Math.abs(a - small[k]!)).toBeLessThan(1e-5));
    }),
  );
});

test.each(['oprlGrpo', 'oprlRloo', 'oprlRlooMaxAbs'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
