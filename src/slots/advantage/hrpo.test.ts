import { expect, test } from 'vitest';
import { STEP_ROLES } from '../../contract/units.ts';
import { defaultsOf } from '../../core/settings.ts';
import { grpo } from './grpo.ts';
import { hrpo, rationality } from './hrpo.ts';
import { sampleBatch } from './sampleBatch.ts';

const [a, w, g] = ['action', 'switch', 'subgoal'].map((role) => STEP_ROLES.indexOf(role as never)) as [
  number,
  number,
  number,
];
const base = sampleBatch([
  { reward: [0, 0, 0, 0, 0, 1], decides: [g, a, w, g, a, a] },
  { reward: [0, 0, 0], decides: [g, a, w] },
]);
const batch = {
  ...base,
  // row 0: subgoal 1 is reached; then 1 again, which held already. Row 1: subgoal 2, never reached
  subgoal: Uint8Array.of(0, 1, 1, 0, 1, 1, 1, 0, 2, 2, 2, 0, 0, 0),
  subgoalHeld: Uint8Array.of(0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0),
};
const settings = { ...defaultsOf(hrpo.params), mu: 0.25 };

test('by hand: +1 for a subgoal that was reached, −1 for one that held, 0 for actions, switches and failures', () => {
  expect([...rationality(batch)]).toEqual([1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0]);
  const s = Math.SQRT1_2;
  const { A } = hrpo.run(batch, settings);
  // R = 1 and 0: ±0.5 over a sample std of 0.7071
  [s + 0.25, s, s, s - 0.25, s, s, -s, -s, -s, 0, 0, 0].forEach((x, k) => expect(A[k]).toBeCloseTo(x, 5));
});

test('without a weight it is GRPO, and choices add up with the outcome', () => {
  expect(hrpo.run(batch, { ...settings, mu: 0 }).A).toEqual(grpo.run(batch, defaultsOf(grpo.params)).A);
  const { A, parts } = hrpo.run(batch, settings);
  A.forEach((x, k) => expect(x).toBe(Math.fround(parts!['episode']![k]! + parts!['choice']![k]!)));
});

test('u is not compared with the group: where all episodes agree, it is all there is', () => {
  const equal = { ...batch, outcome: Float32Array.of(1, 1) };
  expect([...hrpo.run(equal, settings).A]).toEqual([0.25, 0, 0, -0.25, 0, 0, 0, 0, 0, 0, 0, 0]);
});
