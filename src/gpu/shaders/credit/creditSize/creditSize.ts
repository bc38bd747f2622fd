import { numbers, stepped, untouched, wholes, type Case } from '../../../conformance.ts';
import { partsOf } from '../../../../core/slices.ts';
import { stepKernels } from '../../kernels.ts';

type Result = { credit: Float32Array; rms: Float32Array; flags: Uint32Array };

/** rms [S] of A over real steps, or 1 (or 0) after division where it `divides`; flag 3 where it is not finite. */
export function creditSize(
  S: number,
  B: number,
  T: number,
  divides: boolean,
  length: Uint32Array,
  credit: Float32Array,
): Result {
  const result: Result = { credit: credit.slice(), rms: new Float32Array(S), flags: new Uint32Array(S) };
  for (let s = 0; s < S; s++) {
    let squares = 0;
    let n = 0;
    const real: number[] = [];
    for (let i = s * B; i < (s + 1) * B; i++) for (let t = 0; t < length[i]!; t++) real.push(i * T + t);
    for (const k of real) {
      squares += credit[k]! * credit[k]!;
      n++;
    }
    const size = Math.sqrt(squares / n);
    if (!Number.isFinite(size)) result.flags[s] = 3;
    result.rms[s] = divides ? (size > 0 ? 1 : 0) : size;
    if (divides && size > 0) for (const k of real) result.credit[k]! /= size;
  }
  return result;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 'software'],
    [3, 5, 4, 'software'],
    [2, 130, 3, 'software'],
    [3, 300, 3, 'few lanes'],
    [1, 1, 1, 'card'],
    [2, 65, 7, 'card'],
    [2, 150, 40, 'card'],
  ] as const
).map(([S, B, T, form], k): Case => {
  const length = wholes(k, S * B, T).map((n) => n + 1);
  // the first replica has no credit at all; targets behind it are not read
  const credit = Float32Array.of(...numbers(k, S * B * T).map((x, at) => (at < B * T ? 0 : x)), ...untouched(3));
  const { rms, flags } = creditSize(S, B, T, false, length, credit);
  return {
    name: `creditSize ${S}×${B}×${T}, ${form}`,
    ...stepped(stepKernels.creditSize, S, { B, T }, form),
    buffers: { parts: untouched(2 * partsOf(S, B, 1)), length, credit, rms: untouched(S), flags: new Uint32Array(S) },
    expected: { rms, flags },
    // a mean of at most 6,000 squares and a root
    tolerance: { abs: 1e-6, rel: 1e-5 },
  };
});
