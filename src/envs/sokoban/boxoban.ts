import hard from './boxoban/hard.txt?raw';
import medium from './boxoban/medium.txt?raw';
import unfiltered from './boxoban/unfiltered.txt?raw';

/** Sets of the bundled sample of google-deepmind/boxoban-levels (Apache-2.0, see boxoban/README.md). */
export const BOXOBAN = ['unfiltered', 'medium', 'hard'] as const;
export type BoxobanSet = (typeof BOXOBAN)[number];

const PACKED: Readonly<Record<BoxobanSet, string>> = { unfiltered, medium, hard };
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Characters of one level: 11 for the walls of the inner 8 × 8 cells, then player, four boxes, four targets. */
const LENGTH = 20;
const INNER = 8;

export function boxobanCount(set: BoxobanSet): number {
  return Math.floor(PACKED[set].length / LENGTH);
}

/** Text of one level; reads nothing but its 20 characters. */
export function boxobanLevel(set: BoxobanSet, number: number): string {
  const codes = Array.from({ length: LENGTH }, (_, k) => ALPHABET.indexOf(PACKED[set][number * LENGTH + k]!));
  const cells: string[] = Array.from({ length: INNER * INNER }, (_, k) =>
    ((codes[Math.floor(k / 6)]! >>> (k % 6)) & 1) === 1 ? '#' : ' ',
  );
  [...'@$$$$....'].forEach((char, k) => {
    cells[codes[11 + k]!] = char;
  });
  const border = '#'.repeat(INNER + 2);
  const rows = Array.from({ length: INNER }, (_, y) => `#${cells.slice(y * INNER, (y + 1) * INNER).join('')}#`);
  return [border, ...rows, border].join('\n');
}
