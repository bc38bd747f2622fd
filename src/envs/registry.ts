import { grid } from './grid/grid.ts';
import type { Environment } from './types.ts';

/** Order here is the order in menus. */
export const environments: readonly Environment<never>[] = [grid];
