import { mean } from '../../core/stats.ts';
import { averageRanks, correlation } from '../../core/fidelity.ts';
import type { Estimator } from '../../slots/types.ts';
import { isApart, MEASURES, offered, TASKS } from './creditFidelity.ts';
import { digitsOf, signed } from '../../lab/analysis/shown.ts';
import { median, ofSeeds, overSeeds, paired, type Pair } from './intervals.ts';
import type { Row } from './rows.ts';
import { notYet, written, type Table } from './tables.ts';

const TITLES: Record<(typeof MEASURES)[number], string> = {
  correlation: 'correlation',
  cosine: 'gradient cosine',
  sign: 'sign',
  weighted: 'weighted sign',
};
const HEAD = ['estimator', 'n', ...MEASURES.map((m) => TITLES[m]), 'updates', 'updates, matched'];
/** What others are compared with, seed by seed. */
const BASES = ['grpo', 'gigpo'];
/** The measure that the ranks of the others are compared with. */
const RANK_BASE = 'cosine';

/** All rows of one task, by estimator. */
type Found = ReadonlyMap<string, readonly Row[]>;

/** The tables of docs/studies/credit-fidelity.md from its data. */
export function creditTables(rows: readonly Row[]): string {
  const tasks = TASKS.map((task) => ({ task, found: byEstimator(rows.filter((row) => row['task'] === task.id)) }));
  const there = tasks.filter(({ found }) => found.size > 0);
  return [
    ...there.flatMap(({ task, found }) => [
      written(judged(`${task.title}: same batches`, found, false)),
      written(judged(`${task.title}: own or fewer batches`, found, true)),
      written(against(`${task.title}: seed by seed`, found)),
      ...notYet(offered.filter((e) => !found.has(e.id)).map((e) => e.title)),
    ]),
    written(
      ranks(
        'Rank correlation with speed',
        there.map((t) => [t.task.title, t.found]),
        null,
      ),
    ),
    written(
      ranks(
        'Rank correlation less that of the gradient cosine',
        there.map((t) => [t.task.title, t.found]),
        RANK_BASE,
      ),
    ),
  ].join('\n\n');
}

function byEstimator(rows: readonly Row[]): Found {
  const of = (id: string): Row[] => rows.filter((row) => row['estimator'] === id);
  return new Map(offered.map(({ id }): [string, Row[]] => [id, of(id)]).filter(([, found]) => found.length > 0));
}

/** One number of each seed; seeds without it are left out. */
const numbers = (rows: readonly Row[], name: string): number[] =>
  rows.map((row) => row[name] as number).filter((x) => !Number.isNaN(x));

const limitOf = (rows: readonly Row[]): number => Number(rows[0]!['limit']);
/** Updates until success, where a run that never got there counts as one update more than there were. */
const capped = (rows: readonly Row[], name: string): number[] =>
  numbers(rows, name).map((u) => Math.min(u, limitOf(rows) + 1));

function judged(title: string, found: Found, apart: boolean): Table {
  const rows = offered
    .filter((e) => isApart(e) === apart && found.has(e.id))
    .map((e) => judgedRow(e, found.get(e.id)!));
  return { title, columns: HEAD, rows };
}

function judgedRow(estimator: Estimator, rows: readonly Row[]): string[] {
  const batches = numbers(rows, 'batches');
  const n = `${batches.filter((b) => b > 0).length} seeds, ${batches.reduce((a, b) => a + b, 0)} batches`;
  const quality = MEASURES.map((measure) => ofSeeds(numbers(rows, measure), digitsOf(2)));
  return [estimator.title, n, ...quality, speed(rows, 'updates'), speed(rows, 'matched')];
}

/** Median updates with its interval, and how many seeds got there. */
function speed(rows: readonly Row[], name: string): string {
  const limit = limitOf(rows);
  const there = numbers(rows, name).filter((u) => u <= limit).length;
  const text = ofSeeds(capped(rows, name), (u) => (u > limit ? `> ${limit}` : u.toFixed(0)));
  return `${there > 0 ? text : `> ${limit}`}, ${there} of ${rows.length}`;
}

/** Differences in updates with matched size, seed by seed; p corrected for all of the table. */
function against(title: string, found: Found): Table {
  const listed = offered.filter((e) => found.has(e.id));
  const pairs = listed.flatMap(({ id }) =>
    BASES.map((base): Pair | null =>
      base === id || !found.has(base)
        ? null
        : { x: capped(found.get(id)!, 'matched'), y: capped(found.get(base)!, 'matched') },
    ),
  );
  const cells = paired(pairs, signed(0));
  const rows = listed.map((e, k) => [e.title, `${found.get(e.id)!.length} seeds`, ...cells.slice(2 * k, 2 * k + 2)]);
  return { title, columns: ['estimator', 'n', 'less GRPO', 'less GiGPO'], rows };
}

/** Estimators that judged the same batches, and their ranks in a number of their rows from medians of the given seeds. */
type Ranked = { readonly count: number; readonly ranks: (name: string, seeds: ArrayLike<number>) => Float64Array };

function rankedNumbers(found: Found): Ranked {
  // these judged the same batches; the others cannot be ranked with them
  const rows = offered.filter((e) => !isApart(e) && found.has(e.id)).map((e) => found.get(e.id)!);
  const of = (name: string): number[][] => rows.map((r) => (name === 'matched' ? capped(r, name) : numbers(r, name)));
  const lists = new Map([...MEASURES, 'matched'].map((name) => [name, of(name)]));
  // every interval draws the same seeds, and every measure is compared with the same speed
  const known = new Map<string, Float64Array>();
  const ranks: Ranked['ranks'] = (name, seeds) => {
    const key = `${name} ${Array.prototype.join.call(seeds)}`;
    let ranked = known.get(key);
    if (!ranked) {
      const drawn = new Float64Array(seeds.length);
      const medians = lists.get(name)!.map((x) => {
        for (let k = 0; k < drawn.length; k++) drawn[k] = x[seeds[k]!]!;
        return median(drawn);
      });
      known.set(key, (ranked = averageRanks(medians)));
    }
    return ranked;
  };
  return { count: rows.length, ranks };
}

/** Rank correlation over the estimators between a measure and speed with matched size. */
const rankCorrelation = ({ ranks }: Ranked, measure: string, seeds: ArrayLike<number>): number =>
  -(correlation(ranks(measure, seeds), ranks('matched', seeds)) ?? 0);

function ranks(title: string, tasks: readonly (readonly [string, Found])[], less: string | null): Table {
  const measures = MEASURES.filter((m) => m !== less);
  const n = Math.min(...tasks.map(([, found]) => [...found.values()][0]!.length));
  const value = (of: Ranked, measure: string, seeds: ArrayLike<number>): number =>
    rankCorrelation(of, measure, seeds) - (less === null ? 0 : rankCorrelation(of, less, seeds));
  const row = (name: string, all: readonly Ranked[]): string[] => [
    name,
    `${[...new Set(all.map((of) => of.count))].join(' or ')} estimators, ${n} seeds`,
    ...measures.map((m) =>
      overSeeds(n, (seeds) => mean(all.map((of) => value(of, m, seeds))), less === null ? digitsOf(2) : signed(2)),
    ),
  ];
  const each = tasks.map(([name, found]) => [name, rankedNumbers(found)] as const);
  const rows = [
    ...each.map(([name, of]) => row(name, [of])),
    row(
      'mean of the tasks',
      each.map(([, of]) => of),
    ),
  ];
  return { title, columns: ['task', 'n', ...measures.map((m) => TITLES[m])], rows };
}
