import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { measureSeed, REACHED, TASKS } from './curricula.ts';
import { read } from './rows.ts';

const DATA = join(import.meta.dirname, '..', '..', '..', 'docs', 'studies', 'curricula.csv');
const task = TASKS.find(({ id }) => id === 'maze')!;
const measured = read(readFileSync(DATA, 'utf8')).filter((row) => row['task'] === task.id);
const rowsOf = (id: string) => measured.filter((row) => row['way'] === id);
/** The task sources with which every seed of the study got there. */
const reliable = task.ways.filter(({ id }) => rowsOf(id).every((row) => Number(row['success']) >= REACHED));

// The CPU path gives equal bits everywhere. The study has five seeds of each; here it is the one that was through first.
describe('three locks from scratch are learned again, row for row', () => {
  test.each(reliable.map((way) => [way.title, way] as const))('%s', async (_, way) => {
    const rows = rowsOf(way.id);
    const soonest = rows.reduce((a, b) => (Number(a['taken']) <= Number(b['taken']) ? a : b));
    expect(await measureSeed(task, way, Number(soonest['seed']))).toEqual(soonest);
  });

  test('at least three task sources solve them in five of five seeds', () => {
    expect(reliable.map(({ id }) => rowsOf(id).length)).toEqual([5, 5, 5]);
  });
});
