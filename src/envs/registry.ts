import { grid } from './grid/grid.ts';
import type { Environment } from './types.ts';

/**
 * Order here is the order in menus. An environment only ever sees levels that it made itself, so its level type can be
 * forgotten here.
 */
export const environments: readonly Environment[] = [grid as unknown as Environment];
