import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Batch } from '../../contract/columns.ts';
import { stepsOf } from '../../core/batch.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { estimators } from '../methods.ts';
import type { Term } from '../types.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { combine, show } from './explain.ts';
import { gigpo } from './gigpo.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

/** Every estimator that explains itself: with its defaults, each choice once, each switch turned, numbers at their ends. */
const variants = estimators
  .filter((e) => e.explain)
  .flatMap((estimator) => {
    const base: AnyValues = defaultsOf(estimator.params);
    const others = Object.entries(estimator.params).flatMap(([name, s]) =>
      s.kind === 'choice'
        ? s.options.filter((o) => o !== s.default).map((o) => ({ ...base, [name]: o }))
        : s.kind === 'switch'
          ? [{ ...base, [name]: !s.default }]
          : s.kind === 'number' || s.kind === 'integer'
            ? [{ ...base, [name]: s.min }]
            : [],
    );
    return [base, ...others].map((params) => [`${estimator.id} ${JSON.stringify(params)}`, estimator, params] as const);
  });

const steps = (batch: Batch): number[] =>
  stepsOf(
    batch,
    Array.from({ length: batch.B }, (_, i) => i),
  );

test('the estimators of the specification explain themselves', () => {
  const ids = ['gigpo', 'grpo', 'drGrpo', 'rloo', 'reinforcePP', 'reinforcePPBaseline', 'gae', 'hgpo', 'salt', 'loop'];
  for (const id of [...ids, 'remax', 'oprl', 'hicra'])
    expect(estimators.find((e) => e.id === id)!.explain, id).toBeDefined();
});

test.each(variants)('%s: the terms combine to A, to the bit', (_, estimator, params) => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = estimator.run(batch, params);
      for (const k of steps(batch)) {
        const got = combine(estimator.explain!(batch, params, k));
        if (got !== A[k]! && !(got === 0 && A[k] === 0)) throw new Error(`step ${k}: got ${got}, want ${A[k]}`);
      }
    }),
    { numRuns: 40 },
  );
});

/** What a term is worth by its own printed numbers: the right-hand side of each “left = right” is worked out again. */
function recomputed(term: Term): number | null {
  const last = term.filled.split(';').at(-1)!;
  const [left, ...right] = last.split(' = ');
  if (right.length === 0) return null;
  const code = left!
    .replaceAll('−', '-')
    .replaceAll('·', '*')
    .replace(/^\s*\w+\s*$/, 'NaN');
  if (!/^[\d\s()+\-*/.e]+$/.test(code)) return null;
  return Number(evaluate(code));
}

/** Arithmetic with + − * / and brackets, as people write it. */
function evaluate(text: string): number {
  let at = 0;
  const tokens = text.match(/\d+(\.\d+)?(e[+-]\d+)?|[()+\-*/]/g) ?? [];
  const factor = (): number => {
    const token = tokens[at++];
    if (token === '-') return -factor();
    if (token !== '(') return Number(token);
    const x = sum();
    at++;
    return x;
  };
  const product = (): number => {
    let x = factor();
    while (tokens[at] === '*' || tokens[at] === '/') x = tokens[at++] === '*' ? x * factor() : x / factor();
    return x;
  };
  const sum = (): number => {
    let x = product();
    while (tokens[at] === '+' || tokens[at] === '-') x = tokens[at++] === '+' ? x + product() : x - product();
    return x;
  };
  return sum();
}

test('the arithmetic of the printed lines is understood', () => {
  expect(evaluate('2 * (3 - -1) / (1 + 1)')).toBe(4);
});

test.each(variants)('%s: the printed line gives the printed value', (_, estimator, params) => {
  let seen = 0;
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      for (const k of steps(batch)) {
        for (const term of estimator.explain!(batch, params, k).terms) {
          const got = recomputed(term);
          if (got === null) continue;
          seen++;
          // four digits of each number: what a difference loses is at most a few units of the fourth digit of its sides
          const size = Math.max(1, ...term.quantities.map((q) => Math.abs(q.value)));
          const spread = term.quantities.find((q) => q.symbol.startsWith('std'))?.value ?? 1;
          const scale = Math.max(1, term.quantities.at(-1)!.value);
          // behind a semicolon stands a product of numbers as they were printed: half a unit of the fourth digit of each
          const ofProduct = term.filled.includes(';') ? 1e-3 * Math.abs(term.value) : 0;
          const slack = (2e-3 * size * scale) / Math.min(1, Math.max(spread, 1e-3)) + ofProduct;
          if (!(Math.abs(got - term.value) <= slack)) throw new Error(`${term.filled}: ${got}, not ${term.value}`);
        }
      }
    }),
    { numRuns: 20 },
  );
  if (!['remax', 'salt'].includes(estimator.id)) expect(seen).toBeGreaterThan(0);
});

test.each(variants)('%s: what a step was compared with holds the step itself', (_, estimator, params) => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      for (const k of steps(batch)) {
        for (const { compared } of estimator.explain!(batch, params, k).terms) {
          if (!compared) continue;
          const own = compared.of === 'steps' ? k : Math.floor(k / batch.T);
          const found = compared.members[compared.at]!;
          const isOwn =
            found === own || (estimator.id === 'salt' && Math.floor(found / batch.T) === Math.floor(k / batch.T));
          expect(isOwn).toBe(true);
          expect(compared.values.length).toBe(compared.members.length);
        }
      }
    }),
    { numRuns: 20 },
  );
});

test('two parts of a step by hand, as they are printed', () => {
  // returns 1, 0, 0, 0: mean ¼, std ½ → 1.5; the state was met twice, discounted 0.95 and 0 → (0.95 − 0.475)/0.6718
  const batch = sampleBatch([
    { reward: [0, 1], state: [7, 8] },
    { reward: [0], state: [7] },
    { reward: [0], state: [1] },
    { reward: [0], state: [2] },
  ]);
  const [episode, step] = gigpo.explain!(batch, defaultsOf(gigpo.params), 0).terms;
  expect(episode!.filled).toBe('(1 − 0.25) / (0.5 + 0.000001) = 1.5');
  expect(step!.filled).toBe('(0.95 − 0.475) / (0.6718 + 0.000001) = 0.7071');
  expect(step!.compared).toMatchObject({ members: [0, 2], at: 0 });
});

test('sets that cannot be compared say so in words', () => {
  const agree = sampleBatch([{ reward: [1] }, { reward: [1] }]);
  expect(grpo.explain!(agree, defaultsOf(grpo.params), 0).terms[0]!.filled).toBe(
    'all 2 episodes of this task agree (1): 0',
  );
  const alone = sampleBatch([{ reward: [1] }]);
  expect(grpo.explain!(alone, defaultsOf(grpo.params), 0).terms[0]!.filled).toBe('nothing to compare with: 0');
});

test('numbers are short and carry a real minus sign', () => {
  expect([show(0), show(-0.123456), show(1e-5), show(12345.6)]).toEqual(['0', '−0.1235', '1.0e-5', '12350']);
});
