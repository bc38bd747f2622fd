/**
 * Which levels a replica is dealt where levels with different seeds may count as one. Everything is a function of the seed of
 * the replica and of level seeds, so that no draw of others moves and nothing has to be remembered.
 */
export type LevelDeal = {
  /** level seed k of the fixed levels of a replica, before any growth */
  fixed(replica: number, which: number): number;
  /** this level seed, or the first of those derived from it whose level is not held out */
  clear(replica: number, levelSeed: number): number;
  /** this level seed, or the first of those derived from it that counts as none of these, and is not held out either */
  other(replica: number, levelSeed: number, than: readonly number[]): number;
};
