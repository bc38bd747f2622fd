import { aliases } from '../slots/metrics/aliases.ts';
import { METRICS, metricIndex, metrics, type Metric } from '../slots/metrics/metrics.ts';

/** A history, as far as a table reads it. */
type Numbers = {
  readonly S: number;
  readonly length: number;
  at(update: number, s: number, metric: number): number;
  envSteps(update: number): number;
};

type Table = {
  readonly seeds: Uint32Array;
  readonly hasAliases: boolean;
  /** the policy was measured before the first update */
  readonly knowsStart: boolean;
  readonly isMeasured: (metric: number) => boolean;
};

/** Lines of a piece. */
const LINES = 512;

/**
 * One line per update and seed, one column per metric (of those to choose only what was measured), then one per alias if wanted; empty = not measured. Updates count
 * from 1, and what is measured on the policy between two of them stands after the first: line 0 is the start.
 * @param from with `to` the lines that are wanted, of which line n reads updates n and n + 1; the names come before line 0
 */
export function* csvPieces(
  series: Numbers,
  { seeds, hasAliases, knowsStart, isMeasured }: Table,
  from = 0,
  to = series.length,
): Generator<string> {
  const columns = [
    ...metrics.flatMap((metric: Metric, m) =>
      m < METRICS || isMeasured(m) ? [{ name: metric.id, sum: [m], later: metric.isBefore ? 1 : 0 }] : [],
    ),
    ...(hasAliases ? aliases.map(({ name, sum }) => ({ name, sum: sum.map((id) => metricIndex[id]), later: 0 })) : []),
  ];
  let lines = from > 0 ? [] : [['update', 'seed', 'envSteps', ...columns.map(({ name }) => name)].join(',')];
  for (let n = Math.max(from, knowsStart ? 0 : 1); n <= to; n++) {
    for (let s = 0; s < series.S; s++) {
      const row = [n, seeds[s]!, n === 0 ? 0 : Math.round(series.envSteps(n - 1))] as (number | string)[];
      for (const { sum, later } of columns) {
        const u = n - 1 + later;
        const isKnown = u >= 0 && u < series.length;
        const x = isKnown ? sum.reduce((total, m) => total + series.at(u, s, m), 0) : NaN;
        row.push(Number.isNaN(x) ? '' : Number(x.toPrecision(7)));
      }
      lines.push(row.join(','));
    }
    if (lines.length < LINES) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}
