import { numbers, summed, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { creditSize } from '../creditSize/creditSize.ts';

export const cases: readonly Case[] = (
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
    name: `unitSize ${S}×${B}×${T} on ${lanes} lanes`,
    ...summed(kernels.unitSize, S, { B, T }, lanes, true),
    buffers: { parts: untouched(S * lanes * 2), length, credit, rms: untouched(S), flags: new Uint32Array(S) },
    expected: creditSize(S, B, T, true, length, credit),
    // a mean of at most 900 squares, a root and a division
    tolerance: { abs: 1e-6, rel: 1e-5 },
  };
});
