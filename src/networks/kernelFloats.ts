/** Floats of the kernels of one policy on the CPU: arrays of a chunk, and scratch for what is copied in and packed. */
export type KernelFloats = { readonly arrays: number; readonly scratch: number };

/**
 * Floats that a backend asks of its policy's kernels: for each of S replicas `copies` arrays as long as its weights (those of
 * its state and what it sees and plays), and four gradients.
 */
export const ownFloats = (size: number, S: number, copies: number): number => size * (S * copies + 4);

/** Arrays start at whole registers, after the tables of the kernels: address 0 stands for "none". */
export const ALIGN = 16;
const TABLES = 2048;
const PAGE = 65536;
export const aligned = (floats: number): number => Math.ceil((floats * 4) / ALIGN) * ALIGN;

/** Bytes of kernels with room for `own` floats of their user and `scratch` floats of what is copied in and packed. */
export function bytesOfKernels(own: number, scratch: number): number {
  // every array may lose up to 15 bytes to its alignment; nobody has a thousand
  const bytes = TABLES + aligned(own) + 1000 * ALIGN + aligned(scratch);
  return Math.ceil(bytes / PAGE) * PAGE;
}
