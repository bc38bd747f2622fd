import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Batch } from '../../contract/columns.ts';
import { defaultsOf } from '../../core/settings.ts';
import { combine } from './explain.ts';
import { generalizedAdvantage } from './generalizedAdvantage.ts';
import { gae } from './gae.ts';
import { poad } from './poad.ts';
import { sampleBatch } from './sampleBatch.ts';
import { wordAdvantage, type WordRule } from './wordAdvantage.ts';

const K = 3;
const rule: WordRule = { backup: 'between', gamma: 0.9, lambda: 0.8, innerLambda: 0.7, cut: 'bootstrap' };

type Step = { readonly reward: number; readonly values: readonly number[] };
type Row = { readonly steps: readonly Step[]; readonly terminated: boolean; readonly valueFinal: number };

/** Trajectories of steps with a value before each of their words. */
function written(rows: readonly Row[]): Batch {
  const plain = rows.map(({ steps, terminated, valueFinal }) => ({
    ...{ terminated, valueFinal, reward: steps.map((s) => s.reward), value: steps.map((s) => s.values[0]!) },
  }));
  const batch = sampleBatch(plain);
  const { B, T } = batch;
  const units = new Uint8Array(B * T);
  const unitValue = new Float32Array(B * T * K);
  rows.forEach(({ steps }, i) =>
    steps.forEach(({ values }, t) => {
      units[i * T + t] = values.length;
      unitValue.set(values, (i * T + t) * K);
    }),
  );
  return { ...batch, K, units, unitValue };
}

const eighths = fc.integer({ min: -16, max: 16 }).map((x) => x / 8);
const step: fc.Arbitrary<Step> = fc.record({
  reward: eighths,
  values: fc.array(eighths, { minLength: 1, maxLength: K }),
});
const row: fc.Arbitrary<Row> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  terminated: fc.boolean(),
  valueFinal: eighths,
});
const arbitraryWritten = fc.array(row, { minLength: 1, maxLength: 5 }).map(written);

const unit01 = fc.integer({ min: 0, max: 8 }).map((x) => x / 8);
const rules = fc.record({ gamma: unit01, lambda: unit01, innerLambda: unit01 });

/** Of the first word of each step, and [B, T] alike. */
const firstWords = (x: Float32Array): number[] => Array.from(x).filter((_, u) => u % K === 0);

function close(got: ArrayLike<number>, want: ArrayLike<number>): void {
  for (let k = 0; k < want.length; k++) expect(Math.abs(got[k]! - want[k]!)).toBeLessThan(1e-4);
}

test('two steps by hand: a command of two words, then one of a single word that succeeds', () => {
  const batch = written([
    {
      steps: [
        { reward: 0, values: [0.5, 0.75] },
        { reward: 1, values: [0.6] },
      ],
      terminated: true,
      valueFinal: 9,
    },
  ]);
  const { adv, target } = wordAdvantage(batch, rule);
  // last step: 1 − 0.6 = 0.4; last word of the first: 0 + 0.9·0.6 − 0.75 + 0.9·0.8·0.4 = 0.078
  // first word: 0.75 − 0.5 + 0.7·0.078 = 0.3046; nothing on padding
  close(adv, [0.3046, 0.078, 0, 0.4, 0, 0]);
  close(target, [0.8046, 0.828, 0, 1, 0, 0]);
  // NTPO: 0.9·0.75 − 0.5 + 0.9·0.7·0.078 = 0.22414
  close(wordAdvantage(batch, { ...rule, backup: 'everyWord' }).adv, [0.22414, 0.078, 0, 0.4, 0, 0]);
  // one credit for a turn: 0.9·0.6 − 0.5 + 0.72·0.4 = 0.328, for both words
  const turn = wordAdvantage(batch, { ...rule, backup: 'turn' });
  close(turn.adv, [0.328, 0.328, 0, 0.4, 0, 0]);
  close(turn.target, [0.828, 0.828, 0, 1, 0, 0]);
});

test('with λ = 1 inside a command its first word has the advantage of the whole command by GAE, whatever λ is between', () => {
  fc.assert(
    fc.property(arbitraryWritten, rules, (batch, { gamma, lambda }) => {
      for (const cut of ['bootstrap', 'zero'] as const) {
        const { adv } = wordAdvantage(batch, { ...rule, gamma, lambda, innerLambda: 1, cut });
        close(firstWords(adv), generalizedAdvantage(batch, gamma, lambda, cut).adv);
      }
    }),
    { numRuns: 60 },
  );
});

test('one credit for all words of a turn is GAE over turns, and with one word to a command all three are', () => {
  fc.assert(
    fc.property(arbitraryWritten, rules, (batch, { gamma, lambda, innerLambda }) => {
      const of = { ...rule, gamma, lambda, innerLambda };
      const want = generalizedAdvantage(batch, gamma, lambda, 'bootstrap');
      const { adv } = wordAdvantage(batch, { ...of, backup: 'turn' });
      for (let u = 0; u < adv.length; u++)
        if (u % K < batch.units![Math.floor(u / K)]!)
          expect(Math.abs(adv[u]! - want.adv[Math.floor(u / K)]!)).toBeLessThan(1e-4);
      const single = { ...batch, K: 1, units: batch.units!.map((n) => Math.min(n, 1)), unitValue: batch.value };
      for (const backup of ['between', 'everyWord', 'turn']) {
        const got = wordAdvantage(single, { ...of, backup });
        close(got.adv, want.adv);
        close(got.target, want.target);
      }
    }),
    { numRuns: 60 },
  );
});

test('a command spelled in more words, whose values say nothing new, is worth as much; by NTPO it is worth less', () => {
  const spelled = (words: number): Batch =>
    written([{ steps: [{ reward: 1, values: Array<number>(words).fill(0) }], terminated: true, valueFinal: 0 }]);
  const firstOf = (words: number, backup: string): number =>
    wordAdvantage(spelled(words), { ...rule, backup, innerLambda: 1 }).adv[0]!;
  expect([1, 2, 3].map((n) => firstOf(n, 'between'))).toEqual([1, 1, 1]);
  expect([1, 2, 3].map((n) => Math.round(1e4 * firstOf(n, 'everyWord')) / 1e4)).toEqual([1, 0.9, 0.81]);
});

test('A is whitened over the words that were decided, those of advantage 0 among them, and 0 beyond', () => {
  fc.assert(
    fc.property(arbitraryWritten, (batch) => {
      const { A } = poad.run(batch, defaultsOf(poad.params));
      const real = Array.from(A).filter((_, u) => u % K < batch.units![Math.floor(u / K)]!);
      const rest = Array.from(A).filter((_, u) => u % K >= batch.units![Math.floor(u / K)]!);
      expect(rest.every((a) => a === 0)).toBe(true);
      if (real.every((a) => a === 0)) return; // all agree
      const mean = real.reduce((a, b) => a + b, 0) / real.length;
      expect(Math.abs(mean)).toBeLessThan(1e-4);
      expect(real.reduce((sum, a) => sum + (a - mean) ** 2, 0) / real.length).toBeCloseTo(1, 3);
    }),
    { numRuns: 60 },
  );
});

test('the card of a step tells each word, and their mean is the credit of the step', () => {
  fc.assert(
    fc.property(arbitraryWritten, fc.constantFrom('between', 'everyWord', 'turn'), (batch, backup) => {
      const params = { ...defaultsOf(poad.params), backup } as Parameters<typeof poad.run>[1];
      const { A } = poad.run(batch, params);
      for (let k = 0; k < batch.B * batch.T; k++) {
        const n = batch.units![k]!;
        if (n === 0) continue;
        const terms = poad.explain!(batch, params, k);
        expect(terms.terms.length).toBe(n);
        let sum = 0;
        for (let d = 0; d < n; d++) sum += A[k * K + d]!;
        const want = Math.fround(sum / n);
        expect(combine(terms) === want || (combine(terms) === 0 && want === 0)).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

test('where a step is one choice it is GAE but for the spread, which counts n and not n − 1', () => {
  const rows = [
    {
      steps: [
        { reward: 0, values: [0.5] },
        { reward: 1, values: [0.25] },
      ],
      terminated: true,
      valueFinal: 0,
    },
    { steps: [{ reward: -1, values: [0.1] }], terminated: false, valueFinal: 0.3 },
  ];
  const batch = written(rows);
  const single = { ...batch, K: 1, unitValue: batch.value };
  const params = { ...defaultsOf(poad.params), gamma: 0.99 };
  const want = gae.run(single, { ...defaultsOf(gae.params), gamma: 0.99, lambda: 0.95 }).A;
  close(
    poad.run(single, params).A,
    want.map((a) => a * Math.sqrt(3 / 2)),
  );
});
