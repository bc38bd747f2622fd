/** What a run keeps of its past in memory; the memory of an experiment is told from the same numbers (config/memory.ts). */

/** Checkpoints of the timeline take so many bytes. */
export const TIMELINE_BYTES = 64 * 1024 * 1024;
/** Updates between two regular checkpoints, as long as they fit. */
export const REGULAR = 20;

/** Updates whose curves are kept, moved and read together. */
export const CHUNK = 64;
/** Chunks of curves stay in memory up to this many bytes where nobody says otherwise, but always the newest few. */
export const MOST_BYTES = 4 * 2 ** 20;
export const FEWEST = 4;

/** Chunks of curves that stay in memory, where an update has `row` numbers. */
export const chunksKept = (row: number): number => Math.max(FEWEST, Math.floor(MOST_BYTES / (4 * CHUNK * row)));

/** Nothing of a run that trains is copied to the page more often than this, however often checkpoints are due, … */
export const TOLD_MS = 1000;
/** … nor written to the storage, which takes at most one part in so many of the time. */
export const WRITTEN_MS = 3000;
export const WRITTEN_SHARE = 20;
