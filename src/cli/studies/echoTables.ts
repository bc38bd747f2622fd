import { mean } from '../../core/stats.ts';
import { digitsOf } from '../../lab/analysis/shown.ts';
import { MIXTURES, WAYS } from './echo.ts';
import { ofSeeds, paired } from './intervals.ts';
import type { Row } from './rows.ts';
import { notYet, written } from './tables.ts';

const show = digitsOf(2);

/** The tables of docs/studies/echo.md from its data: a table for each mixture. */
export function echoTables(rows: readonly Row[]): string {
  const missing: string[] = [];
  const parts = MIXTURES.map(({ id, title }) => {
    const of = (way: string): Row[] => rows.filter((row) => row['mixture'] === id && row['way'] === way);
    const measured = WAYS.filter((way) => of(way.id).length > 0);
    missing.push(...WAYS.filter((way) => of(way.id).length === 0).map((way) => `${id}, ${way.id}`));
    const numbers = (way: string, name: string): number[] => of(way).map((row) => Number(row[name]));
    const changes = paired(
      measured.map(({ id: way }) => ({ x: numbers(way, 'first'), y: numbers(way, 'start') })),
      show,
    );
    const cells = measured.map(({ id: way, temperature, kl }, k) => {
      const survivor = of(way).map((row) => Math.max(Number(row['first']), Number(row['second'])));
      return [
        `temperature ${temperature}, KL weight ${kl}`,
        `${survivor.length} seeds`,
        ...['start', 'first', 'second'].map((name) => ofSeeds(numbers(way, name), show, mean)),
        changes[k]!,
        ofSeeds(survivor, show, mean),
        ofSeeds(numbers(way, 'steps'), show, mean),
      ];
    });
    const columns = [
      'training',
      'n',
      'first at the start',
      'first at the end',
      'second at the end',
      'change of the first',
    ];
    return cells.length === 0
      ? ''
      : written({ title, columns: [...columns, 'larger of both', 'steps at the end'], rows: cells }, '##');
  });
  return [...parts, ...notYet(missing)].filter((part) => part !== '').join('\n\n');
}
