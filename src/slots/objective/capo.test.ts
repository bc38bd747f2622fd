import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exp } from '../../core/fmath.ts';
import { defaultsOf, type ValuesOf } from '../../core/settings.ts';
import { CLIP } from '../../core/math/clip.ts';
import type { UnitSet } from '../types.ts';
import { capo, curvature, foreseen, keptUnits } from './capo.ts';

const usual = { ...(defaultsOf(capo.params) as ValuesOf<typeof capo.params>), step: 1 };

type Sample = { readonly A: number; readonly delta: number; readonly z: readonly number[] };
const softmax = (z: readonly number[]): number[] => {
  const e = z.map((x) => exp(x));
  const total = e.reduce((a, b) => a + b, 0);
  return e.map((x) => x / total);
};

/** The sampled action is the first. */
function setOf(units: readonly Sample[]): UnitSet {
  const p = units.map(({ z }) => softmax(z));
  const f64 = (of: (u: number) => number): Float64Array => Float64Array.from(units, (_, u) => of(u));
  const power = (u: number, k: number): number => p[u]!.reduce((sum, x) => sum + x ** k, 0);
  return {
    ...{ A: f64((u) => units[u]!.A), delta: f64((u) => units[u]!.delta), logp: f64((u) => Math.log(p[u]![0]!)) },
    ...{ prox: f64(() => 0), weight: f64(() => 1) },
    powers: { squares: f64((u) => power(u, 2)), cubes: f64((u) => power(u, 3)) },
    ...{ trajectory: new Uint32Array(units.length), outcome: Float32Array.of(1), task: new Uint32Array(1) },
    ...{ scoreNorms: () => new Float64Array(1), draw: () => 0 },
  };
}
const sample: fc.Arbitrary<Sample> = fc.record({
  A: fc.double({ min: -3, max: 3, noNaN: true }),
  delta: fc.double({ min: -1, max: 1, noNaN: true }),
  z: fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 4, maxLength: 4 }),
});
const units = fc.array(sample, { minLength: 1, maxLength: 60 });
const gone = (kept: Uint8Array): number => kept.filter((k) => k === 0).length;

test('two equal actions by hand: p = (½, −½), ‖p‖² = ½, pᵀFp = ¼; one step of size 2 against credit −1', () => {
  expect(curvature(0.5, 0.5, 0.25)).toEqual({ length: 0.5, spread: 0.25 });
  // d = −2p: s = ½·4·¼, o = −(−1) + ½·(−1)·(1 − 1)
  expect(foreseen(-1, -2, { length: 0.5, spread: 0.25 })).toEqual({ s: 0.5, o: 1 });
});

test('the two sums are those of the matrices, for any number of actions', () => {
  fc.assert(
    fc.property(sample, ({ z }) => {
      const pi = softmax(z);
      const p = pi.map((x, b) => (b === 0 ? 1 : 0) - x);
      const F = pi.map((x, a) => pi.map((y, b) => (a === b ? x : 0) - x * y));
      const spread = p.reduce((sum, x, a) => sum + x * F[a]!.reduce((row, f, b) => row + f * p[b]!, 0), 0);
      const got = curvature(
        pi[0]!,
        pi.reduce((s, x) => s + x * x, 0),
        pi.reduce((s, x) => s + x ** 3, 0),
      );
      expect(got.spread).toBeCloseTo(spread, 12);
      expect(got.length).toBeCloseTo(
        p.reduce((s, x) => s + x * x, 0),
        12,
      );
    }),
  );
});

test('s is the KL of the move up to third order: a tenth of the step leaves a thousandth of the difference', () => {
  fc.assert(
    fc.property(sample, ({ z }) => {
      const pi = softmax(z);
      const of = curvature(
        pi[0]!,
        pi.reduce((s, x) => s + x * x, 0),
        pi.reduce((s, x) => s + x ** 3, 0),
      );
      for (const by of [0.1, 0.01]) {
        const moved = softmax(z.map((x, b) => x + by * ((b === 0 ? 1 : 0) - pi[b]!)));
        const kl = pi.reduce((sum, x, b) => sum + x * Math.log(x / moved[b]!), 0);
        expect(Math.abs(kl - foreseen(1, by, of).s)).toBeLessThan(2 * by ** 3);
      }
    }),
  );
});

test('no step leaves nothing out; the share is never exceeded; what has no credit always stays', () => {
  const tight = { ...usual, shift: 0.001, loss: 0.001 };
  fc.assert(
    fc.property(
      units,
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      (u, most, step) => {
        expect(gone(keptUnits(setOf(u), { ...tight, step: 0 }))).toBe(0);
        const set = setOf(u.map((x, k) => (k % 3 === 0 ? { ...x, A: 0 } : x)));
        const kept = keptUnits(set, { ...tight, most, step });
        expect(gone(kept)).toBeLessThanOrEqual(most * u.length);
        for (let k = 0; k < u.length; k += 3) expect(kept[k]).toBe(1);
      },
    ),
  );
});

test('a small enough step leaves nothing out whatever the bounds', () => {
  fc.assert(
    fc.property(units, (u) => {
      expect(gone(keptUnits(setOf(u), { ...usual, shift: 0.01, loss: 0.01, most: 0.5, step: 1e-3 }))).toBe(0);
    }),
  );
});

test('of many beyond the bounds the worst go, and an unlikely action with much blame is the worst of all', () => {
  const calm: Sample = { A: 0.5, delta: 0, z: [0, 0, 0, 0] };
  const wild: Sample = { A: -3, delta: 0, z: [-3, 0, 0, 0] };
  const many = Array.from({ length: 20 }, (_, k) => (k === 7 ? wild : calm));
  const kept = keptUnits(setOf(many), { ...usual, shift: 0.001, loss: 0.001 });
  // r = 8 % of 20 is one whole unit
  expect(Array.from(kept.keys()).filter((k) => kept[k] === 0)).toEqual([7]);
});

test('what is left out has no gradient and is told by its share', () => {
  const set = setOf(Array.from({ length: 20 }, () => ({ A: -3, delta: 0, z: [-3, 0, 0, 0] })));
  const mark = new Float64Array(20);
  const told = capo.survey!(set, usual, mark);
  expect(told && told.measured).toEqual({ rejectedShare: 1 / 20 });
  const out = { loss: 9, kappa: 9, clip: 9 };
  capo.coefficient({ A: -3, delta: 0.2, logp: -1, mark: 0 }, usual, out);
  expect(out).toEqual({ loss: 0, kappa: 0, clip: CLIP.dropped });
  capo.coefficient({ A: -3, delta: 0.2, logp: -1, mark: 1 }, usual, out);
  expect(out).toEqual({ loss: 3 * exp(0.2), kappa: 3 * exp(0.2), clip: CLIP.none });
});
