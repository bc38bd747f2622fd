import { short } from './table.ts';
import type { Row } from './types.ts';

/** Collects rows and failures, and says each as it comes. */
export function progress(rows: Row[], failures: string[]): { row(row: Row): void; failed(sentence: string): void } {
  return {
    row(row) {
      rows.push(row);
      const ratio = row.ratio === null ? '' : `, ratio ${short(row.ratio)}`;
      console.error(`${row.name}, ${row.shape}: ${short(row.oursMs)} ms${ratio}`);
    },
    failed(sentence) {
      failures.push(sentence);
      console.error(`Failed: ${sentence}`);
    },
  };
}
