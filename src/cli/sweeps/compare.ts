import { basename, join, resolve } from 'node:path';
import { canonicalJson } from '../../config/canonical.ts';
import { configWith } from '../../config/schema.ts';
import {
  compareGroups,
  doCross,
  profilesOf,
  type Comparison,
  type MemberGroup,
} from '../../lab/analysis/comparison.ts';
import { curvesFigure, improvementFigure, profilesFigure, TAUS } from '../../lab/analysis/comparisonFigures.ts';
import type { CellResult } from '../../lab/sweep/cell.ts';
import type { Args } from '../args.ts';
import { prepareFolder, writeWhole, type TextFile } from '../files.ts';
import { fixed, pText, signed, type Show } from '../studies/intervals.ts';
import { written } from '../studies/tables.ts';
import { readFolder } from './folder.ts';

export const COMPARE_USAGE = `npm run lab -- compare DIR … [--threshold SUCCESS] [--out FOLDER]
  compares the groups of sweeps with the first one; the table as text and CSV, and figures, go into FOLDER (DIR/comparison)`;

const FILES = ['curves.svg', 'profiles.svg', 'improvement.svg', 'comparison.csv', 'comparison.md'] as const;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

/** Groups of several sweeps, and the cells that have no result yet. */
type Gathered = {
  readonly groups: readonly MemberGroup[];
  readonly missing: readonly string[];
  readonly threshold: number;
};

/** The groups of all folders in their order; those that are equal but for the seed are one. */
async function gather(folders: readonly string[]): Promise<Gathered | string> {
  const found = new Map<string, { name: string; folder: string; members: Map<string, CellResult> }>();
  const missing: string[] = [];
  let threshold: number | null = null;
  for (const folder of folders) {
    const read = await readFolder(folder);
    if (typeof read === 'string') return read;
    const { plan, results } = read;
    threshold ??= plan.threshold;
    for (const { address, group, seed, config } of plan.cells) {
      // cells that end after a number of steps have it behind their digest
      const key = `${canonicalJson(configWith({ 'run.seed': 0 }, config))}${address.slice(10)}`;
      const { name } = plan.groups[group]!;
      const members = found.get(key)?.members ?? new Map<string, CellResult>();
      if (!found.has(key)) found.set(key, { name, folder, members });
      const result = results.get(address);
      if (result) members.set(address, result);
      else missing.push(`${name}, seed ${seed}`);
    }
  }
  const all = [...found.values()];
  const groups = all.map(({ name, folder, members }) => ({
    name: all.some((other) => other.members !== members && other.name === name)
      ? `${name} (${basename(resolve(folder))})`
      : name,
    members: [...members.values()],
  }));
  return { groups: groups.filter(({ members }) => members.length > 0), missing, threshold: threshold! };
}

const COLUMNS = ['group', 'n', 'mean', 'IQM', 'area'];

/** "0.81 [0.72, 0.9]", or why there is no interval. */
const withInterval = (value: number, interval: readonly [number, number] | null, show: Show): string =>
  `${show(value)} ${interval ? `[${interval.map(show).join(', ')}]` : '(too few seeds)'}`;

const stepsText = ({ median, share }: { readonly median: number; readonly share: number }, n: number): string =>
  `${median === Infinity ? '∞' : Math.round(median).toLocaleString('en')}, ${Math.round(share * n)} of ${n}`;

/** The table and what has to be known to read it. */
export function comparisonText({ rows, threshold, limit }: Comparison, crossing: readonly string[]): string {
  const cells = rows.map(({ name, n, mean, iqm, interval, area, steps, against }) => [
    ...[name, `${n}`, fixed(3)(mean), withInterval(iqm, interval, fixed(3)), fixed(3)(area), stepsText(steps, n)],
    ...(against === null
      ? ['–', '–', '–', '–']
      : [
          withInterval(against.difference, against.interval, signed(3)),
          pText(against.p),
          against.paired === null
            ? 'no'
            : `${against.paired}, r ${against.correlation === null ? '–' : fixed(2)(against.correlation)}`,
          withInterval(against.improvement, against.improvementInterval, fixed(2)),
        ]),
  ]);
  const columns = [...COLUMNS, `steps to ${threshold}`, 'less the first', 'p (Holm)', 'paired', 'P(better)'];
  const configurations = rows.length === 1 ? '1 configuration was' : `${rows.length} configurations were`;
  return [
    written({ title: 'Comparison', columns, rows: cells }, '##'),
    '',
    'The seed is the unit; the score of a run is the mean of the last tenth of its evaluations. IQM: interquartile mean.',
    'Brackets: 95 % intervals of 2,000 bootstrap resamples of the seeds.',
    `area: success averaged over the first ${Math.round(limit).toLocaleString('en')} environment steps. steps to: median over all runs, those that`,
    'never stay there for two evaluations counted as ∞, and how many do.',
    `p: exact sign flips where runs share their seeds (paired: how many, and how the scores correlate), else permutations;`,
    `corrected for the ${Math.max(0, rows.length - 1)} comparisons of this table. ${configurations} tried here.`,
    'P(better): how probable it is that a run scores higher than one of the first group; it is not a p-value.',
    ...crossing,
    '',
  ].join('\n');
}

/** Every number of the table in full. */
export function comparisonCsv({ rows, threshold }: Comparison): string {
  const head = [
    ...['group', 'n', 'mean', 'iqm', 'iqmLow', 'iqmHigh', 'area', 'threshold', 'medianSteps', 'reached'],
    ...['paired', 'difference', 'differenceLow', 'differenceHigh', 'pHolm', 'correlation'],
    ...['improvement', 'improvementLow', 'improvementHigh'],
  ];
  const lines = rows.map(({ name, n, mean, iqm, interval, area, steps, against: a }) =>
    [
      ...[`"${name.replaceAll('"', '""')}"`, n, mean, iqm, interval?.[0], interval?.[1], area, threshold],
      ...[
        steps.median,
        steps.share,
        a?.paired,
        a?.difference,
        a?.interval?.[0],
        a?.interval?.[1],
        a?.p,
        a?.correlation,
      ],
      ...[a?.improvement, a?.improvementInterval?.[0], a?.improvementInterval?.[1]],
    ]
      .map((value) => value ?? '')
      .join(','),
  );
  return `${[head.join(','), ...lines].join('\n')}\n`;
}

/** Compares finished cells of one sweep or several. Resolves with the exit code. */
export async function compareCommand({ words, options }: Args): Promise<number> {
  const folders = words.slice(1);
  if (folders.length === 0) return say(`Usage: ${COMPARE_USAGE}`);
  const gathered = await gather(folders);
  if (typeof gathered === 'string') return say(gathered);
  const { groups, missing } = gathered;
  if (groups.length === 0) return say('No cell of these sweeps is finished yet.');
  const threshold = Number(options['threshold'] ?? gathered.threshold);
  if (!(threshold >= 0 && threshold <= 1)) return say('--threshold takes a success between 0 and 1.');
  const out = options['out'] ?? join(folders[0]!, 'comparison');
  const refused = await prepareFolder(out, FILES, 0);
  if (refused !== null) return say(refused);
  const comparison = compareGroups(groups, threshold);
  const profiles = profilesOf(groups, TAUS);
  const crossing = profiles
    .slice(1)
    .flatMap((profile) =>
      doCross(profile, profiles[0]!)
        ? [`The profiles of ${profile.name} and ${profiles[0]!.name} cross: which is better depends on the level.`]
        : [],
    );
  const notYet =
    missing.length === 0
      ? []
      : [
          `Not finished and not counted, ${missing.length}: ${missing.slice(0, 12).join('; ')}${missing.length > 12 ? ' …' : '.'}`,
        ];
  const text = comparisonText(comparison, [...crossing, ...notYet]);
  console.log(text);
  const texts = [
    ...[curvesFigure(groups), profilesFigure(groups, profiles), improvementFigure(comparison)],
    ...[comparisonCsv(comparison), text],
  ];
  const problem = await writeWhole(
    out,
    FILES.map((name, k): TextFile => ({ name, text: texts[k]! })),
  );
  if (problem !== null) return say(problem);
  console.log(`Table and figures are in ${out}`);
  return 0;
}
