import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleBatch } from '../advantage/sampleBatch.ts';
import { beatenShare, pairwise } from './pairwise.ts';

test('by hand: the best beats all, two equal ones tie, the last beats nobody; one alone ½', () => {
  // 3 beats three of three; each 1 beats the 0 and ties once: 1½ of three
  expect(beatenShare([1, 3, 1, 0])).toEqual([0.5, 1, 0.5, 0]);
  expect(beatenShare([7])).toEqual([0.5]);
  expect(beatenShare([2, 2])).toEqual([0.5, 0.5]);
});

const returns = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 12 });

test('an increasing map of the returns changes nothing, and a decreasing one turns the shares around', () => {
  fc.assert(
    fc.property(returns, fc.double({ min: 0.1, max: 5, noNaN: true }), (R, a) => {
      const shares = beatenShare(R);
      expect(beatenShare(R.map((x) => a * x ** 3 + x - 40))).toEqual(shares);
      expect(beatenShare(R.map((x) => -Math.exp(-x)))).toEqual(shares);
      beatenShare(R.map((x) => -x)).forEach((x, i) => expect(x).toBeCloseTo(1 - shares[i]!, 12));
    }),
  );
});

test('the mean of a group is always ½, and who wins more is paid more', () => {
  fc.assert(
    fc.property(returns, (R) => {
      const shares = beatenShare(R);
      expect(shares.reduce((sum, x) => sum + x, 0) / R.length).toBeCloseTo(0.5, 12);
      R.forEach((x, i) => R.forEach((y, j) => x > y && expect(shares[i]!).toBeGreaterThan(shares[j]!)));
    }),
  );
});

test('it is paid at the last step of each episode, each group by itself, whatever its steps were paid', () => {
  // returns 1 and 5 in one group, 2 and 2 in the other; three steps at most
  const rows = [
    { task: 0, reward: [0, 1] },
    { task: 0, reward: [5] },
    { task: 1, reward: [0, 0, 2] },
    { task: 1, reward: [1, 1] },
  ];
  const out = new Float32Array(12);
  pairwise.run(sampleBatch(rows, 3), {}, out, {});
  expect([...out]).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0.5, 0, 0.5, 0]);
});
