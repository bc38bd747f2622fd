import { doCross, type Comparison, type ComparisonRow, type Profile } from './comparison.ts';
import type { Interval } from './bands.ts';
import { digitsOf, pText, signed, withInterval } from './shown.ts';
import { SCORE_WORDS, type ScoreKind } from './strata.ts';

const stepsText = ({ median, share }: ComparisonRow['steps'], n: number): string =>
  `${median === Infinity ? '∞' : Math.round(median).toLocaleString('en')}, ${Math.round(share * n)} of ${n}`;

/**
 * What the table of a comparison says in words: a line for every group, the first one without what compares it.
 * @param areWhole mean and median have their intervals, too; a terminal has no room for them
 */
export function comparisonCells(
  { rows, threshold }: Comparison,
  areWhole = false,
): { columns: string[]; rows: string[][] } {
  const shown = (value: number, interval: Interval | null): string =>
    areWhole ? withInterval(value, interval, digitsOf(3)) : digitsOf(3)(value);
  return {
    columns: [
      ...['group', 'n', 'mean', 'median', 'IQM', 'area', `steps to ${threshold}`],
      ...['less the first', 'p (Holm)', 'paired', 'P(better)'],
    ],
    rows: rows.map(({ name, n, diverged, mean, meanInterval, median, medianInterval, iqm, ...row }) => [
      ...[
        name,
        diverged === 0 ? `${n}` : `${n}, ${diverged} diverged`,
        shown(mean, meanInterval),
        shown(median, medianInterval),
        withInterval(iqm, row.interval, digitsOf(3)),
        digitsOf(3)(row.area),
      ],
      stepsText(row.steps, n),
      ...againstCells(row.against),
    ]),
  };
}

function againstCells(against: ComparisonRow['against']): string[] {
  if (against === null) return ['–', '–', '–', '–'];
  const { difference, interval, p, paired, correlation, improvement, improvementInterval } = against;
  return [
    withInterval(difference, interval, signed(3)),
    p === null ? '–' : pText(p),
    paired === null ? 'no' : `${paired}, r ${correlation === null ? '–' : digitsOf(2)(correlation)}`,
    withInterval(improvement, improvementInterval, digitsOf(2)),
  ];
}

/** What has to be known to read the table, a sentence or two a line. */
export function comparisonNotes({ rows, tasks, limits, leftOut }: Comparison, kind: ScoreKind = 'lastTenth'): string[] {
  const comparisons = rows.length === 2 ? 'one comparison' : `${Math.max(0, rows.length - 1)} comparisons`;
  const configurations = rows.length === 1 ? '1 configuration was' : `${rows.length} configurations were`;
  const upTo =
    limits.length === 1
      ? `the first ${Math.round(limits[0]!).toLocaleString('en')} environment steps`
      : 'the environment steps that all runs have taken on its task';
  return [
    `The seed is the unit; the score of a run is the ${SCORE_WORDS[kind]}. IQM: interquartile mean.`,
    ...(kind === 'equalSteps'
      ? [
          'Updates cost different numbers of environment steps here, and all of them are charged, those of discarded episodes too.',
        ]
      : []),
    ...(rows.some(({ diverged }) => diverged > 0)
      ? ['A run that diverged counts: its score is 0, and its success is 0 from there on.']
      : []),
    ...(tasks.length > 1
      ? [
          `Several tasks (${tasks.length}): seeds are drawn inside each; differences and P(better) are averaged over the tasks.`,
        ]
      : []),
    ...(leftOut > 0 ? [`Runs on tasks that some group lacks are not counted: ${leftOut}.`] : []),
    'Brackets: 95 % intervals of 2,000 bootstrap resamples of the seeds, always the same ones (seed 1).',
    `area: success averaged over ${upTo}. steps to: median over all runs, those that`,
    'never stay there for two evaluations counted as ∞, and how many do.',
    'p: exact sign flips where runs share their seeds (paired: how many, and how the scores correlate), else permutations;',
    `corrected for the ${comparisons} of this table. ${configurations} tried here.`,
    'P(better): how probable it is that a run scores higher than one of the first group; it is not a p-value.',
  ];
}

/** Where the profile of a group crosses that of the first. */
export const crossingNotes = ([first, ...others]: readonly Profile[]): string[] =>
  others.flatMap((profile) =>
    doCross(profile, first!)
      ? [`The profiles of ${profile.name} and ${first!.name} cross: which is better depends on the level.`]
      : [],
  );

/** Every number of the table in full. */
export function comparisonCsv({ rows, threshold }: Comparison): string {
  const head = [
    ...['group', 'n', 'diverged', 'mean', 'meanLow', 'meanHigh', 'median', 'medianLow', 'medianHigh', 'medianOfTasks'],
    ...['iqm', 'iqmLow', 'iqmHigh', 'optimalityGap', 'area', 'threshold', 'medianSteps', 'reached'],
    ...['paired', 'difference', 'differenceLow', 'differenceHigh', 'standardError', 'pHolm', 'correlation'],
    ...['improvement', 'improvementLow', 'improvementHigh'],
  ];
  const pair = (interval: Interval | null | undefined) => [interval?.[0], interval?.[1]];
  const lines = rows.map((row) => {
    const { name, n, steps, against: a } = row;
    const cells = [
      ...[`"${name.replaceAll('"', '""')}"`, n, row.diverged, row.mean, ...pair(row.meanInterval)],
      ...[row.median, ...pair(row.medianInterval), row.medianOfTasks],
      ...[row.iqm, ...pair(row.interval), row.gap, row.area, threshold, steps.median, steps.share],
      ...[a?.paired, a?.difference, ...pair(a?.interval), a?.se, a?.p, a?.correlation],
      ...[a?.improvement, ...pair(a?.improvementInterval)],
    ];
    return cells.map((value) => value ?? '').join(',');
  });
  return `${[head.join(','), ...lines].join('\n')}\n`;
}
