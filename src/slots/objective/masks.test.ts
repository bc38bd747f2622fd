import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenStack } from '../../check/conformance/golden.ts';
import { CLIP, LEFT_OUT } from '../../core/math/clip.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { objectives } from '../methods.ts';
import type { Coefficient, Objective, UnitSet } from '../types.ts';
import { dppo } from './dppo.ts';
import { onPolicyRows, topEntropy, withMasks, type Masks } from './masks.ts';
import { ppoClip } from './ppoClip.ts';
import { reinforce } from './reinforce.ts';

const OFF: Masks = { topEntropy: 1, offPolicyKl: 0 };
type Rows = { A: number[]; delta: number[]; trajectory: number[]; entropy?: number[] };

const setOf = ({ A, delta, trajectory, entropy }: Rows): UnitSet => ({
  ...{ A: Float64Array.from(A), delta: Float64Array.from(delta), logp: Float64Array.from(A, () => -1) },
  ...(entropy ? { entropy: Float64Array.from(entropy) } : {}),
  meanChange: new Float64Array(A.length),
  // two actions of probability e⁻¹ and what is left
  powers: { squares: new Float64Array(A.length).fill(0.535), cubes: new Float64Array(A.length).fill(0.302) },
  weight: new Float64Array(A.length).fill(1),
  ...{ prox: new Float64Array(A.length), trajectory: Uint32Array.from(trajectory) },
  ...{ outcome: new Float32Array(new Set(trajectory).size), task: new Uint32Array(new Set(trajectory).size) },
  scoreNorms: (members) => new Float64Array(members.length).fill(1),
  draw: () => 0,
});

function judge(objective: Objective, rows: Rows): Coefficient[] {
  const params: AnyValues = defaultsOf(objective.params);
  const mark = new Float64Array(rows.A.length);
  objective.survey?.(setOf(rows), params, mark);
  return rows.A.map((A, u) => {
    const out = { loss: 9, kappa: 9, clip: 9 };
    objective.coefficient({ A, delta: rows.delta[u]!, logp: -1, mark: mark[u]! }, params, out);
    return out;
  });
}

test('the quantile of entropies is interpolated, and whoever reaches it stays, by hand', () => {
  // 1 − 0.4 = 0.6 of the way over four gaps of 0, 1, 2, 3, 4: 2.4
  expect([...topEntropy(Float64Array.of(4, 0, 3, 1, 2), 0.4)]).toEqual([1, 0, 1, 0, 0]);
  // half of 0, 1, 2 is 1, which stays
  expect([...topEntropy(Float64Array.of(0, 1, 2), 0.5)]).toEqual([0, 1, 1]);
  expect([...topEntropy(Float64Array.of(1, 1, 1), 0.01)]).toEqual([1, 1, 1]);
});

test('a row that failed and that the policy has left on average is left out; winners and rows it came nearer to stay, by hand', () => {
  const rows = {
    A: [-1, -1, 1, 1, -1, -1, -2, 1],
    // means of log π_old − log π: 0.3, 2, −1, 0.3; the last row fails on average
    delta: [-0.5, -0.1, -2, -2, 2, 0, -0.6, 0],
    trajectory: [0, 0, 1, 1, 2, 2, 3, 3],
  };
  expect([...onPolicyRows(setOf(rows), 0.25)]).toEqual([0, 0, 1, 1, 1, 1, 0, 0]);
  expect([...onPolicyRows(setOf(rows), 0.35)]).toEqual(rows.A.map(() => 1));
});

const number = fc.double({ min: -3, max: 3, noNaN: true });
const units = fc.array(fc.tuple(number, number, fc.double({ min: 0, max: 2, noNaN: true })), {
  minLength: 1,
  maxLength: 12,
});

test('both masks off leave the objective as it is', () => {
  expect(withMasks(ppoClip as Objective, OFF)).toBe(ppoClip);
});

test('the higher the share, the more stay, and at least the least certain one does', () => {
  fc.assert(
    fc.property(units, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, q) => {
      const H = Float64Array.from(all, ([, , h]) => h);
      const [few, more] = [topEntropy(H, q / 2), topEntropy(H, q)];
      few.forEach((is, u) => expect(is).toBeLessThanOrEqual(more[u]!));
      expect(few[H.indexOf(Math.max(...H))]).toBe(1);
      // it is a threshold: nothing above a kept one is left out
      more.forEach((is, u) => is === 1 && H.forEach((h, v) => h >= H[u]! && expect(more[v]).toBe(1)));
      expect(topEntropy(H, 1).every((is) => is === 1)).toBe(true);
    }),
  );
});

test('no row is left out on policy, nor with credit that is not negative', () => {
  fc.assert(
    fc.property(units, fc.double({ min: 1e-6, max: 2, noNaN: true }), (all, limit) => {
      const trajectory = all.map((_, u) => u >> 1);
      const fresh = setOf({ A: all.map(([A]) => A), delta: all.map(() => 0), trajectory });
      const winners = setOf({ A: all.map(([A]) => Math.abs(A)), delta: all.map(([, d]) => d), trajectory });
      for (const set of [fresh, winners]) expect(onPolicyRows(set, limit).every((is) => is === 1)).toBe(true);
    }),
  );
});

test.each((objectives as readonly Objective[]).map((o) => [o.id, o] as const))(
  '%s: a unit that is left out has no gradient, and the others have that of the objective',
  (_, objective) => {
    fc.assert(
      fc.property(units, (all) => {
        const rows = {
          ...{ A: all.map(([A]) => A), delta: all.map(([, d]) => d), entropy: all.map(([, , h]) => h) },
          trajectory: all.map((_unit, u) => Math.floor(u / 3)),
        };
        const plain = judge(objective, rows);
        const masked = judge(withMasks(objective, { topEntropy: 0.5, offPolicyKl: 0.5 }), rows);
        const kept = topEntropy(Float64Array.from(rows.entropy), 0.5);
        const near = onPolicyRows(setOf(rows), 0.5);
        masked.forEach((c, u) =>
          expect(c).toEqual(kept[u] && near[u] ? plain[u] : { loss: 0, kappa: 0, clip: CLIP.dropped }),
        );
      }),
      { numRuns: 40 },
    );
  },
);

test('a number that is none is not hidden by a mask', () => {
  const rows = { A: [-1, NaN], delta: [NaN, 0], trajectory: [0, 1], entropy: [0, 0.1] };
  const masked = withMasks(ppoClip as Objective, { topEntropy: 0.01, offPolicyKl: 0.1 });
  for (const c of judge(masked, { ...rows, entropy: [0, 0] })) expect(c.kappa).toBeNaN();
  // the unit of entropy 0 would be left out
  for (const c of judge(masked, rows)) expect(c.kappa).toBeNaN();
});

test('an objective that looked at nothing now looks at the minibatch', () => {
  const masked = withMasks(reinforce as Objective, { ...OFF, topEntropy: 0.5 });
  expect(masked.readsEntropy).toBe(true);
  const mark = new Float64Array(2);
  const set = setOf({ A: [1, 1], delta: [0, 0], trajectory: [0, 1], entropy: [0, 1] });
  masked.survey!(set, {}, mark);
  expect([...mark]).toEqual([LEFT_OUT, 0]);
  // its WGSL still finds the last of its numbers there
  const kl: AnyValues = { ...defaultsOf(dppo.params), form: 'kl' };
  withMasks(dppo as Objective, { ...OFF, topEntropy: 0.5 }).survey!(set, kl, mark);
  expect([...mark]).toEqual([LEFT_OUT, (dppo as Objective).uniforms(kl)[3]]);
});

test.each(['topEntropyMask', 'offPolicyMask'])('%s equals the released code in every case', (key) => {
  const entries = goldenStack(key);
  expect(entries.length).toBe(4);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
