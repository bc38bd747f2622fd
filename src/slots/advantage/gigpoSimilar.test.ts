import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { gigpo } from './gigpo.ts';
import { gigpoSimilar } from './gigpoSimilar.ts';
import { sampleBatch } from './sampleBatch.ts';
import { similarHeads } from './similarity.ts';

const byCells = (threshold: number) => ({ threshold, compare: 'cells' }) as const;

test('a step joins the first cluster that is similar enough, and clusters do not merge', () => {
  // Three of four cells are enough. b is like a and like c, but a and c are not alike: b joins a, c opens its own.
  const [a, b, c] = [
    [0, 0, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 1, 1],
  ] as const;
  const list = [{ reward: [0, 0, 0, 0], cells: [a, c, b, c] }];
  expect([...similarHeads(sampleBatch(list), byCells(0.75))]).toEqual([0, 1, 0, 1]);
  const turned = [{ reward: [0, 0, 0], cells: [c, b, a] }];
  expect([...similarHeads(sampleBatch(turned), byCells(0.75))]).toEqual([0, 0, 2]);
  const tasks = [
    { reward: [0], cells: [a] },
    { task: 1, reward: [0], cells: [a] },
  ];
  expect([...similarHeads(sampleBatch(tasks), byCells(0.75))]).toEqual([0, 1]);
});

test('the search through blocks finds what comparing with every cluster finds', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, fc.constantFrom(0, 0.25, 0.5, 0.75, 1), (list, threshold) => {
      const batch = sampleBatch(list);
      const cells = (k: number): Uint32Array => batch.obsCells!.subarray(4 * k, 4 * k + 4);
      const first: { task: number; k: number }[] = [];
      const want = Int32Array.from(similarHeads(batch, byCells(threshold)), (h, k) => {
        if (h < 0) return -1;
        const task = batch.taskIndex[Math.floor(k / batch.T)]!;
        const same = (j: number): number => cells(j).filter((x, c) => x === cells(k)[c]).length / 4;
        const found = first.find((c) => c.task === task && same(c.k) >= threshold);
        if (!found) first.push({ task, k });
        return found?.k ?? k;
      });
      expect(similarHeads(batch, byCells(threshold))).toEqual(want);
    }),
  );
});

test('with threshold 1 and cells that tell the states apart it is GiGPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list.map((x) => ({ ...x, cells: x.state!.map((s) => [s, 7]) })));
      const params = defaultsOf(gigpoSimilar.params);
      const { threshold: _threshold, ...shared } = params;
      expect(gigpoSimilar.run(batch, { ...params, threshold: 1 })).toEqual(gigpo.run(batch, shared));
    }),
  );
});

test('with threshold 0 all steps of a task are one cluster', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      const head = similarHeads(batch, byCells(0));
      head.forEach((h, k) => {
        if (h >= 0) expect(h).toBe(batch.taskIndex.indexOf(batch.taskIndex[Math.floor(k / batch.T)]!) * batch.T);
      });
    }),
  );
});

test('texts that agree in long passages are alike, wherever these stand', () => {
  // abcd and bcde share bcd: 2·3/8; as cells nothing of them agrees. Zeros stand behind the end.
  const [abcd, bcde, xyz] = [
    [1, 2, 3, 4, 0],
    [2, 3, 4, 5, 0],
    [7, 8, 9, 0, 0],
  ] as const;
  const batch = sampleBatch([
    { reward: [0, 0, 0], cells: [abcd, xyz, bcde] },
    { task: 1, reward: [0], cells: [bcde] },
  ]);
  expect([...similarHeads(batch, { threshold: 0.75, compare: 'text' })]).toEqual([0, 1, 0, 3, -1, -1]);
  expect([...similarHeads(batch, { threshold: 0.76, compare: 'text' })]).toEqual([0, 1, 2, 3, -1, -1]);
  expect([...similarHeads(batch, byCells(0.75))]).toEqual([0, 1, 2, 3, -1, -1]);
});

test.each(['gigpoSimilarStd'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
