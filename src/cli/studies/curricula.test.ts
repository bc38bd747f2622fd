import { expect, test } from 'vitest';
import { changesOf, ended, isSolved, measureSeed, TASKS, WHOLE } from './curricula.ts';
import { curriculaTables } from './curriculaTables.ts';
import type { Row } from './rows.ts';
import { tablesOf } from './tables.ts';

test('ways differ from the whole task in where tasks come from alone, and all are compared with it', () => {
  for (const task of TASKS) {
    expect(task.ways[0]).toBe(WHOLE);
    expect(new Set(task.ways.map(({ id }) => id)).size).toBe(task.ways.length);
    for (const way of task.ways)
      for (const name of Object.keys(way.changes)) expect(name, way.id).toMatch(/^source\.|^task\.\w+\.growEvery$/);
    const [whole, ...others] = task.ways.map((way) => changesOf(task, way, 3));
    for (const other of others) expect(other).toMatchObject({ ...whole, 'source.method': other['source.method'] });
  }
});

test('a seed is solved once five evaluations average 0.95', () => {
  expect(isSolved([1, 1, 1, 1])).toBe(false);
  expect(isSolved([0, 1, 1, 1, 1, 0.75])).toBe(true);
  expect(isSolved([1, 1, 1, 1, 0.7])).toBe(false);
});

test('success is that of the last five evaluations, steps are those before the first five that average 0.8', () => {
  const steps = [10, 20, 30, 40, 50, 60, 70];
  expect(ended([0, 0, 1, 1, 1, 1, 0.5], steps)).toEqual({ success: 0.9, steps: 60 });
  // 0 0 1 1 1: 0.6, 0 1 1 1 0: 0.6, 1 1 1 0 0: 0.6
  expect(ended([0, 0, 1, 1, 1, 0, 0], steps)).toEqual({ success: 0.6, steps: Infinity });
  expect(ended([1, 1], [10, 20])).toEqual({ success: NaN, steps: Infinity });
});

test('a seed ends when its environment steps are over, and gives the same numbers again', async () => {
  const [task] = TASKS;
  const way = task!.ways[3]!;
  const row = await measureSeed(task!, way, 5, 9000);
  expect(row).toMatchObject({ task: task!.id, way: way.id, budget: 9000, seed: 5 });
  expect(row['taken']).toBeGreaterThanOrEqual(9000);
  expect(row['taken']).toBeLessThan(9000 + 64 * 60);
  expect(await measureSeed(task!, way, 5, 9000)).toEqual(row);
});

test('the tables say how many seeds got there, and compare them with the whole task', () => {
  const [task] = TASKS;
  const { id, budget, ways } = task!;
  const rows: Row[] = ways.slice(0, 2).flatMap((way, k) =>
    [1, 2, 3, 4, 5].map((seed) => ({
      ...{ task: id, way: way.id, rev: way.rev, budget, seed, taken: budget, updates: 9 },
      ...{ success: k === 0 && seed > 2 ? 0 : 1, steps: k === 0 && seed > 2 ? Infinity : 600 + seed },
    })),
  );
  const text = curriculaTables(rows);
  const [equal, less] = tablesOf(text);
  expect(equal!.rows[0]!.slice(1, 4)).toEqual(['5 seeds', '2 of 5', `> ${budget} [601, > ${budget}]`]);
  expect(equal!.rows[1]!.slice(1)).toEqual([
    ...['5 seeds', '5 of 5', '603 [601, 605]', '1.00 [1.00, 1.00]'],
    '1.00 1.00 1.00 1.00 1.00',
  ]);
  expect(less!.rows.map((row) => row[0])).toEqual([ways[1]!.title]);
  expect(less!.rows[0]![2]).toMatch(/^\+0\.60 /);
  expect(text).toContain(`Not measured yet: ${ways[2]!.title}`);
  // other budgets and revisions are other measurements
  expect(tablesOf(curriculaTables(rows.map((row) => ({ ...row, budget: 1 }))))).toEqual([]);
});
