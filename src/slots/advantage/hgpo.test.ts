import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { gigpo } from './gigpo.ts';
import { hgpo } from './hgpo.ts';
import { contextHeads } from './contextHeads.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = { ...defaultsOf(hgpo.params), mode: 'mean', gamma: 1 } as const;

test('levels one and two of a shared state, by hand', () => {
  // State 7 at t = 1 three times with G = 1, 0, 0: level 0 mean 1/3. After 5 only twice, G = 1, 0: level 1 mean 1/2.
  // First: (1·2/3 + 2·1/2)/3 = 5/9. Second: (−1/3 − 1)/3 = −4/9. Third has company only at level 0: −1/3.
  const list = [
    { reward: [0, 1], state: [5, 7] },
    { reward: [0, 0], state: [5, 7] },
    { reward: [0, 0], state: [6, 7] },
  ];
  const { A } = hgpo.run(sampleBatch(list), { ...params, K: 1 });
  [5 / 9, -4 / 9, -1 / 3].forEach((a, i) => expect(A[i * 2 + 1]).toBeCloseTo(a, 6));
});

test('with K = 0 it is the step part of GiGPO', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const step = gigpo.run(batch, { ...defaultsOf(gigpo.params), mode: 'mean' }).parts!['step']!;
      const { A } = hgpo.run(batch, { ...params, K: 0, gamma: 0.95 });
      A.forEach((a, k) => expect(Math.abs(a - step[k]!)).toBeLessThan(1e-6));
    }),
  );
});

test('with K = 0 and the episode term added it is GiGPO', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const want = gigpo.run(batch, { ...defaultsOf(gigpo.params), mode: 'mean' }).A;
      const { A } = hgpo.run(batch, { ...params, K: 0, gamma: 0.95, episode: 'added' });
      A.forEach((a, k) => expect(Math.abs(a - want[k]!)).toBeLessThan(1e-5));
    }),
  );
});

test('as one more level the episode term takes part in the average, by hand', () => {
  // R = 1, 0, 0: mean ⅓. State 7 as above with recipe weights 2, 3 and the episode level 1: (⅔ + 2·⅔ + 3·½)/6 = 3.5/6
  const list = [
    { reward: [0, 1], state: [5, 7] },
    { reward: [0, 0], state: [5, 7] },
    { reward: [0, 0], state: [6, 7] },
  ];
  const { A } = hgpo.run(sampleBatch(list), { ...params, K: 1, weights: 'recipe', episode: 'level' });
  expect(A[1]).toBeCloseTo(3.5 / 6, 6);
  // state 6 was met once: only the episode level is left
  expect(A[4]).toBeCloseTo(-1 / 3, 6);
});

test('a group of level k + 1 is never larger than its group of level k', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const levels = contextHeads(batch, 3);
      for (let k = 1; k < levels.length; k++) {
        levels[k]!.forEach((head, at) => {
          if (head >= 0) expect(levels[k - 1]![head]).toBe(levels[k - 1]![at]);
        });
      }
    }),
  );
});

test.each(['hgpoStd', 'hgpoMean', 'hgpoRecipe'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
