import { short } from './table.ts';
import { COMMANDS, type Bench, type Options, type Row } from './types.ts';

/** After so long a quick look at one command starts no further row; the browser, its page and Python take some seconds more. */
const QUICK_MS = 40_000;

/** What a run collects. */
export class Progress {
  readonly rows: Row[] = [];
  readonly failures: string[] = [];
  readonly missed: string[] = [];
  private readonly end: number;
  private readonly onRow: (rows: readonly Row[]) => void;

  /** `onRow` is told after each row. */
  constructor(
    { quick, command }: Pick<Options, 'quick' | 'command'>,
    onRow: (rows: readonly Row[]) => void = () => {},
  ) {
    this.onRow = onRow;
    const commands = command === 'all' ? COMMANDS.length : 1;
    this.end = quick ? performance.now() + QUICK_MS * commands : 1e12;
  }

  /** milliseconds left for rows */
  get leftMs(): number {
    return this.end - performance.now();
  }

  /** The functions of a `Bench` that put things down here, each said as it comes. */
  get sinks(): Pick<Bench, 'row' | 'failed' | 'skipped'> {
    return {
      row: (row) => {
        this.rows.push(row);
        const ratio = row.ratio === null ? '' : `, ratio ${short(row.ratio)}`;
        console.error(`${row.name}, ${row.shape}: ${short(row.oursMs)} ms${ratio}`);
        this.onRow(this.rows);
      },
      failed: (sentence) => {
        this.failures.push(sentence);
        console.error(`Failed: ${sentence}`);
      },
      skipped: (name) => {
        this.missed.push(name);
      },
    };
  }
}
