import { averageRanks, correlation } from '../../core/fidelity.ts';
import { Plot } from '../../lab/analysis/plot.ts';
import { BUDGET } from './horizon.ts';
import { median, overSeeds } from './intervals.ts';
import type { Row } from './rows.ts';
import { written, type Table } from './tables.ts';

/** A preset, or a task that several presets share: its horizon and the steps to success, median over seeds. */
type Point = {
  readonly name: string;
  readonly row: Row;
  readonly steps: number;
  readonly seeds: number;
  readonly reached: number;
};

/** More than any run took, for those that never got there: they share the last rank. */
const NEVER = Infinity;

/** Presets with the same first level, pay, step limit and actions are one task. */
const taskOf = (row: Row): string => `${row['task']} ${row['limit']} ${row['actions']}`;

function pointsOf(rows: readonly Row[], nameOf: (row: Row) => string): Point[] {
  return [...new Set(rows.map(nameOf))].map((name) => {
    const own = rows.filter((row) => nameOf(row) === name);
    const steps = own.map((row) => Number(row['steps']));
    const alike = new Set(own.map((row) => row['preset'])).size;
    return {
      ...{ name, row: own[0]!, steps: middle(steps) },
      ...{ seeds: own.length / alike, reached: steps.filter((x) => x < NEVER).length },
    };
  });
}

const byPreset = (row: Row): string => String(row['preset']);

/** The median, where more than half are never there one of those. */
const middle = (x: readonly number[]): number =>
  x.includes(NEVER) ? [...x].sort((a, b) => a - b)[x.length >> 1]! : median(x);

/** The measures that are held against steps, and what a point has of them. */
const MEASURES = [
  ['H', 'effective horizon H'],
  ['predicted', 'predicted steps, T²·A^H'],
  ['bound', 'bound on H'],
  ['k', 'k*'],
  ['limit', 'step limit T'],
  ['states', 'states'],
] as const;

/** Where H is known by its bound alone, so are the steps. */
const has = ({ row }: Point, measure: string): boolean =>
  !Number.isNaN(row[measure]) && (measure !== 'predicted' || !Number.isNaN(row['H']));

function ranked(title: string, points: readonly Point[]): Table {
  return {
    title,
    columns: ['measure', 'n', 'points', 'rank correlation with steps to 0.8'],
    rows: MEASURES.map(([measure, name]) => {
      const own = points.filter((point) => has(point, measure));
      const of = (places: ArrayLike<number>): number => {
        const drawn = Array.from(places, (p) => own[p]!);
        return (
          correlation(averageRanks(drawn.map(({ row }) => Number(row[measure]))), averageRanks(drawn.map(rankable))) ??
          0
        );
      };
      return [name, `${own[0]?.seeds ?? 0} seeds`, String(own.length), overSeeds(own.length, of, (x) => x.toFixed(2))];
    }),
  };
}

/** Ranks take values that are close for their size as equal, so the last place is not far away. */
const rankable = ({ steps }: Point): number => (steps === NEVER ? 9 : Math.log10(steps));

/** The tables of docs/studies/horizon.md from its data. */
export function horizonTables(rows: readonly Row[]): string {
  const points = pointsOf(rows, byPreset);
  const tasks = pointsOf(rows, taskOf);
  const solved = points.filter(({ steps }) => steps < NEVER);
  const each: Table = {
    title: 'Every experiment',
    columns: [
      'experiment',
      'n',
      'states',
      'T',
      'A',
      'k*',
      'H',
      'bound',
      'log10 predicted',
      'reach 0.8',
      'median steps',
    ],
    rows: points
      .toSorted((a, b) => Number(a.row['bound']) - Number(b.row['bound']))
      .map(({ name, row, steps, seeds, reached }) => [
        ...[
          `\`${name}\``,
          `${seeds} seeds`,
          String(row['states']),
          String(row['limit']),
          String(row['actions']),
          String(row['k']),
        ],
        ...[Number.isNaN(row['H']) ? '–' : Number(row['H']).toFixed(2), Number(row['bound']).toFixed(2)],
        ...[Number(row['predicted']).toFixed(1), `${reached} of ${seeds}`],
        steps === NEVER ? `> ${BUDGET}, or the end` : steps.toFixed(0),
      ]),
  };
  return [
    ranked('All experiments', points),
    ranked('All tasks, experiments of one task together', tasks),
    ranked('Experiments that reach 0.8', solved),
    each,
  ]
    .map((table) => written(table, '##'))
    .join('\n\n');
}

/** H against log₁₀ of the median steps, a point an experiment; those that never got there at the upper end. */
export function horizonFigure(rows: readonly Row[]): string {
  const points = pointsOf(rows, byPreset).filter((point) => has(point, 'H'));
  const plot = new Plot({
    title: 'Effective horizon against environment steps to 0.8',
    x: { from: 0, to: 12, label: 'effective horizon H of the first level' },
    y: { from: 2, to: 6, label: 'log10 of steps; 5.75: not reached' },
    legend: ['reached by the median seed', 'not reached'],
  });
  for (const { row, steps } of points) {
    const isThere = steps < NEVER;
    plot.dot(isThere ? 0 : 1, Math.min(12, Number(row['H'])), isThere ? Math.log10(steps) : 5.75, null);
  }
  return plot.svg();
}
