/** Of a frame, so much is filled: what then takes a little longer still fits. */
export const ROOM = 10 / 12;
/** A piece that takes more than this of what the whole took is not shorter. */
export const LONGER = 0.8;
/** What takes so many times longer or shorter than before is on another device, as it were. */
export const OTHER = 1.5;
