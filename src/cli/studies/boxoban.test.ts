import { expect, test } from 'vitest';
import { LEVELS, measureBoxoban, UPDATES } from './boxoban.ts';
import { boxobanTables } from './boxobanTables.ts';
import type { Row } from './rows.ts';
import { tablesOf } from './tables.ts';

async function rowsOf(seed: number): Promise<Row[]> {
  const rows: Row[] = [];
  await measureBoxoban({ updates: 2, levels: 3 }, seed, async (row) => void rows.push(row));
  return rows;
}

test('levels are played before, along the way and after, and a seed gives the same rows again', async () => {
  const rows = await rowsOf(3);
  expect(rows.map(({ at, levels }) => [at, levels])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
  ]);
  const [before, between, after] = rows.map((row) => Number(row['taken']));
  expect(before).toBe(0);
  // 256 episodes of at most 120 steps in every update
  expect(between).toBeGreaterThan(256);
  expect(after).toBeGreaterThan(between! + 256);
  expect(after).toBeLessThanOrEqual(2 * 256 * 120);
  expect(await rowsOf(3)).toEqual(rows);
});

test('the tables give every share with its Wilson interval, and one to every seed and length', () => {
  const row = { updates: UPDATES, at: UPDATES, taken: 43_500_000, levels: LEVELS };
  const [one, other] = tablesOf(
    boxobanTables([
      { ...row, seed: 1, at: 0, taken: 0, first: 0, best: 400 },
      { ...row, seed: 2, first: 1, best: 2 },
      { ...row, seed: 1, first: 88, best: 141 },
    ]),
  );
  expect([one!.title, other!.title]).toEqual(['Seed 1, 3490 updates', 'Seed 2, 3490 updates']);
  expect(one!.rows).toEqual([
    ['0 updates', '1 seed, 400 levels', '0', '0.000 [0.000, 0.010], 0 of 400', '1.000 [0.990, 1.000], 400 of 400'],
    [
      ...['3490 updates', '1 seed, 400 levels', '43500000'],
      ...['0.220 [0.182, 0.263], 88 of 400', '0.352 [0.307, 0.401], 141 of 400'],
    ],
  ]);
  expect(other!.rows).toHaveLength(1);
});
