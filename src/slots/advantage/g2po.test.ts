import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { g2po } from './g2po.ts';
import { grpo } from './grpo.ts';
import { drGrpo } from './drGrpo.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = { ...defaultsOf(g2po.params), gamma: 0.5 };

test('a fork of a success and a failure, by hand', () => {
  // γ = ½. State 7: (¼·1 + 0)/2 = ⅛; state 8: ½; state 9: 0. Ends: 1 and 0.
  // Next at 7: ½, 0 → ±¼. Gains ⅜, ½, −⅛, 0 with mean 3/16.
  const list = [
    { reward: [0, 1], state: [7, 8] },
    { reward: [0, 0], state: [7, 9] },
  ];
  const { parts } = g2po.run(sampleBatch(list), params);
  expect([...parts!['episode']!]).toEqual([0.5, 0.5, -0.5, -0.5]);
  expect([...parts!['next']!]).toEqual([0.25, 0, -0.25, 0]);
  expect([...parts!['gain']!]).toEqual([0.1875, 0.3125, -0.3125, -0.1875]);
});

test('an episode that was cut ends with value 0, wherever it stood', () => {
  const list = [
    { reward: [0, 1], state: [7, 8] },
    { reward: [0], state: [7], finalState: 8, terminated: false },
  ];
  // V(8) = ½ of the first; the second stood there too, but its next value is 0: ±¼ at state 7
  const { parts } = g2po.run(sampleBatch(list), params);
  expect([...parts!['next']!]).toEqual([0.25, 0, -0.25, 0]);
});

test('ω = 0 is Dr. GRPO, or GRPO when divided by the spread', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      expect(g2po.run(batch, { ...params, omega: 0 }).A).toEqual(drGrpo.run(batch, defaultsOf(drGrpo.params)).A);
      expect(g2po.run(batch, { ...params, omega: 0, mode: 'std' }).A).toEqual(
        grpo.run(batch, defaultsOf(grpo.params)).A,
      );
    }),
  );
});
