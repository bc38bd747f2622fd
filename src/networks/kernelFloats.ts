/** Floats of the kernels of one policy on the CPU: arrays of a chunk, and scratch for what is copied in and packed. */
export type KernelFloats = { readonly arrays: number; readonly scratch: number };

/**
 * Floats that a backend asks of its policy's kernels: for each of S replicas `copies` arrays as long as its weights (those of
 * its state and what it sees and plays), and three gradients.
 */
export const ownFloats = (size: number, S: number, copies: number): number => size * (S * copies + 3);
