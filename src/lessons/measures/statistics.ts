import { probabilityOfImprovement } from '../../core/seeds.ts';
import * as stats from '../../core/stats.ts';
import { median as middle } from '../../lab/analysis/ablation.ts';
import { measure, type Measure, type Value } from './types.ts';

/** What turns numbers per seed into one, and arithmetic on both. */

const listOf = (value: Value): readonly number[] => (typeof value === 'number' ? [value] : value);

const overSeeds = (id: string, what: string, of: (x: readonly number[]) => number): Measure =>
  measure({ id, doc: `${id}(values): ${what} over the seeds.`, takes: ['value'], of: (x) => of(listOf(x)) });

/** Seed by seed; one number goes with each of the others. */
export function together(a: Value, b: Value, of: (a: number, b: number) => number): Value {
  if (typeof a === 'number') return typeof b === 'number' ? of(a, b) : b.map((y) => of(a, y));
  if (typeof b === 'number') return a.map((x) => of(x, b));
  if (a.length !== b.length) throw new Error(`One arm has ${a.length} seeds and the other ${b.length}.`);
  return a.map((x, s) => of(x, b[s]!));
}

const operator = (id: string, of: (a: number, b: number) => number): Measure =>
  measure({ id, doc: `a ${id} b, seed by seed.`, takes: ['value', 'value'], of: (a, b) => together(a, b, of) });
const each = (id: string, what: string, of: (x: number) => number): Measure =>
  measure({ id, doc: `${id}(x): ${what}.`, takes: ['value'], of: (x) => (typeof x === 'number' ? of(x) : x.map(of)) });

export const statistics: readonly Measure[] = [
  overSeeds('mean', 'the mean', stats.mean),
  overSeeds('median', 'the middle value, or the mean of both', middle),
  overSeeds('min', 'the smallest value', (x) => Math.min(...x)),
  overSeeds('max', 'the largest value', (x) => Math.max(...x)),
  overSeeds('sum', 'the sum', stats.sum),
  overSeeds('std', 'the sample standard deviation', (x) => stats.std(x)),
  overSeeds('se', 'the standard error of the mean', (x) => stats.std(x) / Math.sqrt(x.length)),
  measure({
    id: 'improvement',
    doc: 'improvement(a, b): share of the pairs of a seed of a and a seed of b in which a is larger; ties count half (rliable, arXiv 2108.13264).',
    takes: ['value', 'value'],
    of: (a, b) => probabilityOfImprovement([listOf(a)], [listOf(b)]),
  }),
  operator('+', (a, b) => a + b),
  operator('−', (a, b) => a - b),
  operator('×', (a, b) => a * b),
  operator('÷', (a, b) => a / b),
  operator('<', (a, b) => Number(a < b)),
  operator('≤', (a, b) => Number(a <= b)),
  operator('>', (a, b) => Number(a > b)),
  operator('≥', (a, b) => Number(a >= b)),
  operator('=', (a, b) => Number(a === b)),
  operator('≠', (a, b) => Number(a !== b)),
  operator('power', (a, b) => a ** b),
  each('negative', 'x with the other sign', (x) => -x),
  each('abs', 'x without its sign', Math.abs),
  each('sqrt', 'the square root', Math.sqrt),
  each('exp', 'e to the power x', Math.exp),
  each('log', 'the natural logarithm', Math.log),
  each('round', 'the nearest whole number', Math.round),
];
