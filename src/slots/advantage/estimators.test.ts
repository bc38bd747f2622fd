import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDegenerate } from '../../core/stats.ts';
import { defaultsOf, settingsSchema, parse, type AnyValues } from '../../core/settings.ts';
import { estimators } from '../methods.ts';
import { asMade } from '../types.ts';
import { estimatorWith } from './estimatorWith.ts';
import type { Batch } from '../../contract/columns.ts';
import { arbitraryBatch, arbitraryTrajectories, turned } from './arbitraryBatch.ts';
import { creditOpsOf, dataOf } from './creditOps.ts';
import { sampleBatch } from './sampleBatch.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

/** Every estimator with its defaults, with each choice taken once and with each switch turned. */
const variants = estimators.flatMap((estimator) => {
  const base: AnyValues = defaultsOf(estimator.params);
  const others = Object.entries(estimator.params).flatMap(([name, s]) =>
    s.kind === 'choice'
      ? s.options.filter((o) => o !== s.default).map((o) => ({ ...base, [name]: o }))
      : s.kind === 'switch'
        ? [{ ...base, [name]: !s.default }]
        : [],
  );
  return [base, ...others].map((params) => [`${estimator.id} ${JSON.stringify(params)}`, estimator, params] as const);
});

const near = (got: ArrayLike<number>, want: ArrayLike<number>, tolerance = 2e-5): void => {
  expect(got.length).toBe(want.length);
  for (let k = 0; k < want.length; k++) {
    if (!(Math.abs(got[k]! - want[k]!) <= tolerance * Math.max(1, Math.abs(want[k]!)))) {
      throw new Error(`index ${k}: got ${got[k]}, want ${want[k]}`);
    }
  }
};

test('ids are unique and defaults are valid settings', () => {
  expect(new Set(estimators.map((e) => e.id)).size).toBe(estimators.length);
  for (const e of estimators) {
    expect(parse(settingsSchema(e.params), defaultsOf(e.params))).toEqual({ ok: true, value: defaultsOf(e.params) });
    for (const s of Object.values(e.params)) expect(s.doc.length).toBeLessThanOrEqual(90);
  }
});

test.each(variants)('%s: finite on real steps, 0 on padding', (_, estimator, params) => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = estimator.run(batch, params);
      const isReal = (k: number): boolean => k % batch.T < batch.length[Math.floor(k / batch.T)]!;
      // one look at all of them: an assertion for each takes longer than the estimator
      expect(A.findIndex((a, k) => !(isReal(k) ? Number.isFinite(a) : a === 0))).toBe(-1);
    }),
    { numRuns: 40 },
  );
});

/** Arrays that a method may use where they exist, without needing them. */
const OPTIONAL: readonly string[] = ['planMask', 'role'];

test.each(estimators.map(({ id }) => id))('%s reads what it says it needs, and nothing else', (id) => {
  const [read, needs] = [new Set<string>(), new Set<string>()];
  const watch = (batch: Batch): Batch =>
    new Proxy(batch, { get: (target, name) => (read.add(String(name)), target[name as keyof Batch]) });
  for (const [, estimator, params] of variants) {
    if (estimator.id !== id) continue;
    asMade(estimator, params).needs.forEach((name) => needs.add(name));
    fc.assert(
      fc.property(arbitraryBatch, (batch) => void estimator.run(watch(batch), params)),
      { numRuns: 10 },
    );
  }
  const sizes = ['P', 'G', 'B', 'T', 'apart', 'pools'];
  const arrays = [...read].filter((name) => !sizes.includes(name) && !OPTIONAL.includes(name));
  expect(arrays.sort()).toEqual([...needs].sort());
});

/**
 * Clusters of similar observations depend on the order of the rows by definition (spec advantage-core §7), and of episodes that
 * were equally confident the older one is backed up.
 */
const ORDERED = ['gigpoSimilar', 'graphGpoSimilar', 'nodeValue'];

test.each(variants.filter(([, e]) => !ORDERED.includes(e.id)))(
  '%s: reordering the trajectories reorders the credit',
  (_, estimator, params) => {
    fc.assert(
      fc.property(arbitraryTrajectories, (list) => {
        const batch = sampleBatch(list, 7);
        const A = estimator.run(batch, params).A;
        const B = estimator.run(sampleBatch(turned(list), 7), params).A;
        list.forEach((_t, i) => {
          const j = list.length - 1 - i;
          near(B.subarray(j * 7, j * 7 + 7), A.subarray(i * 7, i * 7 + 7));
        });
      }),
      { numRuns: 40 },
    );
  },
);

test.each(variants)('%s: numbers on padding change nothing', (_, estimator, params) => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const A = estimator.run(batch, params).A;
      const dirty = structuredClone(batch);
      const C = batch.obsCells!.length / batch.reward.length;
      for (let i = 0; i < batch.B; i++) {
        const [from, to] = [i * batch.T + batch.length[i]!, (i + 1) * batch.T];
        for (const step of [
          dirty.reward,
          dirty.action,
          dirty.logp,
          dirty.logpPhi!,
          dirty.entropy,
          dirty.scoreNorm!,
          dirty.processScore!,
        ])
          step.fill(99, from, to);
        dirty.value.fill(-99, from, to);
        dirty.unitValue!.fill(-99, from, to);
        dirty.stateKey.fill(1, 2 * from, 2 * to);
        dirty.obsCells!.fill(1, C * from, C * to);
      }
      expect(estimator.run(dirty, params).A).toEqual(A);
    }),
    { numRuns: 20 },
  );
});

test.each(variants.filter(([, e, params]) => estimatorWith(e, params, false).gpu))(
  '%s: the GPU composition means the same',
  (_, estimator, params) => {
    fc.assert(
      fc.property(arbitraryBatch, (batch) => {
        const want = estimator.run(batch, params);
        const got = estimator.gpu!(creditOpsOf(batch), params);
        near(dataOf(got.A), want.A);
        expect(Object.keys(got.parts ?? {})).toEqual(Object.keys(want.parts ?? {}));
        for (const [name, part] of Object.entries(want.parts ?? {})) near(dataOf(got.parts![name]!), part);
        expect(got.target === undefined).toBe(want.target === undefined);
        if (got.target && want.target) near(dataOf(got.target), want.target);
        expect(got.keep && [...dataOf(got.keep)]).toEqual(want.keep && [...want.keep]);
      }),
      { numRuns: 60 },
    );
  },
);

test.each(variants.filter(([, e]) => e.parts))('%s: the named parts add up to A', (_, estimator, params) => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A, parts } = estimator.run(batch, params);
      expect(Object.keys(parts!)).toEqual([...estimator.parts!]);
      near(
        A.map((_a, k) => Object.values(parts!).reduce((total, part) => total + part[k]!, 0)),
        A,
      );
    }),
    { numRuns: 40 },
  );
});

const outcomeOnly = [
  'grpo',
  'drGrpo',
  'rloo',
  'salt',
  'loop',
  'flowGrpo',
  'litePpo',
  'arpo',
  'aepo',
  'hicra',
  'opo',
  'gpg',
  'grpoPassK',
];

test.each(variants.filter(([, e]) => outcomeOnly.includes(e.id)))(
  '%s: groups whose members agree get exactly 0',
  (_, estimator, params) => {
    fc.assert(
      fc.property(arbitraryBatch, (batch) => {
        const { A } = estimator.run(batch, params);
        for (let i = 0; i < batch.B; i++) {
          const group = Array.from({ length: batch.B }, (_i, j) => j).filter(
            (j) => batch.taskIndex[j] === batch.taskIndex[i],
          );
          const isGiven = params['singleton'] === 'return' && group.length === 1;
          if (isGiven || !isDegenerate(group.map((j) => batch.outcome[j]!))) continue;
          expect(A.subarray(i * batch.T, (i + 1) * batch.T).every((a) => a === 0)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  },
);
