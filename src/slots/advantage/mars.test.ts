import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { mars } from './mars.ts';
import { sampleBatch } from './sampleBatch.ts';

test('two players are not compared with each other, by hand', () => {
  // Player 0: r = 1, 0 → r′ = ±0.5, B = 0, −0.5 with mean −0.25 → 0.25, −0.25. Player 1 has one turn: 0.
  const list = [
    { role: 0, reward: [1, 0] },
    { role: 1, reward: [5] },
  ];
  expect([...mars.run(sampleBatch(list), { whitened: false }).A]).toEqual([0.25, -0.25, 0, 0]);
});

test('the credit of a player adds up to 0, and a constant added to each reward changes nothing', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, fc.integer({ min: -4, max: 4 }), (list, c) => {
      const batch = sampleBatch(list);
      const { A } = mars.run(batch, { whitened: false });
      const more = mars.run(sampleBatch(list.map((x) => ({ ...x, reward: x.reward.map((r) => r + c) }))), {
        whitened: false,
      }).A;
      const total = [0, 0];
      A.forEach((a, k) => (total[batch.role![Math.floor(k / batch.T)]!]! += a));
      for (const t of total) expect(Math.abs(t)).toBeLessThan(1e-3);
      A.forEach((a, k) => expect(Math.abs(a - more[k]!)).toBeLessThan(1e-4));
    }),
  );
});

test('a batch without players has one', () => {
  const { role: _role, ...batch } = sampleBatch([{ reward: [1, 0] }, { reward: [0], role: 1 }]);
  const one = sampleBatch([{ reward: [1, 0] }, { reward: [0] }]);
  expect(mars.run(batch, { whitened: true }).A).toEqual(mars.run(one, { whitened: true }).A);
});

test.each(['mars'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
