/** How often a page is shown what a run does; the time that a run will take is told from the same numbers. */

/** Looks at a batch in a second, at most. */
export const MOST_HZ = 10;
/** Making them takes at most a tenth of the time: after one, a run that nothing holds back trains this many times as long. */
export const TRAINED = 9;
