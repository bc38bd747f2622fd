import { digitsOf, signed } from '../../lab/analysis/shown.ts';
import { REACHED, TASKS, WHOLE, type Task, type Way } from './curricula.ts';
import { median, ofSeeds, paired, type Pair } from './intervals.ts';
import type { Row } from './rows.ts';
import { notYet, written, type Table } from './tables.ts';

/** The rows of one way on one task, one for each seed. */
type Of = (way: Way) => readonly Row[];

/** The tables of docs/studies/curricula.md from its data. */
export function curriculaTables(rows: readonly Row[]): string {
  return TASKS.flatMap((task) => {
    const of: Of = ({ id, rev }) =>
      rows.filter(
        (row) => row['task'] === task.id && row['way'] === id && row['rev'] === rev && row['budget'] === task.budget,
      );
    const there = task.ways.filter((way) => of(way).length > 0);
    const open = task.ways.filter((way) => !there.includes(way));
    return [
      `## ${task.title}`,
      ...(there.length > 0 ? tables(task, there, of).map((table) => written(table)) : []),
      ...notYet(open.map(({ title }) => title)),
    ];
  }).join('\n\n');
}

const numbers = (rows: readonly Row[], name: string): number[] => rows.map((row) => row[name] as number);
/** Steps to success, where a run that never got there counts as one step more than there were. */
const capped = (rows: readonly Row[]): number[] =>
  rows.map((r) => Math.min(Number(r['steps']), Number(r['budget']) + 1));
const seedsOf = (rows: readonly Row[]): string => `${rows.length} seeds`;

function tables({ title }: Task, ways: readonly Way[], of: Of): Table[] {
  const others = ways.filter((way) => way !== WHOLE);
  return [
    {
      title: `${title}: at equal environment steps`,
      columns: ['task source', 'n', 'reach 0.8', `steps to ${REACHED}`, 'success', 'each seed'],
      rows: ways.map((way) => [
        ...[way.title, seedsOf(of(way)), reached(of(way)), speed(of(way))],
        ...[ofSeeds(numbers(of(way), 'success'), digitsOf(2)), each(of(way))],
      ]),
    },
    ...(ways.includes(WHOLE) && others.length > 0
      ? [less(`${title}: seed by seed, less the whole task`, others, of)]
      : []),
  ];
}

const each = (rows: readonly Row[]): string =>
  numbers(rows, 'success')
    .map((x) => x.toFixed(2))
    .join(' ');

function less(title: string, ways: readonly Way[], of: Of): Table {
  const pairs = (x: (rows: readonly Row[]) => number[]): Pair[] =>
    ways.map((way) => ({ x: x(of(way)), y: x(of(WHOLE)).slice(0, of(way).length) }));
  const texts = paired([...pairs((rows) => numbers(rows, 'success')), ...pairs(capped)], (x) =>
    (Math.abs(x) < 10 ? signed(2) : signed(0))(x),
  );
  return {
    title,
    columns: ['task source', 'n', 'success', `steps to ${REACHED}`],
    rows: ways.map((way, k) => [way.title, seedsOf(of(way)), texts[k]!, texts[ways.length + k]!]),
  };
}

/** Seeds that got there and stayed: those whose last evaluations average enough. */
const reached = (rows: readonly Row[]): string =>
  `${numbers(rows, 'success').filter((x) => x >= REACHED).length} of ${rows.length}`;

function speed(rows: readonly Row[]): string {
  const limit = Number(rows[0]!['budget']);
  return ofSeeds(capped(rows), (x) => (x > limit ? `> ${limit}` : x.toFixed(0)), median);
}
