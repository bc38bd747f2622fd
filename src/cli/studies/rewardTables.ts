import { digitsOf, signed } from '../../lab/analysis/shown.ts';
import { TASKS } from './creditFidelity.ts';
import { median, ofSeeds, paired, type Pair } from './intervals.ts';
import { BASES, REACHED, WAYS, whyNot, WORLD, type Task, type Way } from './rewards.ts';
import type { Row } from './rows.ts';
import { notYet, written, type Table } from './tables.ts';

/** The rows of one reward on one task, one for each seed. */
type Of = (way: Way) => readonly Row[];

/** The tables of docs/studies/rewards.md from its data. */
export function rewardTables(rows: readonly Row[]): string {
  return TASKS.flatMap((task) => {
    const of: Of = ({ id, rev }) =>
      rows.filter((row) => row['task'] === task.id && row['way'] === id && row['rev'] === rev);
    const there = WAYS.filter((way) => of(way).length > 0);
    const open = WAYS.filter((way) => !there.includes(way));
    const refused = open.map((way) => ({ way, why: whyNot(task, way) })).filter(({ why }) => why !== null);
    return [
      `## ${task.title}`,
      ...(of(WORLD).length > 0 ? tables(task, there, of).map((table) => written(table)) : []),
      ...refused.map(({ way, why }) => `${way.title} does not run here: ${why}`),
      ...notYet(open.filter((way) => !refused.some((other) => other.way === way)).map((way) => way.title)),
    ];
  }).join('\n\n');
}

const numbers = (rows: readonly Row[], name: string): number[] => rows.map((row) => row[name] as number);
const known = (rows: readonly Row[], name: string): number[] => numbers(rows, name).filter((x) => !Number.isNaN(x));
/** Steps to success, where a run that never got there counts as one step more than there were. */
const capped = (rows: readonly Row[]): number[] =>
  rows.map((r) => Math.min(Number(r['steps']), Number(r['budget']) + 1));

function tables({ title }: Task, ways: readonly Way[], of: Of): Table[] {
  return [
    {
      title: `${title}: at equal environment steps`,
      columns: ['reward', 'n', 'success', 'lost of the optimum', `steps to ${REACHED}`, 'shaped return', 'at first'],
      rows: ways.map((way) => [
        ...[way.title, seedsOf(of(way)), ofSeeds(numbers(of(way), 'success'), digitsOf(2))],
        ...[ofSeeds(known(of(way), 'lost'), digitsOf(2)), speed(of(way))],
        ...[ofSeeds(known(of(way), 'shaped'), digitsOf(2)), ofSeeds(known(of(way), 'first'), digitsOf(2))],
      ]),
    },
    ...BASES.flatMap((base) => {
      const compared = ways.filter((way) => way.against === base.id || (base === WORLD && way.against === undefined));
      const rows = compared.filter((way) => !BASES.includes(way));
      return rows.length > 0 && ways.includes(base)
        ? [less(`${title}: seed by seed, less ${base.title}`, base, rows, of)]
        : [];
    }),
  ];
}

/** Differences to the same world without what a row is about, corrected for all comparisons of the table. */
function less(title: string, base: Way, ways: readonly Way[], of: Of): Table {
  const pairs = (x: (rows: readonly Row[]) => number[]): Pair[] =>
    ways.map((way) => ({ x: x(of(way)), y: x(of(base)).slice(0, of(way).length) }));
  const texts = paired([...pairs((rows) => numbers(rows, 'success')), ...pairs(capped)], (x) =>
    (Math.abs(x) < 10 ? signed(2) : signed(0))(x),
  );
  return {
    title,
    columns: ['reward', 'n', 'success', `steps to ${REACHED}`],
    rows: ways.map((way, k) => [way.title, seedsOf(of(way)), texts[k]!, texts[ways.length + k]!]),
  };
}

const seedsOf = (rows: readonly Row[]): string => `${rows.length} seeds`;

/** Median steps with their interval, and how many seeds got there. */
function speed(rows: readonly Row[]): string {
  const limit = Number(rows[0]!['budget']);
  const there = numbers(rows, 'steps').filter((steps) => steps <= limit).length;
  const text = ofSeeds(capped(rows), (x) => (x > limit ? `> ${limit}` : x.toFixed(0)), median);
  return `${there > 0 ? text : `> ${limit}`}, ${there} of ${rows.length}`;
}
