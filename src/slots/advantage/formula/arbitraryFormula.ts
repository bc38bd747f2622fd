import fc from 'fast-check';
import type { Batch } from '../../../contract/columns.ts';
import { isDegenerate, leaveOneOut, mean, normalize } from '../../../core/stats.ts';

/**
 * Well-typed formulas for tests, each with its meaning written down a second time: a number for every step, computed step
 * by step and set by set from the batch alone, without columns or operations.
 */
export type Written = {
  readonly text: string;
  /** the value at step t of trajectory i; of a number per episode whatever t */
  readonly at: (batch: Batch, i: number, t: number) => number;
  readonly type: 'row' | 'step';
};

const column = (text: string, type: Written['type'], at: Written['at']): Written => ({ text, type, at });
const step = (name: 'reward' | 'logp' | 'entropy' | 'value' | 'scoreNorm'): Written =>
  column(name, 'step', (batch, i, t) => batch[name]![i * batch.T + t]!);
const leaves: readonly Written[] = [
  ...[step('reward'), step('logp'), step('entropy'), step('value')],
  column('outcome', 'row', (batch, i) => batch.outcome[i]!),
  ...[0.5, -0.25, 2].map((x) => column(x < 0 ? `−${-x}` : String(x), 'row', () => x)),
];

const widest = (...parts: readonly Written[]): Written['type'] =>
  parts.some((x) => x.type === 'step') ? 'step' : 'row';
const PAIRS: readonly (readonly [string, (x: number, y: number) => number])[] = [
  ['+', (x, y) => x + y],
  ['−', (x, y) => x - y],
  ['<', (x, y) => Number(x < y)],
  ['≥', (x, y) => Number(x >= y)],
  ['=', (x, y) => Number(x === y)],
  ['≠', (x, y) => Number(x !== y)],
];
const pair = (x: Written, y: Written, k: number): Written => {
  const [sign, of] = PAIRS[k % PAIRS.length]!;
  return column(`(${x.text} ${sign} ${y.text})`, widest(x, y), (b, i, t) => of(x.at(b, i, t), y.at(b, i, t)));
};
const called = (name: string, of: (...x: number[]) => number, ...parts: readonly Written[]): Written =>
  column(`${name}(${parts.map((x) => x.text).join(', ')})`, widest(...parts), (b, i, t) =>
    of(...parts.map((x) => x.at(b, i, t))),
  );

/** Arithmetic on eighths: every value is a whole multiple of a small power of two, and so the same in f32 and f64. */
const exact: fc.Arbitrary<Written> = fc.letrec<{ x: Written }>((tie) => ({
  x: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...leaves),
    fc.tuple(tie('x'), tie('x'), fc.nat(5)).map(([x, y, k]) => pair(x, y, k)),
    fc.tuple(tie('x'), tie('x')).map(([x, y]) => called('min', Math.min, x, y)),
    fc.tuple(tie('x'), tie('x')).map(([x, y]) => called('max', Math.max, x, y)),
    tie('x').map((x) => called('abs', Math.abs, x)),
    tie('x').map((x) => column(`−${x.text}`, x.type, (b, i, t) => -x.at(b, i, t))),
    tie('x').map((x) => column(`2 × ${x.text}`, x.type, (b, i, t) => 2 * x.at(b, i, t))),
    fc.tuple(tie('x'), tie('x'), tie('x')).map(([c, x, y]) => called('where', (u, v, w) => (u !== 0 ? v : w), c, x, y)),
    tie('x').map((x) => column(`returnsToGo(${x.text})`, 'step', (b, i, t) => sumFrom(x, b, i, t))),
    tie('x').map((x) =>
      column(`following(${x.text})`, 'step', (b, i, t) => (t + 1 < b.length[i]! ? x.at(b, i, t + 1) : 0)),
    ),
  ),
})).x;

function sumFrom(x: Written, batch: Batch, i: number, t: number): number {
  let total = 0;
  for (let k = t; k < batch.length[i]!; k++) total += x.at(batch, i, k);
  return total;
}

type Place = readonly [i: number, t: number];
/** Real steps, or the first step of each trajectory, that are in one set with a step. */
function members(batch: Batch, perRow: boolean, isOne: (place: Place) => boolean): Place[] {
  const places: Place[] = [];
  for (let i = 0; i < batch.B; i++)
    for (let t = 0; t < (perRow ? 1 : batch.length[i]!); t++) if (isOne([i, t])) places.push([i, t]);
  return places;
}
const sameTask =
  (b: Batch, i: number) =>
  ([j]: Place): boolean =>
    b.taskIndex[i] === b.taskIndex[j];
const sameState =
  (b: Batch, i: number, t: number) =>
  ([j, u]: Place): boolean =>
    b.taskIndex[i] === b.taskIndex[j] && b.stateKey[2 * (i * b.T + t) + 1] === b.stateKey[2 * (j * b.T + u) + 1];

type Rule = 'std' | 'mean' | 'leaveOneOut' | 'average';
/** x of a step compared with the members of its set. */
function comparedIn(x: Written, batch: Batch, [i, t]: Place, [rule, set]: readonly [Rule, readonly Place[]]): number {
  const values = set.map(([j, u]) => x.at(batch, j, u));
  const own = set.findIndex(([j, u]) => j === i && (u === t || x.type === 'row'));
  if (rule === 'average') return mean(values);
  if (rule === 'leaveOneOut') return isDegenerate(values) ? 0 : leaveOneOut(values)[own]!;
  return normalize(values, rule)[own]!;
}
const over = (x: Written, place: 'task' | 'batch', rule: 'std' | 'mean' | 'leaveOneOut' | 'average'): Written => {
  // a number written out is one per step where a column has to stand
  const isNumber = /^−?[\d.]+$/.test(x.text);
  const of: Written = isNumber ? { ...x, type: 'step' } : x;
  return column(`normalize(${x.text}, ${place}, ${rule})`, of.type, (b, i, t) => {
    const set = members(b, of.type === 'row', place === 'task' ? sameTask(b, i) : () => true);
    return comparedIn(of, b, [i, t], [rule, set]);
  });
};
const inState = (x: Written, rule: 'std' | 'mean' | 'average'): Written => {
  const text =
    rule === 'average' ? `meanOver(${x.text}, sets(state))` : `normalizeSets(${x.text}, sets(state), ${rule})`;
  const of: Written = { ...x, type: 'step' };
  return column(text, 'step', (b, i, t) => comparedIn(of, b, [i, t], [rule, members(b, false, sameState(b, i, t))]));
};

const comparison: fc.Arbitrary<Written> = fc.oneof(
  fc
    .tuple(
      exact,
      fc.constantFrom('task' as const, 'batch' as const),
      fc.constantFrom('std', 'mean', 'leaveOneOut', 'average'),
    )
    .map(([x, place, rule]) => over(x, place, rule as Rule)),
  fc.tuple(exact, fc.constantFrom('std', 'mean', 'average')).map(([x, rule]) => inState(x, rule as 'std')),
);

/** A sum of comparisons of exact values, with weights, a quotient and a name. */
export const arbitraryFormula: fc.Arbitrary<Written> = fc
  .tuple(comparison, comparison, exact, fc.constantFrom(0, 0.5, 1.5))
  .map(([x, y, z, w]) =>
    column(
      `let w = ${w} in 0…2\nx = ${x.text}\nx × w + ${y.text} ÷ (1 + abs(${z.text})) + 0 × reward`,
      'step',
      (b, i, t) => x.at(b, i, t) * w + y.at(b, i, t) / (1 + Math.abs(z.at(b, i, t))),
    ),
  );
