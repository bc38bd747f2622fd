const MOST_SLICES = 32;
/** Floats that the slices of a replica may take. */
const MOST_PARTIALS = 1 << 20;

/** Into how many slices the rows of a gradient are cut: by size only, so that no device or replica changes a bit. */
export function slicesOf(rows: number, size: number): number {
  return Math.max(1, Math.min(MOST_SLICES, Math.floor(MOST_PARTIALS / size), Math.ceil(rows / 128)));
}
