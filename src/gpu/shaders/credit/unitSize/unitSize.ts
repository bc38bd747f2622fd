import { numbers, summed, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

type Result = { credit: Float32Array; rms: Float32Array; flags: Uint32Array };

/** rms [S] of A over real steps, 1 (or 0) after division when `matched`; flag 3 where it is not finite. */
export function unitSize(
  S: number,
  B: number,
  T: number,
  matched: boolean,
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
    result.rms[s] = matched ? (size > 0 ? 1 : 0) : size;
    if (matched && size > 0) for (const k of real) result.credit[k]! /= size;
  }
  return result;
}

export const cases: readonly Case[] = [false, true].flatMap((matched) =>
  (
    [
      [1, 1, 1, 64],
      [3, 5, 4, 64],
      [2, 65, 7, 64],
      [2, 130, 3, 192],
      [3, 300, 3, 128],
    ] as const
  ).map(([S, B, T, lanes], k): Case => {
    const length = wholes(k, S * B, T).map((n) => n + 1);
    // the first replica has no credit at all; the second half of the buffer (targets) must stay
    const credit = Float32Array.of(...numbers(k, S * B * T).map((x, at) => (at < B * T ? 0 : x)), ...untouched(3));
    return {
      name: `unitSize ${matched ? 'on' : 'off'}, ${S}×${B}×${T} on ${lanes} lanes`,
      ...summed(kernels.unitSize, S, { B, T, matched: matched ? 1 : 0 }, lanes, matched),
      buffers: { parts: untouched(S * lanes * 2), length, credit, rms: untouched(S), flags: new Uint32Array(S) },
      expected: unitSize(S, B, T, matched, length, credit),
      // a mean of at most 900 squares, a root and a division
      tolerance: { abs: 1e-6, rel: 1e-5 },
    };
  }),
);
