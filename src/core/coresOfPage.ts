/** One core is left to the page. */
export const SPARE = 1;
/** More than these are never used. */
export const MOST_CORES = 8;

/** Cores that training on the CPU path may use in a page on a machine that has so many; below 2: only its own worker. */
export const coresOfPage = (all: number = globalThis.navigator?.hardwareConcurrency ?? 1): number =>
  Math.min(MOST_CORES, all - SPARE);
