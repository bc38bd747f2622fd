import { existsSync, readFileSync } from 'node:fs';
import { keep } from '../attended.ts';

/** One line of a study's data: texts say what was measured, numbers what came out. */
export type Row = Readonly<Record<string, string | number>>;

/** A file of rows, comma-separated under one line of names; cells hold no commas. */
export class Rows {
  readonly path: string;
  private readonly names: readonly string[];
  /** the columns that say which row is which; a new row replaces the one with the same */
  private readonly keys: readonly string[];
  private readonly rows: Map<string, Row>;

  constructor(path: string, names: readonly string[], keys: readonly string[]) {
    this.path = path;
    this.names = names;
    this.keys = keys;
    this.rows = new Map(
      (existsSync(path) ? read(readFileSync(path, 'utf8')) : []).map((row) => [this.keyOf(row), row]),
    );
  }

  get all(): readonly Row[] {
    return [...this.rows.values()];
  }

  async put(rows: readonly Row[]): Promise<void> {
    for (const row of rows) this.rows.set(this.keyOf(row), row);
    const lines = this.all.map((row) => this.names.map((name) => cellOf(row[name]!)).join(','));
    await keep(this.path, `${[this.names.join(','), ...lines].join('\n')}\n`);
  }

  private keyOf(row: Row): string {
    return this.keys.map((key) => row[key]).join(' ');
  }
}

/** Cells that read as numbers are numbers, an empty one is NaN: nothing to measure. */
export function read(text: string): Row[] {
  const [head, ...lines] = text.trim().split('\n');
  const names = head!.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, k) => [name, valueOf(cells[k]!)]));
  });
}

function valueOf(cell: string): string | number {
  if (cell === '') return NaN;
  const number = Number(cell);
  return Number.isNaN(number) ? cell : number;
}

/** A number as it is kept: four decimals, Infinity for what never came, NaN where there is none. */
export const kept = (x: number): number => Number(x.toFixed(4));
const cellOf = (value: string | number): string => (Number.isNaN(value) ? '' : String(value));
