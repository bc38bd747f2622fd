/** Dashes that tell groups apart where colors do not. */
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '12 4', '4 2 1 2 1 2'];

/** Color and dash of line k among groups of runs, or arms of a lesson. */
export const strokeOf = (k: number): string => `var(--group${k % DASHES.length})`;
export const dashOf = (k: number): string => DASHES[k % DASHES.length]!;
