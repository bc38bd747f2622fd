import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { biasVariance, type CellSample } from './biasVariance.ts';

test('two cells by hand: one is right on average, one is never right', () => {
  // c = (1·1 + 3·1 + 0·2 + 0·2) / (1 + 9) = 0.4; cell 0: mean 2, c·2 − 1 = −0.2, variance 0.16·2; cell 1: 0 − 2, 0
  const samples = [
    { cell: 0, credit: 1, exact: 1 },
    { cell: 0, credit: 3, exact: 1 },
    { cell: 1, credit: 0, exact: 2 },
    { cell: 1, credit: 0, exact: 2 },
    { cell: 2, credit: 0, exact: 0 },
  ];
  const found = biasVariance(samples, 3)!;
  expect(found.scale).toBeCloseTo(0.4, 12);
  expect(found.biasSq).toBeCloseTo((2 * 0.04 + 2 * 4) / 4, 12);
  expect(found.variance).toBeCloseTo((2 * 0.32) / 4, 12);
  expect(found.biasSqCorrected).toBeCloseTo((2 * 0.04 + 2 * 4 - 0.32) / 4, 12);
  expect(found.covered).toBe(0.8);
  expect(found.signal).toBe((1 + 1 + 4 + 4) / 5);
});

test('the truth itself has neither bias nor variance, in any unit', () => {
  const cell = fc.record({ cell: fc.integer({ min: 0, max: 4 }) });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 8, maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (list, unit) => {
      const samples: CellSample[] = list.map(({ cell: k }) => ({ cell: k, credit: unit * (k + 1), exact: k + 1 }));
      const found = biasVariance(samples, 5)!;
      expect(Math.abs(found.biasSq)).toBeLessThan(1e-20);
      expect(Math.abs(found.variance)).toBeLessThan(1e-20);
      expect(found.scale * unit).toBeCloseTo(1, 9);
    }),
  );
});

test('credit that is 0 everywhere, or cells met only once, say nothing', () => {
  expect(biasVariance([{ cell: 0, credit: 0, exact: 1 }], 1)).toBeNull();
  expect(biasVariance([{ cell: 0, credit: 1, exact: 1 }], 1)).toBeNull();
});

type Golden = {
  readonly cases: readonly {
    readonly kind: string;
    readonly inputs: {
      readonly fidelity: { readonly states: number; readonly actions: number };
      readonly biasVariance: { readonly batches: readonly (readonly [number, number, number, number][])[] };
    };
    readonly expected: { readonly fidelity: { V: number[]; Q: number[] }; readonly biasVariance: object };
  }[];
  readonly tolerance: { readonly abs: number; readonly rel: number };
};

test('the golden values hold', () => {
  const file = new URL('../../check/fixtures/objective-metrics.json', import.meta.url);
  const { cases, tolerance } = JSON.parse(readFileSync(file, 'utf8')) as Golden;
  const golden = cases.filter((c) => c.kind === 'metrics');
  expect(golden.length).toBeGreaterThan(0);
  for (const { inputs, expected } of golden) {
    const { states, actions } = inputs.fidelity;
    const { V, Q } = expected.fidelity;
    const samples = inputs.biasVariance.batches.flat().map(([t, s, a, credit]) => {
      const cell = (t * states + s) * actions + a;
      return { cell, credit, exact: Q[cell]! - V[t * states + s]! };
    });
    const got = biasVariance(samples, Q.length)! as unknown as Record<string, number>;
    for (const [name, want] of Object.entries(expected.biasVariance) as [string, number][])
      expect(Math.abs(got[name]! - want), name).toBeLessThanOrEqual(tolerance.abs + tolerance.rel * Math.abs(want));
  }
});
