import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

export type Shape = { readonly S: number; readonly B: number; readonly T: number; readonly P: number };

type Batch = {
  readonly length: Uint32Array;
  readonly ending: Uint32Array;
  readonly credit: Float32Array;
  readonly sampled: Float32Array;
};

/** sums [S, B, 12] of each trajectory, see rowSums.wgsl. */
export function rowSums({ S, B, T }: Shape, section: number, batch: Batch): Float32Array {
  const sums = new Float64Array(S * B * 12);
  for (let row = 0; row < S * B; row++) {
    const n = batch.length[row]!;
    if (n === 0) continue;
    const wins = batch.ending[4 * row]!;
    const add = (values: readonly number[]): void => values.forEach((x, k) => (sums[12 * row + k]! += x));
    add([1, wins, wins * n, 0, n]);
    for (let k = row * T; k < row * T + n; k++) {
      const A = batch.credit[k]!;
      if (Math.abs(A) > 1e-8) sums[12 * row + 3] = 1;
      const target = batch.credit[section + k]!;
      const e = target - batch.sampled[2 * section + k]!;
      add([0, 0, 0, 0, 0, A, A * A, A > 0 ? 1 : 0, target, target * target, e, e * e]);
    }
  }
  return Float32Array.from(sums);
}

/** Sums of the trajectories of a task group; the fourth number is 1 if it is for one of them. */
function groupOf(rows: readonly Float32Array[]): Float32Array {
  const group = new Float32Array(12);
  for (const row of rows) row.forEach((x, k) => (group[k] = k === 3 ? Math.max(group[k]!, x) : group[k]! + x));
  return group;
}

/** record [S, 16]: the first twelve numbers from the sums of the trajectories, see creditSums.wgsl. */
export function creditSums(
  { S, B, P }: Pick<Shape, 'S' | 'B' | 'P'>,
  sums: Float32Array,
  record: Float32Array,
): Float32Array {
  const result = record.slice();
  const G = Math.ceil(B / P);
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => sums.subarray((s * B + i) * 12, (s * B + i + 1) * 12));
    const groups = Array.from({ length: P }, (_, g) => groupOf(rows.slice(g * G, (g + 1) * G)));
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

/** A batch in which some trajectories, and some whole groups, do not count. */
function batchOf({ S, B, T, P }: Shape, k: number, section: number): Batch {
  const G = Math.ceil(B / P);
  return {
    length: wholes(k, S * B, T + 1).map((n, row) => (B === 1 ? 1 : Math.floor((row % B) / G) % 3 === 1 ? 0 : n)),
    ending: wholes(k + 1, S * B * 4, 2),
    // a third of the credit is nothing, and what is below 1e-8 counts as nothing
    credit: numbers(k + 3, 2 * section).map((x, at) => (at % 3 === 0 ? 0 : at % 3 === 1 ? x * 1e-9 : x)),
    sampled: numbers(k + 4, 3 * section),
  };
}

export const cases: readonly Case[] = shapes.flatMap((shape, k): Case[] => {
  const { S, B, T, P } = shape;
  const section = S * B * T + 3;
  const batch = batchOf(shape, k, section);
  const sums = rowSums(shape, section, batch);
  const record = untouched(S * 16);
  return [
    {
      name: `rowSums ${S}×${B}×${T}`,
      kernel: kernels.rowSums,
      dims: { rows: S * B, T, floatSection: section },
      groups: [Math.ceil((S * B) / 64)],
      buffers: { ...batch, sums: untouched(S * B * 12) },
      expected: { sums },
      // sums of at most 7 numbers below 4
      tolerance: { abs: 4e-6, rel: 1e-6 },
    },
    {
      name: `creditSums ${S}×${B} in ${P} groups`,
      kernel: kernels.creditSums,
      dims: { B, P, G: Math.ceil(B / P) },
      groups: [1, 1, S],
      buffers: { sums, record },
      expected: { record: creditSums(shape, sums, record) },
      // a variance as difference of two means below 2
      tolerance: { abs: 2e-5, rel: 1e-5 },
    },
  ];
});
