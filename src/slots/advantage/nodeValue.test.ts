import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowPlan } from '../../contract/rows.ts';
import { defaultsOf } from '../../core/settings.ts';
import { grownTree, type SearchRule } from '../rollout/deepSearch/tree.ts';
import { nodeValues, ownerHeads } from './forkTree.ts';
import { nodeValue } from './nodeValue.ts';
import { sampleBatch, type SampleTrajectory } from './sampleBatch.ts';

const params = defaultsOf(nodeValue.params);
const all = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Two begin at the start and fail, the second surer of itself; two go on from its first step, and one of them succeeds. */
const list: SampleTrajectory[] = [
  { reward: [0, 0], entropy: [1, 1] },
  { reward: [0, 0, 0, 0], entropy: [0.5, 0.5, 0.5, 0.5] },
  { reward: [0, 1], entropy: [0.5, 0.5], parent: 1, branchStep: 1 },
  { reward: [0, 0], entropy: [0.5, 0.1], parent: 1, branchStep: 1 },
];

test('by hand: of each opening one leaf is backed up, and a success takes the place of the failure', () => {
  const batch = sampleBatch(list);
  const { chosen, value, visits } = nodeValues(batch, all(4), ownerHeads(batch));
  expect(chosen).toEqual([1, 2]);
  // −1/4, −2/4, −3/4, −1 on the way of the failure; then the success: 1/2 in the shared state, 1 at its end
  expect([...value].sort(([a], [b]) => a - b)).toEqual([
    [4, 0.5],
    [5, -0.5],
    [6, -0.75],
    [7, -1],
    [9, 1],
  ]);
  expect([visits.get(4), visits.get(5), visits.get(9)]).toEqual([2, 1, 1]);
  const { A, keep } = nodeValue.run(batch, params);
  expect([...keep!]).toEqual([0, 1, 1, 0]);
  // ends −1 and 1: mean 0, std 1
  const expected = [0, 0, 0, 0, Math.tanh(0.5), Math.tanh(-0.5), Math.tanh(-0.75), -1, Math.tanh(0.5), 1, 0, 0];
  [...expected, 0, 0, 0, 0].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 5));
});

test('the paper only centers, and a high temperature leaves values as they are', () => {
  const three: SampleTrajectory[] = [...list, { reward: [0, 0, 1], entropy: [0.5, 0, 0], parent: 1, branchStep: 2 }];
  const { A } = nodeValue.run(sampleBatch(three), { temperature: 100, divide: false });
  // ends −1, 1, 1: mean 1/3; the last one shares two steps: 1/2 + 1/3 and 2/3 in the place of −1/2
  const [fifth, second] = [A.subarray(16, 19), A.subarray(8, 10)];
  [(100 * Math.tanh((1 / 2 + 1 / 3) / 100)) / 100 - 1 / 3, Math.tanh(2 / 300) - 1 / 3, 1 - 1 / 3].forEach((a, t) =>
    expect(fifth[t]).toBeCloseTo(a, 5),
  );
  expect(second[0]).toBe(fifth[0]);
  expect(second[1]).toBeCloseTo(2 / 3, 6);
});

test('a task whose ends agree, and an episode alone, have no credit; without forks it is a comparison of outcomes', () => {
  const failed = list.map((one) => ({ ...one, success: false }));
  const none = nodeValue.run(sampleBatch(failed), params);
  expect(none.A.every((a) => a === 0)).toBe(true);
  expect([...none.keep!]).toEqual([0, 1, 0, 1]);
  expect(nodeValue.run(sampleBatch(list.slice(0, 1)), params).A.every((a) => a === 0)).toBe(true);
  // ±1: mean −1/2, std over n √3/2
  const plain = sampleBatch([0, 0, 0, 1].map((won) => ({ reward: [0, won] })));
  const { A, keep } = nodeValue.run(plain, params);
  [-0.5, -0.5, -0.5, 1.5].forEach((x, i) => expect(A[2 * i + 1]).toBeCloseTo(x / (Math.sqrt(3) / 2), 5));
  expect(A[6]).toBe(A[7]);
  expect([...keep!]).toEqual([1, 1, 1, 1]);
});

const rule: SearchRule = { width: 2, maxDepth: 20, wValue: 0.4, wEntropy: 0.4, wDepth: 0.01 };
const episode = fc.record({
  length: fc.integer({ min: 3, max: 7 }),
  won: fc.boolean(),
  entropy: fc.array(fc.integer({ min: 0, max: 64 }), { minLength: 7, maxLength: 7 }),
});

test('the values are those by which the search went on, whatever it met', () => {
  fc.assert(
    fc.property(fc.array(episode, { minLength: 8, maxLength: 8 }), (drawn) => {
      // grown as a run grows it: two at the start, then two wherever F is largest
      const rows: (Pick<RowPlan, 'parent' | 'branchStep'> & { length: number; won: boolean; entropy: number[] })[] = [];
      const seen = {
        length: (row: number) => rows[row]!.length,
        isCorrect: (row: number) => rows[row]!.won,
        entropy: (row: number, t: number) => rows[row]!.entropy[t]!,
        meanEntropy: (row: number) =>
          rows[row]!.entropy.slice(0, rows[row]!.length).reduce((a, b) => a + b) / rows[row]!.length,
      };
      for (let k = 0; k < 8; k += 2) {
        const next = k === 0 ? null : grownTree(seen, k, rule).frontier();
        if (k > 0 && !next) return;
        for (const { length, won, entropy } of drawn.slice(k, k + 2)) {
          const shared = next ? rows[next.row]!.entropy.slice(0, next.step) : [];
          rows.push({
            ...(next ? { parent: next.row, branchStep: next.step } : {}),
            length: Math.max(length, shared.length + 1),
            won,
            entropy: [...shared, ...entropy.slice(shared.length), 0, 0, 0],
          });
        }
      }
      const batch = sampleBatch(
        rows.map(({ length, won, entropy, ...from }) => ({
          ...from,
          reward: Array(length).fill(0) as number[],
          success: won,
          entropy: entropy.slice(0, length),
        })),
      );
      const owner = ownerHeads(batch);
      const { value, visits } = nodeValues(batch, all(8), owner);
      const tree = grownTree(seen, 8, rule);
      rows.forEach(({ length }, row) => {
        for (let t = 1; t <= length; t++) {
          const node = owner[row * batch.T + t - 1]!;
          expect((value.get(node) ?? 0) / (visits.get(node) ?? 1)).toBeCloseTo(tree.q(row, t), 9);
        }
      });
    }),
  );
});
