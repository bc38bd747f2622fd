import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Batch } from '../../../contract/columns.ts';
import { arbitraryBatch } from '../arbitraryBatch.ts';
import { arbitraryFormula } from './arbitraryFormula.ts';
import { faultText, readFormula } from './formula.ts';
import { runFormula } from './language.ts';
import { library } from './library.ts';
import { operations } from './operations.ts';
import { printed } from './print.ts';
import { LIMITS } from './syntax.ts';

test('formulas drawn at random mean what is written beside them, step by step', () => {
  fc.assert(
    fc.property(arbitraryFormula, arbitraryBatch, ({ text, at }, batch) => {
      const reading = readFormula(text);
      if (!reading.ok) throw new Error(`${text}: ${faultText(text, reading.faults[0])}`);
      const { A } = runFormula(batch, text);
      A.forEach((a, k) => {
        const [i, t] = [Math.floor(k / batch.T), k % batch.T];
        const want = t < batch.length[i]! ? at(batch, i, t) : 0;
        // a comparison is rounded once to f32, then three operations are
        if (!(Math.abs(a - want) <= 1e-5 * Math.max(1, Math.abs(want)))) throw new Error(`${text}: ${a}, not ${want}`);
      });
    }),
    { numRuns: 400 },
  );
});

test('what is printed reads back as the same credit', () => {
  fc.assert(
    fc.property(arbitraryFormula, arbitraryBatch, ({ text }, batch) => {
      const reading = readFormula(text);
      if (!reading.ok) throw new Error(text);
      const [first, second] = text.split('\n');
      const again = `${first}\n${second}\n${printed(reading.formula.result!)}`;
      expect(runFormula(batch, again).A).toEqual(runFormula(batch, text).A);
    }),
    { numRuns: 60 },
  );
});

const credit = (batch: Batch, text: string): Float32Array => runFormula(batch, text).A;
const near = (x: Float32Array, y: Float32Array, tolerance = 1e-4): void =>
  x.forEach((a, k) => expect(Math.abs(a - y[k]!)).toBeLessThanOrEqual(tolerance));

test.each([
  ['a constant added to outcomes changes no comparison', 'normalize(outcome + 3, task)', 'normalize(outcome, task)'],
  [
    'nor does one added to every reward to go',
    'normalize(returnsToGo(reward) + 2, batch)',
    'normalize(returnsToGo(reward), batch)',
  ],
  ['a factor changes none that divides by the spread', 'normalize(4 × outcome, task)', 'normalize(outcome, task)'],
  [
    'a mean taken away is the comparison without the spread',
    'outcome − mean(outcome, task)',
    'normalize(outcome, task, mean)',
  ],
  ['comparing with a predicate and without it are one choice', 'where(reward > 0, 1, 0)', 'reward > 0'],
  ['sums of what follows and of the rest', 'returnsToGo(reward) − reward', 'following(returnsToGo(reward))'],
  [
    'equal states with no past are the first level',
    'overLevels(returnsToGo(reward), levels(0))',
    'normalizeSets(returnsToGo(reward), sets(state), spread: population)',
  ],
  ['the order of a sum', 'logp + 2 × entropy', 'entropy × 2 + logp'],
])('%s', (_, one, other) => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      near(credit(batch, one), credit(batch, other));
    }),
    { numRuns: 60 },
  );
});

test('an ill-typed formula never reaches an operation', () => {
  const words = ['sets(state)', 'levels(2)', 'level(sets(time), 1)', 'task'];
  const wrong = operations.flatMap(({ name, parameters }) =>
    parameters.flatMap((parameter, at) =>
      words
        .filter((word) => !(parameter.type === 'sets' && word.startsWith('sets')))
        .filter((word) => !(parameter.type === 'levels' && word.startsWith('level')))
        .filter((word) => !(parameter.words?.includes(word) === true))
        // one more level
        .filter((word) => !(parameters.slice(0, at).some((p) => p.isMany) && word.startsWith('level')))
        .map((word) => {
          const args = parameters.map((p, k) =>
            k === at
              ? word
              : (p.words?.[0] ??
                (p.type === 'sets'
                  ? 'sets(state)'
                  : p.type === 'levels'
                    ? 'levels(1)'
                    : p.type === 'row'
                      ? 'outcome'
                      : p.type === 'number'
                        ? '0.5'
                        : 'reward')),
          );
          return /^\p{L}/u.test(name) && name !== 'negative'
            ? `${name}(${args.join(', ')})`
            : name === 'negative'
              ? `−${word}`
              : `${args[0]} ${name} ${args[1]}`;
        }),
    ),
  );
  expect(wrong.length).toBeGreaterThan(150);
  for (const text of wrong) expect([text, readFormula(text).ok]).toEqual([text, false]);
});

/** Pieces that texts are mutated with: everything the language knows, and what it does not. */
const PIECES = [
  ...operations.map(({ name }) => name),
  ...[
    'outcome',
    'reward',
    'let',
    'part',
    'in',
    'ω',
    '(',
    ')',
    '((((',
    '))',
    ',',
    ':',
    '=',
    '==',
    '…',
    '..',
    '\n',
    ';',
    '#',
  ],
  ...[
    '0',
    '1',
    '.5',
    '1e9',
    '1e999',
    '−',
    '-',
    'state',
    'task',
    'past: 64',
    '\u0000',
    '😀',
    '"',
    '\\',
    '^',
    '\uD800',
    '𝛾',
    '′',
  ],
];

test('100,000 mutated texts: a formula or typed faults inside the text, never a throw', () => {
  let state = 20261124;
  const draw = (n: number): number => {
    // a small generator: the same texts in every run
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const defaults = {
    rows: 'trajectories',
    mode: 'std',
    gamma: 0.9,
    lambda: 0.9,
    omega: 1,
    alpha: 1,
    beta: 0.5,
    K: 2,
    history: 1,
  };
  const seeds = Object.values(library).flatMap(
    (write) =>
      write({
        ...defaults,
        norm: 1,
        scope: 'task',
        k: 1,
        kFuture: 1,
        zeta: 0.1,
        a: 0.2,
        plan: 'decisions',
        world: 1,
        first: 1,
        second: 1,
        third: 1,
      }) ?? [],
  );
  let read = 0;
  let refused = 0;
  for (let n = 0; n < 100_000; n++) {
    let text = seeds[draw(seeds.length)]!;
    for (let m = 1 + draw(4); m > 0; m--) {
      const at = draw(text.length + 1);
      const kind = draw(4);
      const piece = PIECES[draw(PIECES.length)]!;
      if (kind === 0) text = text.slice(0, at) + text.slice(at + 1 + draw(6));
      else if (kind === 1) text = `${text.slice(0, at)}${piece}${text.slice(at)}`;
      else if (kind === 2) text = text.slice(0, at) + piece + text.slice(at + piece.length);
      else text = text.slice(at) + text.slice(0, at).repeat(1 + draw(3));
    }
    const reading = readFormula(text);
    if (reading.ok) {
      read++;
      continue;
    }
    refused++;
    for (const {
      at: [from, to],
      message,
    } of reading.faults)
      if (!(from >= 0 && from <= to && to <= text.length && message.length > 5)) throw new Error(`${text}: ${message}`);
    if (reading.faults.length > LIMITS.nodes) throw new Error(text);
  }
  expect(read).toBeGreaterThan(500);
  expect(refused).toBeGreaterThan(50_000);
});
