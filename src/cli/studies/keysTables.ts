import { mean } from '../../core/stats.ts';
import { digitsOf } from '../../lab/analysis/shown.ts';
import { ofSeeds, paired } from './intervals.ts';
import { WAYS } from './keys.ts';
import type { Row } from './rows.ts';
import { notYet, written } from './tables.ts';

const show = digitsOf(2);

/** The tables of docs/studies/keys.md from its data: each key, and each against the exact one seed by seed. */
export function keysTables(rows: readonly Row[]): string {
  const of = (way: string, name: string): number[] =>
    rows.filter((row) => row['key'] === way).map((row) => Number(row[name]));
  const measured = WAYS.filter((way) => of(way, 'seed').length > 0);
  const cells = measured.map((way) => [
    `\`${way}\``,
    `${of(way, 'seed').length} seeds`,
    ...['group', 'mean', 'last', 'steps'].map((name) =>
      ofSeeds(of(way, name), name === 'steps' ? (x) => String(Math.round(x)) : show, mean),
    ),
  ]);
  const others = measured.filter((way) => way !== 'exact' && of(way, 'seed').length === of('exact', 'seed').length);
  const against = (name: string): string[] =>
    paired(
      others.map((way) => ({ x: of(way, name), y: of('exact', name) })),
      show,
    );
  const [means, lasts] = [against('mean'), against('last')];
  const differences = others.map((way, k) => [`\`${way}\``, `${of(way, 'seed').length} seeds`, means[k]!, lasts[k]!]);
  const columns = [
    'key',
    'n',
    'steps of a group',
    'success over all updates',
    'success at the end',
    'environment steps',
  ];
  return [
    written({ title: 'GiGPO by key', columns, rows: cells }, '##'),
    ...(differences.length === 0
      ? []
      : [
          written(
            {
              title: 'Each key minus the exact one, seed by seed',
              columns: ['key', 'n', 'success over all updates', 'success at the end'],
              rows: differences,
            },
            '##',
          ),
        ]),
    ...notYet(WAYS.filter((way) => !measured.includes(way))),
  ].join('\n\n');
}
