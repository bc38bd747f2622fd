import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

export type Shape = { readonly S: number; readonly B: number; readonly T: number; readonly P: number };

type Batch = {
  readonly length: Uint32Array;
  readonly ending: Uint32Array;
  readonly credit: Float32Array;
  readonly sampled: Float32Array;
};

/** sums [S, P, 12] of each task group, ⌈B/P⌉ trajectories in a row, see groupSums.wgsl. */
export function groupSums({ S, B, T, P }: Shape, section: number, batch: Batch): Float32Array {
  const sums = new Float64Array(S * P * 12);
  for (let row = 0; row < S * B; row++) {
    const at = (Math.floor(row / B) * P + Math.floor((row % B) / Math.ceil(B / P))) * 12;
    const n = batch.length[row]!;
    if (n === 0) continue;
    const wins = batch.ending[4 * row]!;
    const add = (values: readonly number[]): void => values.forEach((x, k) => (sums[at + k]! += x));
    add([1, wins, wins * n, 0, n]);
    for (let k = row * T; k < row * T + n; k++) {
      const A = batch.credit[k]!;
      if (Math.abs(A) > 1e-8) sums[at + 3] = 1;
      const target = batch.credit[section + k]!;
      const e = target - batch.sampled[2 * section + k]!;
      add([0, 0, 0, 0, 0, A, A * A, A > 0 ? 1 : 0, target, target * target, e, e * e]);
    }
  }
  return Float32Array.from(sums);
}

/** record [S, 16]: the first twelve numbers from the sums of the groups, see creditSums.wgsl. */
export function creditSums(S: number, P: number, sums: Float32Array, record: Float32Array): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const groups = Array.from({ length: P }, (_, g) => sums.subarray((s * P + g) * 12, (s * P + g + 1) * 12));
    const real = groups.filter((g) => g[0]! > 0);
    const share = (holds: (g: Float32Array) => boolean): number => real.filter(holds).length / real.length;
    const total = (k: number): number => real.reduce((sum, g) => sum + g[k]!, 0);
    const steps = total(4);
    const mean = total(5) / steps;
    const [x, xx, e, ee] = [8, 9, 10, 11].map((k) => total(k) / steps) as [number, number, number, number];
    const spread = xx - x * x > 1e-6 * x * x ? xx - x * x : 0;
    const fails = total(0) - total(1);
    const values = [
      share((g) => g[3]! > 0),
      share((g) => g[1]! > 0 && g[1]! < g[0]!),
      share((g) => g[1] === g[0]),
      share((g) => g[1] === 0),
      mean,
      Math.sqrt(Math.max(0, total(6) - steps * mean * mean) / Math.max(steps - 1, 1)),
      total(7) / steps,
      total(1) > 0 ? total(2) / total(1) : -1,
      fails > 0 ? (steps - total(2)) / fails : -1,
      1 - Math.max(0, ee - e * e) / Math.max(spread, 1e-30),
      spread,
      total(0),
    ];
    result.set(values, 16 * s);
  }
  return result;
}

const shapes: readonly Shape[] = [
  { S: 1, B: 1, T: 1, P: 1 },
  { S: 3, B: 5, T: 4, P: 2 },
  { S: 2, B: 65, T: 7, P: 9 },
  { S: 1, B: 130, T: 3, P: 70 },
];

const grouping = shapes.map((shape, k): Case => {
  const { S, B, T, P } = shape;
  const section = S * B * T + 3;
  const batch = {
    length: wholes(k, S * B, T + 1).map((n) => (S * B > 1 ? n : 1)),
    ending: wholes(k + 1, S * B * 4, 2),
    // a third of the credit is nothing, and what is below 1e-8 counts as nothing
    credit: numbers(k + 3, 2 * section).map((x, at) => (at % 3 === 0 ? 0 : at % 3 === 1 ? x * 1e-9 : x)),
    sampled: numbers(k + 4, 3 * section),
  };
  return {
    name: `groupSums ${S}×${B}×${T} in ${P} groups`,
    kernel: kernels.groupSums,
    dims: { B, T, P, G: Math.ceil(B / P), floatSection: section },
    groups: [P, 1, S],
    buffers: { ...batch, sums: untouched(S * P * 12) },
    expected: { sums: groupSums(shape, section, batch) },
    // sums of at most 455 numbers below 4
    tolerance: { abs: 1e-4, rel: 1e-5 },
  };
});

const joining = shapes.map(({ S, P }, k): Case => {
  const sums = new Float32Array(S * P * 12);
  for (let g = 0; g < S * P; g++) {
    const isEmpty = P > 2 && g % P === 1;
    const n = isEmpty ? 0 : 1 + wholes(k, S * P, 6)[g]!;
    const wins = isEmpty ? 0 : wholes(k + 1, S * P, n + 1)[g]!;
    const [a, b, c, d] = numbers(7 * k + g, 4, 0, 1) as unknown as [number, number, number, number];
    const steps = 3 * n;
    const moments = [a * steps, steps * (a * a + b), Math.round(steps * c), d * steps, steps * (d * d + 0.3), 0.2, 0.1];
    if (!isEmpty) sums.set([n, wins, 2 * wins, g % 2, steps, ...moments], 12 * g);
  }
  const record = untouched(S * 16);
  return {
    name: `creditSums of ${P} groups, ${S} replicas`,
    kernel: kernels.creditSums,
    dims: { P },
    groups: [1, 1, S],
    buffers: { sums, record },
    expected: { record: creditSums(S, P, sums, record) },
    // a variance as difference of two means below 2
    tolerance: { abs: 2e-5, rel: 1e-5 },
  };
});

export const cases: readonly Case[] = [...grouping, ...joining];
