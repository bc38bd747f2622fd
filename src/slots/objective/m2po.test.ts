import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenStack } from '../../check/conformance/golden.ts';
import { CLIP, LEFT_OUT } from '../../core/math/clip.ts';
import { log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { secondMoment } from '../../core/math/secondMoment.ts';
import { m2po } from './m2po.ts';
import { ppoClip } from './ppoClip.ts';

const params = defaultsOf(m2po.params);
const at = (A: number, delta: number, mark: number) => {
  const out = { loss: 9, kappa: 9, clip: 9 };
  m2po.coefficient({ A, delta, logp: -1, mark }, params, out);
  return out;
};

test('the largest squares go until the mean of the others is below the limit, by hand', () => {
  // squares 1, 0.01, 0.25, 0: the mean is 0.315, then 0.0867, then 0.005
  const prox = Float64Array.of(-1, 0.1, 0.5, 0);
  expect([...secondMoment(prox, 0.4)]).toEqual([1, 1, 1, 1]);
  expect([...secondMoment(prox, 0.1)]).toEqual([0, 1, 1, 1]);
  expect([...secondMoment(prox, 0.04)]).toEqual([0, 1, 0, 1]);
  // a mean that equals the limit is too large; one unit stays however large
  expect([...secondMoment(Float64Array.of(0.5, 0.5), 0.25)]).toEqual([0, 1]);
});

test('the clip is around the policy that the update starts with, and what is left out has no gradient, by hand', () => {
  // sampled at half of π_prox, up by a tenth since: v = 1.1, inside the clip
  expect(at(1, log(2.2), log(2)).kappa).toBeCloseTo(-1.1, 12);
  expect(at(1, log(2.6), log(2))).toMatchObject({ kappa: 0, clip: CLIP.high });
  expect(at(-2, log(2.2), LEFT_OUT)).toEqual({ loss: 0, kappa: 0, clip: CLIP.dropped });
  // the loss has the derivative that it claims
  const slope = (at(1, 0.75 + 1e-6, 0.7).loss - at(1, 0.75 - 1e-6, 0.7).loss) / 2e-6;
  expect(slope).toBeCloseTo(at(1, 0.75, 0.7).kappa, 6);
});

const number = fc.double({ min: -3, max: 3, noNaN: true });

test('fresh data all stay and learn as with PPO clip', () => {
  expect([...secondMoment(new Float64Array(5), 0.0001)]).toEqual([1, 1, 1, 1, 1]);
  fc.assert(
    fc.property(number, number, (A, delta) => {
      const plain = { loss: 0, kappa: 0, clip: 0 };
      ppoClip.coefficient({ A, delta, logp: -1 }, defaultsOf(ppoClip.params), plain);
      expect(at(A, delta, 0)).toEqual(plain);
    }),
  );
});

test('what is kept lies below what is left out, its mean below the limit unless it is one, and no more could stay', () => {
  fc.assert(
    fc.property(
      fc.array(number, { minLength: 1, maxLength: 20 }),
      fc.double({ min: 1e-4, max: 4, noNaN: true }),
      (x, limit) => {
        const kept = secondMoment(Float64Array.from(x), limit);
        const squares = (is: number): number[] => x.filter((_, u) => kept[u] === is).map((d) => d * d);
        const [stays, left] = [squares(1).sort((a, b) => a - b), squares(0).sort((a, b) => a - b)];
        const mean = (y: number[]): number => y.reduce((a, b) => a + b, 0) / y.length;
        expect(stays.length).toBeGreaterThan(0);
        if (stays.length > 1) expect(mean(stays)).toBeLessThan(limit);
        if (left.length === 0) return;
        expect(left[0]).toBeGreaterThanOrEqual(stays.at(-1)!);
        expect(mean([...stays, left[0]!])).toBeGreaterThanOrEqual(limit * (1 - 1e-12));
      },
    ),
  );
});

test('m2po equals the released code in every case, which divides by the units that are kept', () => {
  const entries = goldenStack('m2po');
  expect(entries.length).toBe(4);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
