import { expect, test } from 'vitest';
import { measureEcho, MIXTURES, WAYS } from './echo.ts';
import { echoTables } from './echoTables.ts';
import { tablesOf } from './tables.ts';

const [worse, equal] = MIXTURES;
const plain = WAYS[0]!;

test('a seed gives the same row again, and the better solver takes over within 60 updates', async () => {
  const rows = await Promise.all([1, 2, 3, 4, 5].map((seed) => measureEcho({ mixture: worse, way: plain }, seed, 60)));
  for (const row of rows) {
    expect(row['start']).toBeLessThan(0.6);
    expect(row['first']).toBeGreaterThan(0.6);
    expect(Number(row['first'])).toBeGreaterThan(Number(row['start']) + 0.1);
  }
  expect(await measureEcho({ mixture: worse, way: plain }, 2, 60)).toEqual(rows[1]);
});

test('a KL weight of 1 keeps the shares of two solvers that are as good', async () => {
  const held = WAYS.find(({ id }) => id === 'heldFast')!;
  for (const seed of [1, 2, 3, 4, 5]) {
    const row = await measureEcho({ mixture: equal, way: held }, seed, 40);
    expect(Math.abs(Number(row['first']) - 0.75)).toBeLessThan(0.1);
  }
});

test('the tables have a row for every way that was measured', () => {
  const row = { updates: 200, start: 0.25, first: 0.75, second: 0.25, success: 1, steps: 10 };
  const rows = [1, 2, 3].map((seed) => ({ ...row, mixture: 'worse', way: 'plain', seed }));
  const [table] = tablesOf(echoTables(rows));
  expect(table!.rows).toHaveLength(1);
  expect(table!.rows[0]!.slice(0, 3)).toEqual(['temperature 1, KL weight 0', '3 seeds', '0.25 [0.25, 0.25]']);
  expect(echoTables(rows)).toContain('Not measured yet: worse, cold');
});
