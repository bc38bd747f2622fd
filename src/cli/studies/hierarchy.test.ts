import { expect, test } from 'vitest';
import { checkRules } from '../../config/rules.ts';
import { configOf, measureHierarchy, NAMES, PAIRS, stepsTo } from './hierarchy.ts';
import { hierarchyTables } from './hierarchyTables.ts';
import { tablesOf } from './tables.ts';

test('every way can train, and both of a pair get as many episodes an update', () => {
  for (const name of NAMES) expect(checkRules(configOf(name, 1)).filter((i) => i.severity === 'error')).toEqual([]);
  const episodes = (name: string): number => {
    const { rollout } = configOf(name, 1);
    return Number(rollout['tasksPerBatch']) * Number(rollout['groupSize']);
  };
  for (const [x, y] of PAIRS) expect(episodes(x), `${x} and ${y}`).toBe(episodes(y));
});

test('steps to 0.8 are counted to the end of the first window that has it', () => {
  const steps = [10, 20, 30, 40];
  expect(stepsTo([0, 0.8, 1, 1], steps, 1)).toBe(30);
  expect(stepsTo([0, 0.8, 1, 1], steps, 2)).toBe(60);
  expect(stepsTo([1, 0, 0.5, 0.7], steps, 2)).toBeNull();
  expect(stepsTo([1], [10], 2)).toBeNull();
});

test('a seed gives the same row again', async () => {
  const row = await measureHierarchy('flat GAE', 3, 2);
  expect(await measureHierarchy('flat GAE', 3, 2)).toEqual(row);
  expect(row['steps']).toBeGreaterThan(100);
});

test('the tables have each way, and a method minus its other seed by seed', () => {
  const rows = [1, 2, 3].flatMap((seed) => [
    { way: 'HAE', updates: 30, seed, mean: 0.5, last: 1, steps: 900 + seed, reached: 1 },
    { way: 'flat GAE', updates: 30, seed, mean: 0.75, last: 1, steps: 500 + seed, reached: seed === 1 ? 0 : 1 },
  ]);
  const [ways, differences] = tablesOf(hierarchyTables(rows));
  expect(ways!.rows.map((cells) => [cells[0], cells.at(-1)])).toEqual([
    ['HAE', '3 of 3'],
    ['flat GAE', '2 of 3'],
  ]);
  expect(differences!.rows[0]!.slice(2)).toEqual(['-0.25 [-0.25, -0.25], p 0.25', '400 [400, 400], p 0.25']);
  expect(hierarchyTables(rows)).toContain('Not measured yet: HAE (all seen)');
});
