/** The mark in the timeline of a page or worker (User Timing) from which on it has all that it loads ahead. */
export const LOADED_AHEAD = 'loaded-ahead';
