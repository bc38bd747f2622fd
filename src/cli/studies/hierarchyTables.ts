import { mean } from '../../core/stats.ts';
import { digitsOf } from '../../lab/analysis/shown.ts';
import { NAMES, PAIRS } from './hierarchy.ts';
import { ofSeeds, paired } from './intervals.ts';
import type { Row } from './rows.ts';
import { notYet, written } from './tables.ts';

const show = digitsOf(2);
const steps = digitsOf(0);

/** The tables of docs/studies/hierarchy.md from its data: each way, and each method minus what it is measured against. */
export function hierarchyTables(rows: readonly Row[]): string {
  const of = (way: string, name: string): number[] =>
    rows.filter((row) => row['way'] === way).map((row) => Number(row[name]));
  const measured = NAMES.filter((way) => of(way, 'seed').length > 0);
  const cells = measured.map((way) => {
    const reached = of(way, 'reached');
    return [
      way,
      `${of(way, 'seed').length} seeds`,
      `${of(way, 'updates')[0]} updates`,
      ...['mean', 'last'].map((name) => ofSeeds(of(way, name), show, mean)),
      ofSeeds(of(way, 'steps'), steps),
      `${reached.filter((yes) => yes === 1).length} of ${reached.length}`,
    ];
  });
  const pairs = PAIRS.filter(([x, y]) => of(x, 'seed').length > 0 && of(x, 'seed').length === of(y, 'seed').length);
  const [success, cost] = (['mean', 'steps'] as const).map((name) =>
    paired(
      pairs.map(([x, y]) => ({ x: of(x, name), y: of(y, name) })),
      name === 'mean' ? show : steps,
    ),
  );
  const differences = pairs.map(([x, y], k) => [
    `${x} − ${y}`,
    `${of(x, 'seed').length} seeds`,
    success![k]!,
    cost![k]!,
  ]);
  const columns = ['way', 'n', 'trained', 'success over the run', 'at the end', 'steps to 0.8', 'came there'];
  return [
    written({ title: 'Success and steps by way', columns, rows: cells }, '##'),
    ...(differences.length === 0
      ? []
      : [
          written(
            {
              title: 'A method minus what it is measured against, seed by seed',
              columns: ['pair', 'n', 'success over the run', 'steps to 0.8'],
              rows: differences,
            },
            '##',
          ),
        ]),
    ...notYet(NAMES.filter((way) => !measured.includes(way))),
  ].join('\n\n');
}
