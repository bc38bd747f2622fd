import { expect, test } from 'vitest';
import { measureKeys } from './keys.ts';
import { keysTables } from './keysTables.ts';
import { tablesOf } from './tables.ts';

test('coarser keys make larger groups of one and the same batch, and a seed gives the same row again', async () => {
  const exact = await measureKeys('exact', 3, 12);
  const reduced = await measureKeys('reduced', 3, 12);
  const coarsest = await measureKeys('bisimulation', 3, 12);
  // before the first update the policy is the same, so the batches are, too
  expect(Number(reduced['group'])).toBeGreaterThan(2 * Number(exact['group']));
  expect(Number(coarsest['group'])).toBeGreaterThan(2 * Number(exact['group']));
  expect(await measureKeys('exact', 3, 12)).toEqual(exact);
});

test('the tables have each key, and its difference to the exact one seed by seed', () => {
  const row = { updates: 60, group: 4, steps: 1000 };
  const rows = [1, 2, 3].flatMap((seed) => [
    { ...row, key: 'exact', seed, mean: 0.25, last: 0.5 },
    { ...row, key: 'reduced', seed, mean: 0.5, last: 0.75 },
  ]);
  const [keys, differences] = tablesOf(keysTables(rows));
  expect(keys!.rows.map(([key, n]) => [key, n])).toEqual([
    ['`exact`', '3 seeds'],
    ['`reduced`', '3 seeds'],
  ]);
  expect(differences!.rows).toEqual([
    ['`reduced`', '3 seeds', '0.25 [0.25, 0.25], p 0.25', '0.25 [0.25, 0.25], p 0.25'],
  ]);
  expect(keysTables(rows)).toContain('Not measured yet: symmetric; bisimulation.');
});
