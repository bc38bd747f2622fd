import type { AnyValues } from '../../core/settings.ts';
import type { Family } from '../ladder.ts';

/** Step limit of all levels. */
export const LADDER_STEPS = 80;

type Knobs = readonly [rooms: number, chain?: number, loops?: number];
const rows = (goal: string, knobs: readonly Knobs[]): AnyValues[] =>
  knobs.map(([rooms, chain = 0, loops = 0]) => ({ level: 'tree', goal, rooms, chain, loops }));

/** Tasks of the text-maze with a table of difficulty each. The page docs/difficulty.md is written from this table. */
export const textmazeFamilies: readonly Family[] = [
  {
    id: 'reach',
    title: 'Reach a room',
    rows: rows('reach', [[2], [3], [4], [5], [6], [7], [8], [10], [12]]),
  },
  {
    id: 'take',
    title: 'Take an item',
    rows: rows('take', [[2], [3], [4], [5], [6], [7], [8]]),
  },
  {
    id: 'locks',
    title: 'Take an item behind locks',
    rows: rows('take', [[2], [2, 1], [3, 1], [4, 1], [4, 2], [5, 2], [6, 2], [6, 3], [7, 3], [8, 3], [8, 4]]),
  },
  {
    id: 'bring',
    title: 'Bring an item to a room',
    rows: rows('bring', [[2], [3], [4], [5], [5, 1], [6, 1], [7, 1], [7, 2], [8, 2]]),
  },
];
