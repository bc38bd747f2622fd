import { expect, test } from 'vitest';
import { rangeOfRows } from './rows.ts';
import { ticksOf } from './ticks.ts';

const texts = (low: number, high: number, isWhole = false): string[] => {
  const { at, text } = ticksOf(low, high, 5, isWhole);
  return at.map(text);
};

test('ticks are round, span the data, and no two of them read alike', () => {
  expect(texts(0, 3, true)).toEqual(['0', '1', '2', '3']);
  expect(texts(0, 0, true)).toEqual(['-1', '0', '1'].map((t) => t.replace('-', '−')));
  expect(texts(1.3552, 1.3611)).toEqual(['1.354', '1.356', '1.358', '1.360', '1.362']);
  // entropy after the first updates: not magnified until its numbers have no room
  expect(texts(1.386275, 1.386295)).toEqual(['1.384', '1.385', '1.386', '1.387', '1.388']);
  expect(texts(-5.64, -1)).toEqual(['−6', '−5', '−4', '−3', '−2', '−1']);
  expect(texts(2e-6, 6e-6)).toEqual(['2e-6', '3e-6', '4e-6', '5e-6', '6e-6']);
  for (const [low, high] of [
    [1.36, 1.3600001],
    [250_000, 250_900],
    [0, 1],
    [7, 7],
    [-0.3, 12],
  ] as const) {
    const { at, text } = ticksOf(low, high);
    expect(at[0]).toBeLessThanOrEqual(low);
    expect(at.at(-1)).toBeGreaterThanOrEqual(high);
    expect(new Set(at.map(text)).size).toBe(at.length);
    expect(at.length).toBeLessThan(9);
  }
});

test('the range of a chart is that of its lines and its band', () => {
  expect(
    rangeOfRows([
      { x: 99, iqm: 2, band: [1, 3], s0: 0.5, most: 4 },
      { x: 100, iqm: NaN },
    ]),
  ).toEqual([0.5, 4]);
  expect(rangeOfRows([])).toEqual([0, 1]);
});
