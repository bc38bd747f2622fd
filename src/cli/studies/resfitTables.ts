import { mean } from '../../core/stats.ts';
import { digitsOf } from '../../lab/analysis/shown.ts';
import { ofSeeds, paired } from './intervals.ts';
import { NAMES } from './resfit.ts';
import type { Row } from './rows.ts';
import { notYet, written } from './tables.ts';

const show = digitsOf(2);
const SPANS = ['few', 'more', 'last'] as const;
const TITLES = ['episodes 1 to 80', 'episodes 81 to 160', 'last 80 episodes'];

/** The tables of docs/studies/resfit.md from its data: each way, and the correction against both others seed by seed. */
export function resfitTables(rows: readonly Row[]): string {
  const of = (way: string, name: string): number[] =>
    rows.filter((row) => row['way'] === way).map((row) => Number(row[name]));
  const measured = NAMES.filter((way) => of(way, 'seed').length > 0);
  const cells = measured.map((way) => [
    way,
    `${of(way, 'seed').length} seeds`,
    ...['start', ...SPANS].map((name) => ofSeeds(of(way, name), show, mean)),
  ]);
  const others = measured.filter(
    (way) => way !== 'residual' && of(way, 'seed').length === of('residual', 'seed').length,
  );
  const against = SPANS.map((name) =>
    paired(
      others.map((way) => ({ x: of('residual', name), y: of(way, name) })),
      show,
    ),
  );
  const differences = others.map((way, k) => [way, `${of(way, 'seed').length} seeds`, ...against.map((of) => of[k]!)]);
  const title = 'The correction minus the other, seed by seed';
  return [
    written({ title: 'Success by way', columns: ['way', 'n', 'first batch', ...TITLES], rows: cells }, '##'),
    ...(differences.length === 0
      ? []
      : [written({ title, columns: ['way', 'n', ...TITLES], rows: differences }, '##')]),
    ...notYet(NAMES.filter((way) => !measured.includes(way))),
  ].join('\n\n');
}
