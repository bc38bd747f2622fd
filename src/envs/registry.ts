import { grid } from './grid/grid.ts';
import { sokoban } from './sokoban/sokoban.ts';
import { textmaze } from './textmaze/textmaze.ts';
import type { Environment } from './types.ts';

/**
 * Order here is the order in menus. An environment only ever sees levels that it made itself, so its level type can be
 * forgotten here.
 */
export const environments: readonly Environment[] = [grid, sokoban, textmaze] as unknown as readonly Environment[];
