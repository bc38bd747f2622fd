import fc from 'fast-check';
import { expect, test } from 'vitest';
import { log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { choicesOf, logitGradient, softmax as softmaxOf } from '../../core/math/distribution.ts';
import { topSet } from '../../core/math/topSet.ts';
import { nlpo } from './nlpo.ts';

const ACTIONS = 5;
const logits = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: ACTIONS, maxLength: ACTIONS });
const bits = fc
  .integer({ min: 1, max: 2 ** ACTIONS - 1 })
  .map((n) => Array.from({ length: ACTIONS }, (_, b) => (n >> b) & 1));

function softmax(z: readonly number[], legal: readonly number[]): Float64Array {
  const p = new Float64Array(ACTIONS);
  softmaxOf(choicesOf(z, 0, ACTIONS, legal), p, 0);
  return p;
}

function setOf(p: Float64Array, topP: number, minKeep: number): number[] {
  const kept = topSet(p, 0, p.length, { topP, minKeep });
  return [...p.keys()].map((b) => (kept >>> b) & 1);
}

const sum = (p: Float64Array, keep: readonly number[]): number => keep.reduce((s, k, b) => s + k * p[b]!, 0);

test('the smallest set that reaches p, by hand; of equal actions the first ones stay', () => {
  expect(setOf(Float64Array.of(0.1, 0.6, 0.3), 0.89, 1)).toEqual([0, 1, 1]);
  expect(setOf(Float64Array.of(0.1, 0.6, 0.3), 0.6, 1)).toEqual([0, 1, 0]);
  expect(setOf(Float64Array.of(0.1, 0.6, 0.3), 0, 2)).toEqual([0, 1, 1]);
  expect(setOf(Float64Array.of(0.25, 0.25, 0.25, 0.25), 0.5, 1)).toEqual([1, 1, 0, 0]);
  // an illegal action has no probability and is never kept
  expect(setOf(Float64Array.of(0.5, 0, 0.5), 1, 3)).toEqual([1, 0, 1]);
});

test('a kept set has the most likely actions, enough of them and none too many; it grows with p', () => {
  const some = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(logits, bits, some, some, fc.integer({ min: 1, max: ACTIONS }), (z, legal, x, y, minKeep) => {
      const p = softmax(z, legal);
      const [low, high] = [Math.min(x, y), Math.max(x, y)];
      const keep = setOf(p, high, minKeep);
      const count = keep.reduce((a, b) => a + b, 0);
      const isLegal = (b: number): boolean => p[b]! > 0;
      const [kept, others] = [1, 0].map((k) => [...p.keys()].filter((b) => isLegal(b) && keep[b] === k)) as [
        number[],
        number[],
      ];
      for (const b of kept) for (const c of others) expect(p[b]! > p[c]! || (p[b] === p[c] && b < c)).toBe(true);
      const all = [...p.keys()].filter(isLegal).length;
      expect(count).toBeGreaterThanOrEqual(Math.max(1, Math.min(minKeep, all)));
      if (others.length > 0) expect(sum(p, keep)).toBeGreaterThanOrEqual(high - 1e-12);
      const least = Math.min(...kept.map((b) => p[b]!));
      if (count > minKeep) expect(sum(p, keep) - least).toBeLessThan(high + 1e-12);
      for (const [b, k] of setOf(p, low, minKeep).entries()) expect(k).toBeLessThanOrEqual(keep[b]!);
    }),
  );
});

test('finite differences of the loss over the kept actions equal κ(1[b = a] − π_b), and those taken away have none', () => {
  const params = defaultsOf(nlpo.params);
  const A = fc.double({ min: -2, max: 2, noNaN: true });
  const at = (z: readonly number[], old: readonly number[], keep: readonly number[], a: number, credit: number) => {
    const logp = log(softmax(z, keep)[a]!);
    const delta = logp - log(softmax(old, keep)[a]!);
    const out = { loss: 0, kappa: 0, clip: 0 };
    nlpo.coefficient({ A: credit, delta, logp }, params, out);
    return out;
  };
  fc.assert(
    fc.property(logits, logits, logits, A, (z, old, mask, credit) => {
      const keep = setOf(softmax(mask, Array<number>(ACTIONS).fill(1)), 0.7, 1);
      const a = keep.indexOf(1);
      const here = at(z, old, keep, a, credit);
      const gradient = new Float64Array(ACTIONS);
      const p = softmax(z, keep);
      const now = { p, logp: p.map(log) };
      const terms = { entropy: 0, kl: 0 };
      const pair = { now, at: 0, ref: now, refAt: 0, count: ACTIONS };
      const loss = { chosen: a, w: 1, kappa: here.kappa, entropyCoef: 0, klCoef: 0, klForm: 'exact' } as const;
      logitGradient(pair, loss, gradient, 0, terms);
      for (let b = 0; b < ACTIONS; b++) {
        const moved = (by: number) =>
          at(
            z.map((x, k) => (k === b ? x + by : x)),
            ...([old, keep, a, credit] as const),
          );
        const [up, down] = [moved(1e-5), moved(-1e-5)];
        // across a clip bound there is no derivative
        if (up.clip !== here.clip || down.clip !== here.clip) continue;
        expect(Math.abs((up.loss - down.loss) / 2e-5 - gradient[b]!)).toBeLessThan(
          1e-6 * Math.max(1, Math.abs(here.kappa)),
        );
        if (keep[b] === 0) expect(gradient[b]! === 0).toBe(true);
      }
    }),
  );
});
