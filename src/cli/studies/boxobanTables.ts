import { wilsonInterval } from '../../core/math/wilson.ts';
import { digitsOf, withInterval } from '../../lab/analysis/shown.ts';
import { TRIES } from '../../lab/boxoban.ts';
import type { Row } from './rows.ts';
import { written } from './tables.ts';

/** The tables of docs/studies/boxoban.md from its data: one for every seed and length. */
export function boxobanTables(rows: readonly Row[]): string {
  const title = (row: Row): string => `Seed ${row['seed']}, ${row['updates']} updates`;
  return [...new Set(rows.map(title))]
    .map((name) =>
      written(
        {
          title: name,
          columns: ['after', 'n', 'environment steps', 'first try', `in ${TRIES} tries`],
          rows: rows.filter((row) => title(row) === name).map(cellsOf),
        },
        '##',
      ),
    )
    .join('\n\n');
}

const cellsOf = (row: Row): string[] => [
  ...[`${row['at']} updates`, `1 seed, ${row['levels']} levels`, `${row['taken']}`],
  ...[share(row, 'first'), share(row, 'best')],
];

/** A share of levels with its Wilson interval, and how many these are. */
function share(row: Row, name: string): string {
  const [k, n] = [Number(row[name]), Number(row['levels'])];
  return `${withInterval(k / n, wilsonInterval(k, n), digitsOf(3))}, ${k} of ${n}`;
}
