import { softmaxRows } from '../core/math/distribution.ts';
import { globalNorm } from '../core/math/gradientNorm.ts';
import type { Moments, MomentStep } from '../core/math/moments.ts';
import { weightSums, type Moved, type WeightSums } from '../core/math/weightSums.ts';
import { openSimd } from '../wasm/simd.ts';
import * as plain from './dense/dense.ts';
import { bytesOfKernels } from './kernelFloats.ts';
import { SimdKernels } from './simdKernels.ts';

/**
 * The dense layers in one of two forms with the same bits: the definition (dense.ts), or WebAssembly with four lanes.
 * Arrays from `floats` are read where they lie; others are copied in and out.
 */
export type Kernels = {
  readonly isFast: boolean;
  /** n zeros for the life of the kernels. */
  floats(n: number): Float32Array;
  readonly sparseForward: typeof plain.sparseForward;
  readonly sparseGradient: typeof plain.sparseGradient;
  readonly denseForward: typeof plain.denseForward;
  readonly denseBackward: typeof plain.denseBackward;
  readonly denseGradient: typeof plain.denseGradient;
  readonly activate: typeof plain.activate;
  readonly activateBackward: typeof plain.activateBackward;
  readonly softmaxRows: typeof softmaxRows;
  /** A step of the means of gradients and of their squares, in place: whether every parameter is finite; null where only the definition can do it. */
  moments(net: Moments, numbers: MomentStep, learningRate: number): boolean | null;
  readonly globalNorm: typeof globalNorm;
  weightSums(moved: Moved): WeightSums;
};

/** What the interface calls the backend. */
export const cpuName = (isFast: boolean, cores = 1): string =>
  (isFast ? 'CPU (SIMD)' : 'CPU') + (cores > 1 ? `, ${cores} cores` : '');

/** The definitions themselves. */
export const plainKernels: Kernels = {
  isFast: false,
  floats: (n) => new Float32Array(n),
  sparseForward: plain.sparseForward,
  sparseGradient: plain.sparseGradient,
  denseForward: plain.denseForward,
  denseBackward: plain.denseBackward,
  denseGradient: plain.denseGradient,
  activate: plain.activate,
  activateBackward: plain.activateBackward,
  softmaxRows,
  moments: () => null,
  globalNorm,
  weightSums,
};

/** Kernels with room for `own` floats of their user, and `scratch` floats for packed columns and for what is copied in. */
export function makeKernels(own: number, scratch: number): Kernels {
  const simd = openSimd(bytesOfKernels(own, scratch));
  return simd ? new SimdKernels(simd, scratch) : plainKernels;
}
