import fc from 'fast-check';
import { expect, test } from 'vitest';
import { independentShare, rootsOf } from '../../core/batch.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { rloo } from './rloo.ts';
import { sampleBatch, type SampleTrajectory } from './sampleBatch.ts';

const plain = defaultsOf(rloo.params);
const left = { ...plain, leaveFamilyOut: true };
const first = (list: readonly SampleTrajectory[], params: typeof plain): number[] => {
  const batch = sampleBatch(list);
  const { A } = rloo.run(batch, params);
  return list.map((_, i) => A[i * batch.T]!);
};

test('by hand: two roots, one with a fork that was forked again', () => {
  const list = [{ reward: [4] }, { reward: [1] }, { reward: [3], parent: 0 }, { reward: [2], parent: 2 }];
  // the family 4, 3, 2 is compared with 1; 1 is compared with their mean 3
  expect(first(list, left)).toEqual([3, -2, 2, 1]);
  // leave one out compares with relatives, too
  expect(first(list, plain)).toEqual([2, -2, 2 / 3, -2 / 3].map((a) => Math.fround(a)));
});

test('a family without others has nothing to be compared with, or its returns; a group that agrees gets nothing', () => {
  const alone = [{ reward: [4] }, { reward: [3], parent: 0 }];
  expect(first(alone, left)).toEqual([0, 0]);
  expect(first(alone, { ...left, singleton: 'return' })).toEqual([4, 3]);
  expect(first([{ reward: [1] }, { reward: [1], parent: 0 }, { reward: [1] }], left)).toEqual([0, 0, 0]);
});

test('counted by steps, others weigh by their lengths', () => {
  const list = [{ reward: [1] }, { reward: [0, 0, 2] }, { reward: [4] }, { reward: [5], parent: 0 }];
  // others of the first: 2 three times and 4 once
  expect(first(list, { ...left, rows: 'steps' })[0]).toBeCloseTo(1 - 10 / 4, 6);
});

test('without forks it is RLOO; with them the baseline of a row hears nothing of its family', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, fc.constantFrom('trajectories', 'steps'), (list, rows) => {
      const own: SampleTrajectory[] = list.map((row) => ({ ...row }));
      for (const row of own as { parent?: number }[]) delete row.parent;
      if (rows === 'trajectories')
        first(own, { ...left, rows }).forEach((a, i) => expect(a).toBeCloseTo(first(own, { ...plain, rows })[i]!, 4));
      const batch = sampleBatch(list);
      const root = rootsOf(batch as typeof batch & { branchParent: Int32Array });
      const baseline = (rowsOf: readonly SampleTrajectory[]): number[] => {
        const A = first(rowsOf, { ...left, rows });
        const R = sampleBatch(rowsOf).outcome;
        return A.map((a, i) => (a === 0 ? NaN : R[i]! - a));
      };
      const before = baseline(list);
      const changed = list.map((row, i) =>
        root[i] === root[0] ? { ...row, reward: row.reward.map((r) => r + 3) } : row,
      );
      const after = baseline(changed);
      list.forEach((_, i) => {
        if (root[i] === root[0] && !Number.isNaN(before[i]!) && !Number.isNaN(after[i]!))
          expect(after[i]).toBeCloseTo(before[i]!, 3);
      });
    }),
  );
});

/**
 * Two steps with two actions each, the first by chance p, the second by q. A root, a fork that shares its first action, and
 * another root: the gradient by the logit of the first step, over everything that can happen.
 */
function gradient(params: typeof plain): number {
  const [p, q] = [0.3, 0.6];
  const R = (a: number, b: number): number => [0, 1, 3, 7][2 * a + b]!;
  let sum = 0;
  for (let w = 0; w < 32; w++) {
    const [a, b, fork, c, d] = [0, 1, 2, 3, 4].map((k) => (w >> k) & 1) as [number, number, number, number, number];
    const chance = (x: number, of: number): number => (x === 1 ? of : 1 - of);
    const weight = chance(a, p) * chance(b, q) * chance(fork, q) * chance(c, p) * chance(d, q);
    const A = first(
      [{ reward: [0, R(a, b)] }, { reward: [0, R(a, fork)], parent: 0, branchStep: 1 }, { reward: [0, R(c, d)] }],
      params,
    );
    sum += weight * (A[0]! * (a - p) + A[1]! * (a - p) + A[2]! * (c - p));
  }
  return sum / 3;
}

test('over all that can happen, its gradient is the true one; that of plain RLOO is too small', () => {
  // d/dlogit of E[R]: p(1 − p)·(E[R|1] − E[R|0])
  const exact = 0.3 * 0.7 * (3 * 0.4 + 7 * 0.6 - 1 * 0.6);
  expect(gradient(left)).toBeCloseTo(exact, 5);
  expect(gradient(plain)).toBeLessThan(0.8 * exact);
});

test('roots are found through forks of forks; a stranger or a circle is no family', () => {
  const of = (parent: number[], task = parent.map(() => 0)) => [
    ...rootsOf({ B: parent.length, taskIndex: Uint32Array.from(task), branchParent: Int32Array.from(parent) }),
  ];
  expect(of([-1, -1, 0, 2, 1])).toEqual([0, 1, 0, 0, 1]);
  expect(of([1, -1])).toEqual([1, 1]);
  expect(of([-1, 0], [0, 1])).toEqual([0, 1]);
  expect(of([9, 0])).toEqual([0, 0]);
  expect(new Set(of([1, 2, 0])).size).toBe(1);
});

test('forks are not independent: a half where each root has one, little where one root has all of them', () => {
  expect(independentShare([0, 1, 2])).toBe(1);
  expect(independentShare([0, 1, 0, 1])).toBe(0.5);
  expect(independentShare([0, 0, 0, 0])).toBe(0.25);
  // (4)² / (9 + 1) of 4
  expect(independentShare([0, 0, 0, 3])).toBe(0.4);
});
