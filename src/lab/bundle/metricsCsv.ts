import { CURVES, metrics, type Metric } from '../../slots/metrics/metrics.ts';
import { Holding, type HeldCurves } from '../runs/heldFile.ts';
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

/** A line is not longer than this: its columns are metrics, and a few names of other stacks. */
const LONGEST = 2 ** 20;

/** Numbers of a part of the curves at most, where an update of all seeds has no more: four MiB of them. */
const PART = 2 ** 20;

/** A table of which one line after the other is read; its numbers go into a file of the browser, part after part. */
class Table {
  private readonly S: number;
  private readonly names: readonly string[];
  private readonly columns: readonly number[];
  private readonly seeds: readonly number[];
  /** lines of numbers, as many as have been counted */
  private readonly rows: number;
  private readonly most: number;
  private read = 0;
  /** of the update of the first line: 0 where the start was measured */
  private first = 1;
  private updates = 0;
  private steps = new Float64Array();
  private readonly held = new Holding();
  /** the first update of the part that is in memory, how many it has, and its numbers: one update more, of which some come early */
  private from = 0;
  private size = 0;
  private values = new Float32Array();

  constructor(head: string, rows: number, seeds: readonly number[], most: number) {
    [this.S, this.seeds, this.rows, this.most] = [seeds.length, seeds, rows, most];
    this.names = head.split(',');
    this.columns = this.names.map((name) => metrics.findIndex(({ id }) => id === name));
  }

  /** The sentence of what is wrong with the first line of numbers, and so with the whole; null: there is room for it now. */
  private begin(line: string): string | null {
    const { S, rows } = this;
    if (this.names.slice(0, 3).join() !== 'update,seed,envSteps')
      return 'It does not begin with update, seed and environment steps.';
    this.first = line.startsWith('0,') ? 0 : 1;
    const updates = rows / S - (1 - this.first);
    if (S < 1 || S > MOST.seeds || !Number.isInteger(updates) || updates < 1 || updates > MOST.updates)
      return 'It does not have one line for every update and seed.';
    if (updates * S * CURVES > MOST.values) return 'It has more numbers than are read.';
    this.updates = updates;
    this.steps = new Float64Array(updates);
    this.size = Math.min(updates, Math.max(1, Math.floor(this.most / (S * CURVES))));
    this.values = new Float32Array((this.size + 1) * S * CURVES).fill(NaN);
    return null;
  }

  /** The first `count` updates in memory are whole: they go into the file, and what there is of the next one stays. */
  private pass(count: number): void {
    const { from, values } = this;
    const end = count * this.S * CURVES;
    this.held.add({ from, values: values.subarray(0, end), steps: this.steps.subarray(from, from + count) });
    values.copyWithin(0, end);
    values.fill(NaN, values.length - end);
    this.from += count;
  }

  /** Takes the next line of numbers. A text is the sentence of what is wrong with it. */
  take(line: string): string | null {
    const wrong = this.read === 0 ? this.begin(line) : null;
    if (wrong !== null) return wrong;
    const { S, names, columns, updates } = this;
    const k = this.read++;
    const [n, s] = [Math.floor(k / S) + this.first, k % S];
    const cells = line.split(',');
    if (cells.length !== names.length || cells[0] !== `${n}` || cells[1] !== `${this.seeds[s]}`)
      return `Line ${k + 2} is not that of update ${n} and seed ${this.seeds[s]}.`;
    for (const [c, cell] of cells.entries()) {
      if (c < 2) continue;
      const x = numberIn(cell);
      if (x === undefined) return `Line ${k + 2} has something that is no number under “${names[c]!.slice(0, 40)}”.`;
      const m = columns[c]!;
      if (c === 2) {
        if (n > 0) this.steps[n - 1] = x;
      } else if (m >= 0) {
        // what is measured between two updates stands behind the first of them
        const u = (metrics[m]! as Metric).isBefore ? n : n - 1;
        if (u >= 0 && u < updates) this.values[((u - this.from) * S + s) * CURVES + m] = x;
      }
    }
    if (s === S - 1 && n - this.from === this.size) this.pass(this.size);
    return null;
  }

  /** All of it, or the sentence of what is wrong with it. */
  end(): HeldCurves | string {
    const { S, steps, updates } = this;
    if (this.read === 0) return this.begin('') ?? 'It does not have one line for every update and seed.';
    if (steps.some((x, u) => !(x >= (u === 0 ? 0 : steps[u - 1]!)))) return 'Its environment steps do not grow.';
    if (this.from < updates) this.pass(updates - this.from);
    return { S, held: this.held.end() };
  }
}

/** Why a table with so many ends of lines is not read; null: it is. */
const whyTooMany = (lines: number, S: number): string | null =>
  lines > (MOST.updates + 1) * S + 1 ? 'It has more lines than a run has updates.' : null;

/**
 * Reads a table that `tableOf` (lab/runs/inParts.ts) wrote; columns of metrics that this version does not have, and of aliases,
 * are left out. Of the text no more than a piece and a line are in memory, and of the numbers no more than a part. A text
 * is the sentence of what is wrong with it.
 * @param lines how many ends of lines there are in all pieces
 * @param most numbers of a part
 */
export async function readMetricsIn(
  pieces: AsyncIterable<Uint8Array>,
  lines: number,
  seeds: readonly number[],
  most = PART,
): Promise<HeldCurves | string> {
  const many = whyTooMany(lines, seeds.length);
  if (many !== null) return many;
  const decoder = new TextDecoder();
  let table: Table | null = null;
  let rest = '';
  for await (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true });
    let from = 0;
    for (let to = rest.indexOf('\n'); to >= 0; to = rest.indexOf('\n', from)) {
      const line = rest.slice(from, to);
      from = to + 1;
      const wrong: string | null = table ? table.take(line) : null;
      if (wrong !== null) return wrong;
      table ??= new Table(line, lines - 1, seeds, most);
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST) return 'It has a line that is longer than those of a table.';
  }
  if (rest !== '' || !table) return 'Its last line is not whole.';
  return table.end();
}

const NEW_LINE = 10;

/** Ends of lines in some bytes. */
export function linesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) count++;
  return count;
}

/** The same of a file that can be read twice. */
export async function readMetricsCsv(
  pieces: () => AsyncIterable<Uint8Array>,
  seeds: readonly number[],
  most = PART,
): Promise<HeldCurves | string> {
  let lines = 0;
  for await (const bytes of pieces()) lines += linesIn(bytes);
  return readMetricsIn(pieces(), lines, seeds, most);
}
