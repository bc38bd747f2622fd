import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { arpo } from './arpo.ts';
import { ownerHeads } from './forkTree.ts';
import { grpo } from './grpo.ts';
import { salt } from './salt.ts';
import { sampleBatch, type SampleTrajectory } from './sampleBatch.ts';

const params = defaultsOf(arpo.params);

test('a fork after the first step, by hand', () => {
  // GRPO ±√½; the first step was sampled once: mean 0. After the fork each keeps its own.
  const list = [{ reward: [0, 1] }, { reward: [0, 0], parent: 0, branchStep: 1 }];
  const { A } = arpo.run(sampleBatch(list), { ...params, shared: 'hard' });
  [0, Math.SQRT1_2, 0, -Math.SQRT1_2].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 5));
});

test('a fork of a fork shares what its parent had shared', () => {
  const list = [
    { reward: [0, 0, 0] },
    { reward: [0, 0, 0], parent: 0, branchStep: 1 },
    { reward: [0, 0, 0], parent: 1, branchStep: 2 },
  ];
  expect([...ownerHeads(sampleBatch(list))]).toEqual([0, 1, 2, 0, 4, 5, 0, 4, 8]);
});

test('the soft form, and episodes that were not forked, are GRPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      const alone = sampleBatch(list.map((x) => ({ ...x, parent: -1 })));
      expect(arpo.run(batch, { ...params, shared: 'soft' }).A).toEqual(grpo.run(batch, defaultsOf(grpo.params)).A);
      expect(arpo.run(alone, { ...params, shared: 'hard' }).A).toEqual(grpo.run(alone, defaultsOf(grpo.params)).A);
    }),
  );
});

/** A tree of forks inside one task: a child repeats its parent up to the fork, stands in the same state, and acts anew. */
const tree = fc
  .array(
    fc.record({
      reward: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 2, maxLength: 6 }),
      of: fc.integer({ min: -1, max: 5 }),
      at: fc.nat(5),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((nodes) => {
    const list: SampleTrajectory[] = [];
    nodes.forEach(({ reward, of, at }, i) => {
      const from = list[of];
      const branchStep = from ? Math.min(at, from.reward.length - 1, reward.length - 1) : 0;
      const repeat = (past: readonly number[] | undefined, count: number, own: readonly number[]): number[] => [
        ...(past?.slice(0, count) ?? []),
        ...own.slice(past ? count : 0),
      ];
      const own = reward.map((_, t) => 100 * (i + 1) + t);
      list.push({
        reward: repeat(from?.reward, branchStep, reward),
        state: repeat(from?.state, branchStep + 1, own),
        action: repeat(from?.action, branchStep, own),
        finalState: 9000 + i,
        parent: from ? of : -1,
        branchStep,
      });
    });
    return list;
  });

test('shared steps keep the sum of the credit of the batch', () => {
  fc.assert(
    fc.property(tree, (list) => {
      const batch = sampleBatch(list);
      const total = (A: Float32Array): number => A.reduce((a, b) => a + b, 0);
      const difference =
        total(arpo.run(batch, { ...params, shared: 'hard' }).A) - total(grpo.run(batch, defaultsOf(grpo.params)).A);
      expect(Math.abs(difference)).toBeLessThan(1e-4);
    }),
  );
});

test('on a tree of forks hard attribution is SALT’s prefix tree', () => {
  fc.assert(
    fc.property(tree, (list) => {
      const batch = sampleBatch(list);
      const prefix = salt.run(batch, { ...defaultsOf(salt.params), history: 64 }).A;
      arpo
        .run(batch, { ...params, shared: 'hard' })
        .A.forEach((a, k) => expect(Math.abs(a - prefix[k]!)).toBeLessThan(1e-6));
    }),
  );
});

test('a parent in another task or a circle of parents ends the walk', () => {
  const strange = sampleBatch([
    { task: 0, reward: [1], parent: 1, branchStep: 1 },
    { task: 1, reward: [0], parent: 0, branchStep: 1 },
    { task: 1, reward: [0], parent: 2, branchStep: 1 },
    { task: 1, reward: [0], parent: 99, branchStep: 1 },
  ]);
  expect([...ownerHeads(strange)]).toEqual([0, 1, 2, 3]);
});

test.each(['arpoHard'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
