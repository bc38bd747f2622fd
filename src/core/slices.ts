/** Rows of a slice: an invocation walks through them one after the other, and waits for memory at each. */
const ROWS = 128;
const MOST_SLICES = 512;
/** Floats that the slices of a replica may take: 16 MB. */
const MOST_PARTIALS = 1 << 22;

/** Into how many slices the rows of a gradient are cut: by size only, so that no device or replica changes a bit. */
export function slicesOf(rows: number, size: number): number {
  return Math.max(1, Math.min(MOST_SLICES, Math.floor(MOST_PARTIALS / size), Math.ceil(rows / ROWS)));
}

/** Words of a replica in a list of live steps, see places.wgsl: whole 256 bytes, where a section of a buffer may begin. */
export const wordsOfRows = (B: number, T: number): number => 64 * Math.ceil((4 + 2 * B + B * T) / 64);

/** Steps of a replica up to which one workgroup lists them all, 64 for each invocation, and trajectories that it weighs. */
export const FEW_STEPS = 16_384;
export const FEW_TRAJECTORIES = 2048;
/** Words that lists of several looks may take of each replica: 2 MB. */
const MOST_LISTED = 1 << 19;

/** How many of the looks of an update list their steps in one dispatch, before the first of them. */
export const listedAtOnce = (looks: number, B: number, T: number): number =>
  B > FEW_TRAJECTORIES || B * T > FEW_STEPS
    ? 1
    : Math.max(1, Math.min(looks, Math.floor(MOST_LISTED / wordsOfRows(B, T))));

/** Rows of a replica up to which the 64 lanes of one workgroup take them all, and most lanes beyond. */
const FEW_ROWS = 128;
const MOST_LANES = 8192;
/** Words of what a lane has: at least so many, or those of policyMix.wgsl, which has one of each action. */
const WORDS = 40;
export const wordsOfMix = (actions: number): number => 4 + 4 * Math.ceil(actions / 4);

/** Lanes that share the rows of a replica. They follow its size alone, so replicas do not change each other. */
export const lanesOf = (B: number): number => (B <= FEW_ROWS ? 64 : Math.min(MOST_LANES, 64 * Math.ceil(B / 64)));

/** Words of scratch between the two stages. */
export const partsOf = (S: number, B: number, actions: number): number =>
  (B <= FEW_ROWS ? 1 : S * lanesOf(B)) * Math.max(WORDS, wordsOfMix(actions));
