import { mean } from '../../core/stats.ts';
import { digitsOf } from '../../lab/analysis/shown.ts';
import { PART, WAYS } from './boards.ts';
import { ofSeeds, paired } from './intervals.ts';
import type { Row } from './rows.ts';
import { notYet, written } from './tables.ts';

const show = digitsOf(3);

/** The tables of docs/studies/boards.md from its data: success along the way and at the end, and the difference by seed. */
export function boardsTables(rows: readonly Row[]): string {
  const points = [...new Set(rows.map((row) => Number(row['at'])))].sort((a, b) => a - b);
  const of = (network: string, at: number): Map<number, number> =>
    new Map(
      rows
        .filter((row) => row['network'] === network && row['at'] === at)
        .map((row) => [Number(row['seed']), Number(row['success'])]),
    );
  const measured = WAYS.filter(({ id }) => rows.some((row) => row['network'] === id));
  const parts: string[] = [];
  for (const at of points) {
    const cells = measured.map(({ id, title }) => {
      const found = [...of(id, at).values()];
      const parameters = rows.find((row) => row['network'] === id)!['parameters'];
      return [title, `${found.length} seeds`, `${parameters}`, ofSeeds(found, show, mean), range(found)];
    });
    const columns = ['network', 'n', 'parameters', 'success', 'worst and best seed'];
    parts.push(written({ title: `Steps ${at - PART} to ${at}`, columns, rows: cells }, '##'));
  }
  return [
    ...parts,
    ...differences(points, of),
    ...notYet(WAYS.filter((w) => !measured.includes(w)).map((w) => w.title)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const range = (x: readonly number[]): string => `${show(Math.min(...x))}, ${show(Math.max(...x))}`;

/** Convolution minus MLP of the seeds that both have; the test is of the last part alone, which is what was asked. */
function differences(points: readonly number[], of: (network: string, at: number) => Map<number, number>): string[] {
  const [first, second] = WAYS as readonly [(typeof WAYS)[number], (typeof WAYS)[number]];
  const rows = points.flatMap((at) => {
    const [a, b] = [of(first.id, at), of(second.id, at)];
    const seeds = [...a.keys()].filter((seed) => b.has(seed));
    if (seeds.length === 0) return [];
    const pair = { x: seeds.map((seed) => a.get(seed)!), y: seeds.map((seed) => b.get(seed)!) };
    const difference = ofSeeds(
      pair.x.map((x, k) => x - pair.y[k]!),
      show,
      mean,
    );
    return [
      [`${at - PART} to ${at}`, `${seeds.length} seeds`, at === points.at(-1) ? paired([pair], show)[0]! : difference],
    ];
  });
  const title = `${first.title} minus ${second.title}, seed by seed`;
  return rows.length > 0 ? [written({ title, columns: ['steps', 'n', 'success'], rows }, '##')] : [];
}
