import { expect, test } from 'vitest';
import { isApart, MEASURES, offered } from './creditFidelity.ts';
import { creditTables } from './creditTables.ts';
import { signed } from '../../lab/analysis/shown.ts';
import { ofSeeds, paired } from './intervals.ts';
import type { Row } from './rows.ts';
import { tablesOf } from './tables.ts';

const SEEDS = 5;
/** Invented data of one task: the k-th estimator has a quality of k hundredths, rank by rank the faster the better. */
const rows: Row[] = offered.flatMap((e, k) =>
  Array.from({ length: SEEDS }, (_, s) => ({
    ...{ task: 'grid', estimator: e.id, rev: e.rev, limit: 240, seed: s + 1, batches: isApart(e) ? 2 : 3 },
    ...Object.fromEntries(MEASURES.map((m) => [m, (m === 'sign' ? -k : k) / 100])),
    ...{ updates: e.id === 'loop' && s > 0 ? Infinity : 200 + s, matched: 150 - k + s },
  })),
);
const tables = tablesOf(creditTables(rows));
const named = (begin: string) => tables.find(({ title }) => title.startsWith(begin))!;

test('what judges batches of its own stands in a table of its own and is not ranked', () => {
  const titles = (begin: string): string[] => named(begin).rows.map((row) => row[0]!);
  expect(titles('Key and door: own')).toEqual(offered.filter(isApart).map((e) => e.title));
  expect(titles('Key and door: own')).toEqual(expect.arrayContaining(['ReMax', 'OPRL', 'PPO with critic (GAE)']));
  expect(titles('Key and door: same')).toEqual(offered.filter((e) => !isApart(e)).map((e) => e.title));
  const shared = offered.filter((e) => !isApart(e)).length;
  expect(named('Rank correlation with').rows[0]![1]).toBe(`${shared} estimators, ${SEEDS} seeds`);
});

test('every row says of how many seeds it is, and of how many batches where batches were judged', () => {
  for (const { title, columns, rows: all } of tables) {
    expect(columns[1], title).toBe('n');
    for (const row of all) expect(row[1], row[0]).toMatch(/\b5 seeds/);
  }
  const n = (table: string): Set<string> => new Set(named(table).rows.map((row) => row[1]!));
  expect([...n('Key and door: same')]).toEqual(['5 seeds, 15 batches']);
  expect([...n('Key and door: own')]).toEqual(['5 seeds, 10 batches']);
});

test('the better rank is the faster: 1 for what orders like speed, −1 for the reverse, their difference −2', () => {
  const [task] = named('Rank correlation with').rows;
  expect(task!.slice(2)).toEqual([
    '1.00 [1.00, 1.00]',
    '1.00 [1.00, 1.00]',
    '-1.00 [-1.00, -1.00]',
    '1.00 [1.00, 1.00]',
  ]);
  expect(named('Rank correlation less').rows[0]!.slice(2)).toEqual([
    '0.00 [0.00, 0.00]',
    '-2.00 [-2.00, -2.00]',
    '0.00 [0.00, 0.00]',
  ]);
});

test('runs that never got there count as later than all updates, and the row says how many got there', () => {
  const cell = (title: string): string => named('Key and door: same').rows.find((row) => row[0] === title)![6]!;
  expect(cell('GRPO')).toBe('202 [200, 204], 5 of 5');
  expect(cell('LOOP')).toBe('> 240 [200, > 240], 1 of 5');
});

test('equal numbers of the same seed say nothing more: an interval is of seeds, and pairs hold what seeds share', () => {
  // what seeds share cancels in the difference: 1, 1, 1, 1, 2 → mean 1.2, and 2 of the 2⁵ sign patterns are as far from 0
  const x = [11, 21, 31, 41, 52];
  const y = [10, 20, 30, 40, 50];
  expect(paired([{ x, y }], signed(1))).toEqual(['+1.2 [+1.0, +1.6], p 0.063']);
  // Holm: the smallest of two is doubled, the other keeps the larger of both
  expect(paired([{ x, y }, null, { x: y, y: x }], signed(1)).map((cell) => cell.split('p ')[1])).toEqual([
    '0.13',
    undefined,
    '0.13',
  ]);
  expect(ofSeeds([1, 2], signed(0))).toBe('+2');
});
