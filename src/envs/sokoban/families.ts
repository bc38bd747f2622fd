import type { AnyValues } from '../../core/settings.ts';
import type { Family } from '../ladder.ts';

/** Size of every board, border included, and the step limit of all levels. */
const BOARD = { w: 7, h: 7 } as const;
export const LADDER_STEPS = 60;

const rows = (boxes: number, pulls: readonly number[]): AnyValues[] =>
  pulls.map((most) => ({ ...BOARD, level: 'reverse', boxes, pulls: most }));

/** Boards with more boxes and longer solutions. The page docs/difficulty.md is written from this table. */
export const sokobanFamilies: readonly Family[] = [
  { id: 'one', title: 'One box', rows: rows(1, [1, 2, 3, 4, 5, 6, 8, 10, 12]) },
  { id: 'two', title: 'Two boxes', rows: rows(2, [2, 3, 4, 5, 6, 8, 10, 12, 14, 16]) },
  { id: 'three', title: 'Three boxes', rows: rows(3, [3, 4, 5, 6, 8, 10, 12, 14, 16, 18]) },
];
