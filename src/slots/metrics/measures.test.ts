import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from '../advantage/arbitraryBatch.ts';
import { grpo } from '../advantage/grpo.ts';
import { sampleBatch } from '../advantage/sampleBatch.ts';
import { creditCovariance } from './covariance.ts';
import { creditConcentration } from '../../core/math/creditStats.ts';
import { measures, structureOf } from './measures.ts';
import { metrics } from './metrics.ts';

test('the loudest tenth carries a tenth when all are equally loud, and all when one is loud', () => {
  expect(creditConcentration([2, -2, 2, -2, 2])).toBeCloseTo(0.1, 12);
  expect(creditConcentration([...Array.from({ length: 19 }, () => 0), -3])).toBe(1);
  // 15 steps: the loudest counts whole, the next one half: (4 + ½·2) / 10
  expect(creditConcentration([4, -2, 1, 1, 1, 1, ...Array.from({ length: 9 }, () => 0)])).toBeCloseTo(0.5, 12);
  expect(creditConcentration([0, 0])).toBeNull();
});

test('structure of two episodes by hand', () => {
  const batch = sampleBatch([
    { reward: [0, 1], state: [7, 8], finalState: 9, action: [0, 1] },
    { reward: [0, 0], state: [7, 6], finalState: 5, action: [1, 1] },
  ]);
  // state 7 was met twice with two actions; no edge is shared
  expect(structureOf(batch, Float32Array.of(1, 1, -1, -1), Float32Array.of(0, 0.1, 0, -0.1))).toMatchObject({
    contrastCoverage: 0.5,
    groupSize: 1.5,
    mergeRatio: 0,
    groupSizeMean: 4 / 3,
    mergedOutcomes: null,
    revisitShare: 0,
    creditMin: -1,
    creditMax: 1,
    delta50: 0,
    creditConcentration: expect.closeTo(0.1, 9),
    // e^0.05 and e^−0.05
    essNormalised: expect.closeTo((Math.exp(0.05) + Math.exp(-0.05)) ** 2 / (2 * (Math.exp(0.1) + Math.exp(-0.1))), 6),
  });
});

test('quantiles of Δ and of the covariance are over words, where each has a ratio of its own', () => {
  const batch = sampleBatch([{ reward: [0, 1], state: [7, 8], finalState: 9, action: [0, 1] }]);
  const A = Float32Array.of(1, -1);
  // the first step is one word, the second two that cancel
  const words = {
    decisions: 2,
    count: [1, 2],
    logp: Float32Array.of(-1, 99, -2, -3),
    delta: Float32Array.of(0.5, 99, -1, 1),
  };
  const found = structureOf(batch, A, Float32Array.of(0.5, 0), words);
  expect(found).toMatchObject({ delta50: 0.5, delta1: expect.closeTo(-0.97, 6), delta99: expect.closeTo(0.99, 6) });
  const { top, pearson } = creditCovariance([1, -1, -1], [-0.5, -3, -2]);
  expect(found).toMatchObject({ covTop90: top[0], covTop998: top[2], covCorr: pearson });
  expect(structureOf(batch, A, Float32Array.of(0.5, 0))).toMatchObject({
    delta50: 0.25,
    delta1: expect.closeTo(0.005, 9),
  });
});

test('every measure lies in its range', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const found: Record<string, number | null> = structureOf(
        batch,
        grpo.run(batch, defaultsOf(grpo.params)).A,
        new Float32Array(batch.B * batch.T),
      );
      for (const m of measures) {
        const x = found[m.id];
        if (x === undefined || x === null) continue;
        const [low, high] = 'range' in m ? m.range : [-Infinity, Infinity];
        expect(x, m.id).toBeGreaterThanOrEqual(low);
        expect(x, m.id).toBeLessThanOrEqual(high);
      }
    }),
  );
});

test('measures and metrics have different names: both are exported', () => {
  const names = [...measures, ...metrics].map((m) => m.id);
  expect(new Set(names).size).toBe(names.length);
});
