import type { Effort } from '../stats.ts';
import type { Bench, Options } from '../types.ts';

/** How long a row may be measured. */
export const effortOf = ({ quick }: Options): Effort =>
  quick ? { rounds: 5, blockMs: 40, budgetMs: 1500 } : { rounds: 15, blockMs: 150, budgetMs: 20_000 };

/** Does `--only` let this row through? */
export const wanted = ({ options: { only } }: Bench, name: string, shape: string): boolean =>
  only === null || `${name} ${shape}`.toLowerCase().includes(only.toLowerCase());
