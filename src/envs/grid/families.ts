import type { AnyValues } from '../../core/settings.ts';
import type { Family } from '../ladder.ts';

/** Every level is framed by wall to this size, so that all show as much; and has this step limit. */
export const FRAME = { W: 13, H: 7, steps: 60 } as const;

const rows = (level: string, knobs: readonly AnyValues[]): AnyValues[] => knobs.map((own) => ({ level, ...own }));

/** Generators of the grid with a table of difficulty each. The page docs/difficulty.md is written from this table. */
export const gridFamilies: readonly Family[] = [
  {
    id: 'room',
    title: 'Find the goal in a room',
    rows: rows(
      'empty',
      [3, 4, 5, 6, 7].map((n) => ({ n, random: true })),
    ),
  },
  {
    id: 'lava',
    title: 'Through a gap in the lava',
    rows: rows(
      'lavaGap',
      [5, 6, 7].map((n) => ({ n })),
    ),
  },
  {
    id: 'doors',
    title: 'Through rooms with doors',
    rows: rows(
      'multiRoom',
      [1, 2, 3, 4].map((rooms) => ({ rooms, size: 2 })),
    ),
  },
  {
    id: 'keys',
    title: 'Through locked rooms',
    rows: rows('keyChain', [
      { rooms: 1, size: 2 },
      { rooms: 2, size: 2 },
      { rooms: 3, size: 2 },
      { rooms: 3, size: 2, spread: true },
      { rooms: 4, size: 2 },
      { rooms: 4, size: 2, spread: true },
    ]),
  },
  {
    id: 'order',
    title: 'Goals in order',
    rows: rows('orderedGoals', [
      { n: 3, count: 1 },
      { n: 4, count: 1 },
      { n: 4, count: 2 },
      { n: 5, count: 2 },
      { n: 5, count: 3 },
      { n: 6, count: 3 },
      { n: 6, count: 4 },
      { n: 7, count: 4 },
      { n: 7, count: 5 },
      { n: 7, count: 6 },
    ]),
  },
];

/** The map with wall on its right and below. */
export function framed(text: string): string {
  const lines = text.split('\n').map((line) => line.padEnd(FRAME.W, '#'));
  while (lines.length < FRAME.H) lines.push('#'.repeat(FRAME.W));
  return lines.join('\n');
}
