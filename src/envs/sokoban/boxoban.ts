/** Sets of the bundled sample of google-deepmind/boxoban-levels (Apache-2.0, see boxoban/README.md). */
export const BOXOBAN = ['unfiltered', 'medium', 'hard'] as const;
export type BoxobanSet = (typeof BOXOBAN)[number];

/** Levels of each set; the levels themselves are loaded when they are asked for. */
const COUNT: Readonly<Record<BoxobanSet, number>> = { unfiltered: 500, medium: 500, hard: 450 };
const FILES: Readonly<Record<BoxobanSet, () => Promise<{ default: string }>>> = {
  unfiltered: () => import('./boxoban/unfiltered.txt?raw'),
  medium: () => import('./boxoban/medium.txt?raw'),
  hard: () => import('./boxoban/hard.txt?raw'),
};
const packed = new Map<BoxobanSet, string>();
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Characters of one level: 11 for the walls of the inner 8 × 8 cells, then player, four boxes, four targets. */
const LENGTH = 20;
const INNER = 8;

/** Levels in a set, loaded or not. */
export function boxobanCount(set: BoxobanSet): number {
  return COUNT[set];
}

/** Loads a set; null if it is there. */
export function loadBoxoban(set: BoxobanSet): Promise<void> | null {
  return packed.has(set) ? null : FILES[set]().then((file) => void packed.set(set, file.default));
}

/** Text of one level, null before its set is loaded; reads nothing but its 20 characters. */
export function boxobanLevel(set: BoxobanSet, number: number): string | null {
  const levels = packed.get(set);
  if (levels === undefined) return null;
  const codes = Array.from({ length: LENGTH }, (_, k) => ALPHABET.indexOf(levels[number * LENGTH + k]!));
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
