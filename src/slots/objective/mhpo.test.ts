import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exp, log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { mhpo, mhpoTerm, softened, survival, type Hazards } from './mhpo.ts';

const unlike = fc.double({ min: -3, max: 3, noNaN: true });
const hazards: fc.Arbitrary<Hazards> = fc.record({
  c: fc.double({ min: 0.05, max: log(2), noNaN: true }),
  up: fc.tuple(fc.double({ min: 0.1, max: 5, noNaN: true }), fc.integer({ min: 2, max: 8 })),
  down: fc.tuple(fc.double({ min: 0.1, max: 5, noNaN: true }), fc.integer({ min: 2, max: 8 })),
});
const term = (A: number, delta: number, h: Hazards) => {
  const out = { loss: 0, kappa: 0, clip: 9 };
  mhpoTerm(A, delta, h, out);
  return out;
};

test('by hand: c = ½, λ₊ = 1 and λ₋ = ½ with squares, at Δ = ±½', () => {
  const h: Hazards = { c: 0.5, up: [1, 2], down: [0.5, 2] };
  // tanh 1 = 0.761594…, 1 − tanh² = 0.419974…; w = e^(−1/4) above and e^(−1) below
  expect(term(2, 0.5, h).loss).toBeCloseTo(-2 * Math.exp(0.380797078) * Math.exp(-0.25), 9);
  expect(term(2, 0.5, h).kappa).toBeCloseTo(-2 * Math.exp(0.380797078) * Math.exp(-0.25) * 0.4199743416, 9);
  expect(term(2, -0.5, h).kappa).toBeCloseTo(-2 * Math.exp(-0.380797078) * Math.exp(-1) * 0.4199743416, 9);
});

test('at Δ = 0 the slope is 1 and κ = −A; everywhere |κ| ≤ |A|·e^c, and ρ̃ lies between e^−c and e^c', () => {
  fc.assert(
    fc.property(unlike, unlike, hazards, (A, delta, h) => {
      expect(Math.abs(term(A, 0, h).kappa + A)).toBeLessThan(1e-12);
      expect(softened(0, h.c)).toEqual({ log: 0, slope: 1 });
      expect(Math.abs(term(A, delta, h).kappa)).toBeLessThanOrEqual(Math.abs(A) * exp(h.c));
      expect(Math.abs(softened(delta, h.c).log)).toBeLessThanOrEqual(h.c);
    }),
  );
});

test('κ is the derivative of the loss with w held, and smooth: its own differences agree from both sides', () => {
  const d = 1e-6;
  fc.assert(
    fc.property(fc.double({ min: -2, max: 2, noNaN: true }), hazards, (delta, h) => {
      const held = (x: number): number => -exp(softened(x, h.c).log) * survival(delta, h);
      expect(term(1, delta, h).kappa).toBeCloseTo((held(delta + d) - held(delta - d)) / (2 * d), 6);
      // one-sided slopes of κ differ by d times its curvature, at Δ = 0 too
      for (const at of [delta, 0]) {
        const [low, mid, high] = [at - d, at, at + d].map((x) => term(1, x, h).kappa) as [number, number, number];
        const scale = 1 / Math.min(h.c, h.up[0], h.down[0]) ** 2;
        expect(Math.abs((high - mid) / d - (mid - low) / d)).toBeLessThan(1e-3 * scale + 1e-8);
      }
    }),
  );
});

test('with λ → ∞ and c → ∞ it is REINFORCE with the ratio: κ = −Aρ', () => {
  fc.assert(
    fc.property(unlike, unlike, (A, delta) => {
      const free: Hazards = { c: 1e7, up: [1e7, 2], down: [1e7, 2] };
      expect(Math.abs(term(A, delta, free).kappa + A * exp(delta))).toBeLessThan(
        1e-5 * Math.abs(A) * exp(delta) + 1e-12,
      );
    }),
  );
});

test('rises and falls are told apart, and beyond |Δ| = 20 nothing is left', () => {
  const h: Hazards = { c: 0.2, up: [0.5, 2], down: [5, 2] };
  expect(survival(1, h)).toBeLessThan(survival(-1, h));
  expect(term(1, 21, h)).toMatchObject({ kappa: 0, clip: 4 });
  expect(mhpo.uniforms({ ...defaultsOf(mhpo.params), shapeUp: 3, shapeDown: 5 } as never)[3]).toBe(83);
});
