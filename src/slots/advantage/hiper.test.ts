import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEP_ROLES } from '../../contract/units.ts';
import { defaultsOf } from '../../core/settings.ts';
import { keepPenalties } from './hierarchy/keepPenalties.ts';
import { keepCost } from '../reward/keepCost.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { generalizedAdvantage } from './generalizedAdvantage.ts';
import { flatSteps, hierarchicalSteps } from './hierarchy/stepCredit.ts';
import { hiper } from './hiper.ts';
import { sampleBatch } from './sampleBatch.ts';

const rule = { ...defaultsOf(hiper.params), gamma: 0.9, lambdaLow: 0.8, lambdaHigh: 0.7, cut: 'final' } as never as {
  readonly gamma: number;
  readonly lambdaLow: number;
  readonly lambdaHigh: number;
  readonly cut: 'final';
};
const rolesOf = (...names: readonly string[]): number[] => names.map((name) => STEP_ROLES.indexOf(name as never));
const close = (got: ArrayLike<number>, want: readonly number[]): void => {
  for (let k = 0; k < want.length; k++) expect(Math.abs(got[k]! - want[k]!), `${k}: ${got[k]}`).toBeLessThan(1e-5);
};

// the example of hierarchy/hae.test.ts: two segments of two steps and one, as steps of their own
const decides = rolesOf('subgoal', 'action', 'switch', 'action', 'switch', 'subgoal', 'action');
const example = sampleBatch(
  [
    {
      ...{ decides, reward: [0, 0, 0, 0.5, 0, 0, 1], value: [0.5, 0.25, 0.25, 0.5, 0.5, 1, 0.75] },
      ...{ state: [1, 2, 3, 4, 5, 6, 7], terminated: true },
    },
  ],
  7,
);

test('two segments by hand: each decision has the credit of its level, and the first step no switch', () => {
  const { adv, target } = hierarchicalSteps(example, rule);
  close(adv, [0.76, 0.848, 1.15, 0.9, 0.5, 0, 0.25]);
  close(target, [1.26, 1.098, 1.4, 1.4, 1, 1, 1]);
  // each level by itself: two subgoals, two switches, three actions
  const { A } = hiper.run(example, { ...defaultsOf(hiper.params), ...rule } as never);
  close([A[0]!, A[5]!, A[2]!, A[4]!], [1, -1, 1, -1]);
  expect(A[1]! + A[3]! + A[6]!).toBeCloseTo(0, 5);
});

test('one chain by hand: a decision costs no time, and one step more of the chain is one step of the world', () => {
  const { adv } = flatSteps(example, { ...rule, lambdaLow: 0 });
  // from the end: 1 − 0.75; 0.75 − 1 and that; 1 − 0.5 and that; 0.5 + 0.9·0.5 − 0.5; 0.5 − 0.25 and that; 0.9·0.25 − 0.25; …
  close(adv, [-0.275, -0.025, 0.7, 0.45, 0.5, 0, 0.25]);
});

test('without a planner both are GAE', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const plain = { ...batch, decides: new Uint8Array(batch.B * batch.T) };
      const want = generalizedAdvantage(plain, 0.9, 0.8, 'bootstrap');
      for (const of of [hierarchicalSteps, flatSteps]) {
        close(of(plain, rule).adv, [...want.adv]);
        close(of(plain, rule).target, [...want.target]);
      }
    }),
    { numRuns: 40 },
  );
});

test('λ = 1 and values that agree: both judge a decision by all that came after it', () => {
  // V of a decision is that of the next one: what is set and kept changes nothing
  const zero = { ...example, value: new Float32Array(7), valueFinal: Float32Array.of(0) };
  const all = { ...rule, lambdaLow: 1, lambdaHigh: 1, gamma: 1 };
  const [each, flat] = [hierarchicalSteps(zero, all).adv, flatSteps(zero, all).adv];
  expect([each[0], flat[0]]).toEqual([1.5, 1.5]);
  // but an action sees no reward beyond its segment unless V_hi tells of it
  expect([each[1], flat[1]]).toEqual([0.5, 1.5]);
});

test('entries of a plan share what came of the episode', () => {
  const batch = sampleBatch(
    [
      {
        ...{ decides: rolesOf('plan', 'plan', 'action', 'action'), reward: [0, 0, 0, 1], value: [0.25, 0.5, 0.5, 0.5] },
        ...{ state: [1, 2, 3, 4], terminated: true },
      },
    ],
    4,
  );
  const { adv, target } = hierarchicalSteps(batch, { ...rule, gamma: 0.5 });
  close(target, [0.5, 0.5]);
  close(adv, [0.25, 0]);
});

test('what was decided before a cut, with no action after it, gets nothing', () => {
  const batch = sampleBatch(
    [
      {
        ...{ decides: rolesOf('subgoal', 'action', 'switch'), reward: [0, 0, 0], value: [0.5, 0.25, 0.75] },
        ...{ state: [1, 2, 3], terminated: false, valueFinal: 1 },
      },
    ],
    3,
  );
  const { adv, target } = hierarchicalSteps(batch, rule);
  expect([adv[2], target[2]]).toEqual([0, 0.75]);
});

test('keeping costs what the released code takes, by its definition over steps of the world', () => {
  const steps = sampleBatch(
    [
      {
        decides: rolesOf('subgoal', 'action', 'switch', 'action', 'switch', 'subgoal', 'action', 'switch', 'action'),
        ...{ reward: [0, 0, 0, 0, 0, 0, 0, 0, 1], state: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
      },
      { decides: rolesOf('subgoal', 'action'), reward: [0, 0], state: [1, 2] },
    ],
    9,
  );
  const batch = {
    ...{ B: 2, T: 4, length: [4, 1], reward: [0, 0, 0, 1, 0, 0, 0, 0], invalid: Array<number>(8).fill(0) },
    ...{ switched: [0, 0, 1, 0, 0, 0, 0, 0], subgoal: [1, 1, 2, 2, 0, 0, 0, 0] },
  };
  for (const spread of ['fixed', 'normalized'] as const) {
    const out = new Float32Array(18);
    keepCost.run(steps, { w: 0.4, spread }, out, undefined as never);
    const want = keepPenalties(batch, { keep: -0.4, spread, inconsistent: 0, refused: 0 });
    // the switch steps before actions 1 and 3
    close([out[2]!, out[7]!], [want[1]!, want[3]! - 1]);
    expect(out.reduce((n, x) => n + Number(x !== 0), 0)).toBe(2);
  }
});
