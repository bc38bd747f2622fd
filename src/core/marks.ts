/** The mark in the timeline of a page or worker (User Timing) from which on it has all that it loads ahead. */
export const LOADED_AHEAD = 'loaded-ahead';

/** The mark in the timeline of a worker for each trial of how many cores a run is to use; its detail says what was measured. */
export const CORES_TRIED = 'cores-tried';

/** What the page says to the worker when it has nothing else to do: whatever is needed only later is loaded now. */
export const PRELOAD = 'preload';
