import type { Batch } from '../../contract/columns.ts';

/** Trajectories that reached the goal. */
export const winsOf = ({ success }: Pick<Batch, 'success'>): number => success.reduce((n, won) => n + won, 0);

/** Mean length of the trajectories that did (1) or did not (0) reach the goal; NaN where there are none. */
export function meanLength({ success, length }: Pick<Batch, 'success' | 'length'>, won: 0 | 1): number {
  let sum = 0;
  let count = 0;
  success.forEach((is, i) => {
    if (is !== won) return;
    sum += length[i]!;
    count++;
  });
  return count > 0 ? sum / count : NaN;
}
