import { measure } from './types.ts';

/**
 * Chance that a coin reaches the end of a corridor: cells 0 … n, start at 0, left or right with ½ each, left at 0 stays, at
 * most `steps` steps.
 */
export function coinChance(n: number, steps = 3 * n): number {
  if (!Number.isInteger(n) || n < 1 || !Number.isInteger(steps) || steps < 0 || n * steps > 1e7)
    throw new Error('A corridor has a whole number of cells, and a whole number of steps.');
  let at = new Float64Array(n).fill(0);
  at[0] = 1;
  let arrived = 0;
  for (let t = 0; t < steps; t++) {
    const next = new Float64Array(n);
    for (let x = 0; x < n; x++) {
      next[Math.max(0, x - 1)]! += at[x]! / 2;
      if (x + 1 < n) next[x + 1]! += at[x]! / 2;
      else arrived += at[x]! / 2;
    }
    at = next;
  }
  return arrived;
}

export const corridorChance = measure({
  id: 'corridorChance',
  doc: 'corridorChance(n, T): chance that left or right by a coin reaches the end of a corridor of n steps within T steps (3 n without it), exactly.',
  takes: ['number', 'number?'],
  of: (n, T) => coinChance(n, T),
});
