import { CURVES, metrics, type Metric } from '../../slots/metrics/metrics.ts';
import type { Curves } from '../runs/summary.ts';
import { MOST_NUMBERS } from './curveLimit.ts';

/** Most updates and seeds that a table from a stranger may have. */
const MOST = { updates: 20_000, seeds: 256, values: MOST_NUMBERS.run } as const;

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/** A cell: NaN where it is empty, undefined where it is no number. */
function numberIn(text: string): number | undefined {
  if (text === '') return NaN;
  if (text === 'Infinity' || text === '-Infinity') return Number(text);
  return NUMBER.test(text) ? Number(text) : undefined;
}

/** Line ends of a text, counted without making lines of them. */
function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Reads a table that `tableOf` (lab/runs/inParts.ts) wrote; columns of metrics that this version does not have, and of aliases, are left out.
 * A text is the sentence of what is wrong with it.
 */
export function readMetricsCsv(text: string, seeds: readonly number[]): Curves | string {
  const S = seeds.length;
  if (linesIn(text) > (MOST.updates + 1) * S + 1) return 'It has more lines than a run has updates.';
  const lines = text.split('\n');
  if (lines.pop() !== '') return 'Its last line is not whole.';
  const [head = '', ...rows] = lines;
  const names = head.split(',');
  if (names.slice(0, 3).join() !== 'update,seed,envSteps')
    return 'It does not begin with update, seed and environment steps.';
  const hasStart = rows[0]?.startsWith('0,') === true;
  const updates = rows.length / S - (hasStart ? 1 : 0);
  if (S < 1 || S > MOST.seeds || !Number.isInteger(updates) || updates < 1 || updates > MOST.updates)
    return 'It does not have one line for every update and seed.';
  if (updates * S * CURVES > MOST.values) return 'It has more numbers than are read.';
  const values = new Float32Array(updates * S * CURVES).fill(NaN);
  const steps = new Float64Array(updates);
  const columns = names.map((name) => metrics.findIndex(({ id }) => id === name));
  for (const [k, line] of rows.entries()) {
    const [n, s] = [Math.floor(k / S) + (hasStart ? 0 : 1), k % S];
    const cells = line.split(',');
    if (cells.length !== names.length || cells[0] !== `${n}` || cells[1] !== `${seeds[s]}`)
      return `Line ${k + 2} is not that of update ${n} and seed ${seeds[s]}.`;
    for (const [c, cell] of cells.entries()) {
      if (c < 2) continue;
      const x = numberIn(cell);
      if (x === undefined) return `Line ${k + 2} has something that is no number under “${names[c]!.slice(0, 40)}”.`;
      const m = columns[c]!;
      if (c === 2) {
        if (n > 0) steps[n - 1] = x;
      } else if (m >= 0) {
        // what is measured between two updates stands behind the first of them
        const u = (metrics[m]! as Metric).isBefore ? n : n - 1;
        if (u >= 0 && u < updates) values[(u * S + s) * CURVES + m] = x;
      }
    }
  }
  if (steps.some((x, u) => !(x >= (u === 0 ? 0 : steps[u - 1]!)))) return 'Its environment steps do not grow.';
  return { S, part: { from: 0, values, steps } };
}
