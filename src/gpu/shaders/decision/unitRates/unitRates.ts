import { numbers, untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** [S, 4] rates with the first number divided by the length, 0 where that is not above 0; the others stay. */
export function unitRates(lengths: readonly number[], rateOf: (s: number) => Float32Array): Float32Array {
  return Float32Array.from({ length: 4 * lengths.length }, (_, at) => {
    const value = rateOf(at >> 2)[at % 4]!;
    if (at % 4 > 0) return value;
    return lengths[at >> 2]! > 0 ? value / lengths[at >> 2]! : 0;
  });
}

export const cases: readonly Case[] = (
  [
    [1, 0],
    [64, 1],
    [65, 1],
  ] as const
).map(([S, perReplica]): Case => {
  const k = 2;
  const rates = numbers(S, 4 * (k + S));
  // a replica without a direction, and one that was flagged
  const norms = numbers(S + 1, 2 * S, 0.1, 3).map((x, at) => (at % 10 === 4 ? 0 : at % 10 === 8 ? -1 : x));
  const lengths = Array.from({ length: S }, (_, s) => norms[2 * s]!);
  const rateOf = (s: number): Float32Array => rates.subarray(4 * (k + s * perReplica), 4 * (k + s * perReplica) + 4);
  return {
    name: `unitRates of ${S}`,
    kernel: kernels.unitRates,
    dims: { S, k, perReplica },
    groups: [Math.ceil(S / 64)],
    buffers: { rates, norms, unit: untouched(4 * S) },
    expected: { unit: unitRates(lengths, rateOf) },
    // one division
    tolerance: { abs: 0, rel: 3e-7 },
  };
});
