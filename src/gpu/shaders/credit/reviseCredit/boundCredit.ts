import { numbers, untouched, type Case } from '../../../conformance.ts';
import { boundCredit as kernel } from '../../reviseKernels.ts';

/** `credit` with its first numbers clipped; what follows A stays. */
export function boundCredit(
  { count, bound }: { readonly count: number; readonly bound: number },
  credit: Float32Array,
): Float32Array {
  return credit.map((A, k) => (k < count ? Math.max(-bound, Math.min(bound, A)) : A));
}

export const cases: readonly Case[] = [1, 64, 65, 3 * 7 * 11].map((count, seed): Case => {
  const dims = { count, bound: 0.625 };
  const credit = Float32Array.of(...numbers(seed, count, -2, 2), ...untouched(3));
  // the bounds themselves, and credit that is 0
  [0.625, -0.625, 0].forEach((A, k) => k < count - 1 && (credit[k] = A));
  return {
    name: `boundCredit of ${count}`,
    kernel,
    dims,
    groups: [Math.ceil(count / 64)],
    buffers: { credit },
    expected: { credit: boundCredit(dims, credit) },
    // it chooses one of three numbers
    tolerance: { abs: 0, rel: 0 },
  };
});
