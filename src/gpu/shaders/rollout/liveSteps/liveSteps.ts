import { wordsOfRows } from '../../../../core/slices.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { listKernels } from '../../../listedRows.ts';

type Sizes = { readonly S: number; readonly B: number; readonly T: number };

/** i·(T + 1) + t of the real steps of every trajectory with a weight, or of all, in order. */
export function liveSteps({ S, B, T }: Sizes, plan: Float32Array, all: boolean): number[][] {
  return Array.from({ length: S }, (_replica, s) =>
    Array.from({ length: B }, (_row, i) => {
      const [weight, length] = plan.subarray(2 * (s * B + i));
      return Array.from({ length: all || weight !== 0 ? length! : 0 }, (_step, t) => i * (T + 1) + t);
    }).flat(),
  );
}

/** The list as the kernel writes it over `rows`. */
export function listOf({ S, B, T }: Sizes, plan: Float32Array, all: boolean, rows: Uint32Array): Uint32Array {
  const out = rows.slice();
  const words = wordsOfRows(B, T);
  const bits = new Uint32Array(plan.buffer, plan.byteOffset, plan.length);
  liveSteps({ S, B, T }, plan, all).forEach((steps, s) => {
    const start = s * words;
    out[start] = steps.length;
    out.set(steps, start + 4 + 2 * B);
    for (let i = 0, r = 0; i < B; i++) {
      while (r < steps.length && steps[r]! < i * (T + 1)) r++;
      out[start + 4 + i] = bits[2 * (s * B + i)]!;
      out[start + 4 + B + i] = r;
    }
  });
  return out;
}

/** Rows of x [S, B·T, width] at the steps of a list, one after the other; behind them it is as nobody wrote it. */
export function packed({ S, B, T }: Sizes, plan: Float32Array, all: boolean, x: Float32Array): Float32Array {
  const width = x.length / (S * B * T);
  const out = untouched(x.length);
  liveSteps({ S, B, T }, plan, all).forEach((steps, s) =>
    steps.forEach((obs, r) => {
      const from = (s * B * T + obs - Math.floor(obs / (T + 1))) * width;
      out.set(x.subarray(from, from + width), (s * B * T + r) * width);
    }),
  );
  return out;
}

/** Weights, of which some are 0, and lengths. */
export const planOf = (seed: number, { S, B, T }: Sizes): Float32Array<ArrayBuffer> => {
  const lengths = wholes(seed, S * B, T + 1);
  const weights = numbers(seed + 1, S * B, 0.1, 1);
  return Float32Array.from({ length: 2 * S * B }, (_, k) =>
    k % 2 === 1 ? lengths[k >> 1]! : (k >> 1) % 3 === 1 ? 0 : weights[k >> 1]!,
  );
};

/** A list before its steps have taken their places. */
export function countedOf({ S, B, T }: Sizes, listed: Uint32Array, blank: Uint32Array): Uint32Array {
  const counted = blank.slice();
  for (let s = 0; s < S; s++) {
    const start = s * wordsOfRows(B, T);
    counted[start] = listed[start]!;
    counted.set(listed.subarray(start + 4, start + 4 + 2 * B), start + 4);
  }
  return counted;
}

const shapes = [
  [1, 1, 1],
  [3, 5, 4],
  [2, 257, 2],
  [1, 600, 3],
  [2, 2048, 1],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T], seed) =>
  [false, true].flatMap((all): Case[] => {
    const sizes = { S, B, T };
    const plan = planOf(seed, sizes);
    const blank = new Uint32Array(S * wordsOfRows(B, T)).fill(777);
    const listed = listOf(sizes, plan, all, blank);
    const counted = countedOf(sizes, listed, blank);
    const name = `liveSteps ${S}×${B}×${T}${all ? ', all' : ''}`;
    const dims = { B, T, all: Number(all) };
    return [
      {
        name,
        kernel: listKernels.liveSteps,
        dims,
        groups: [1, 1, S],
        buffers: { plan, list: blank },
        expected: { list: listed },
      },
      {
        name: `${name}: count`,
        kernel: listKernels.liveCount,
        dims,
        groups: [1, 1, S],
        buffers: { plan, list: blank },
        expected: { list: counted },
      },
      {
        name: `${name}: spread`,
        kernel: listKernels.liveSpread,
        dims,
        groups: [Math.ceil((B * T) / 64), 1, S],
        buffers: { plan, list: counted },
        expected: { list: listed },
      },
    ];
  }),
);
