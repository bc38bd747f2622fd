/** Rows of a slice: an invocation walks through them one after the other, and waits for memory at each. */
const ROWS = 128;
const MOST_SLICES = 512;
/** Floats that the slices of a replica may take: 16 MB. */
const MOST_PARTIALS = 1 << 22;

/** Into how many slices the rows of a gradient are cut: by size only, so that no device or replica changes a bit. */
export function slicesOf(rows: number, size: number): number {
  return Math.max(1, Math.min(MOST_SLICES, Math.floor(MOST_PARTIALS / size), Math.ceil(rows / ROWS)));
}

/** Words of a replica in a list of live steps: see liveSteps.wgsl. */
export const wordsOfRows = (B: number, T: number): number => 4 + 2 * B + B * T;

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
