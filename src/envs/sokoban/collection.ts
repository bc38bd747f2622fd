import { isCell } from './level.ts';

/** A level of a file, still as text. */
export type Entry = {
  readonly title: string;
  /** line of its first row in the file, 1-based */
  readonly line: number;
  readonly level: string;
};

/** True for lines that can only be rows of a board: a wall, and nothing but cells, run lengths and row separators. */
function isBoardLine(line: string): boolean {
  return line.includes('#') && [...line].every((char) => isCell(char) || char === '|' || (char >= '0' && char <= '9'));
}

/**
 * Levels of a file: a level is a maximal run of board lines; its title is the nearest other line since the level before
 * that is not blank. Covers XSB, SOK and Boxoban files. Spec environments §3.3.
 */
export function readCollection(text: string): Entry[] {
  const entries: Entry[] = [];
  let title = '';
  let rows: string[] = [];
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  [...lines, ''].forEach((line, k) => {
    if (isBoardLine(line)) {
      rows.push(line);
      return;
    }
    if (rows.length > 0) {
      entries.push({ title, line: k + 1 - rows.length, level: rows.join('\n') });
      [title, rows] = ['', []];
    }
    if (line.trim() !== '') title = line.trim().replace(/^;+/, '').trim();
  });
  return entries;
}
