import { numbers, untouched, type Case } from '../../../conformance.ts';
import { normWith, squareSumsKernel } from '../../../norm.ts';

/** norms [S, 2] = ‖g‖ (−1 for a flagged replica), sum of norms so far; flags [S] become 4 where the norm is not finite and nothing was flagged before. */
export function gradNorm(
  S: number,
  size: number,
  gradient: Float32Array,
  norms: Float32Array,
  flags: Uint32Array,
): { norms: Float32Array; flags: Uint32Array } {
  const result = { norms: norms.slice(), flags: flags.slice() };
  for (let s = 0; s < S; s++) {
    let squares = 0;
    for (let k = 0; k < size; k++) squares += gradient[s * size + k]! * gradient[s * size + k]!;
    if (!Number.isFinite(squares) && flags[s] === 0) result.flags[s] = 4;
    result.norms[2 * s] = result.flags[s] === 0 ? Math.sqrt(squares) : -1;
    if (Number.isFinite(squares)) result.norms[2 * s + 1]! += Math.sqrt(squares);
  }
  return result;
}

const ordinary = [4, 252, 1020, 1024, 1028, 4124].map((size, k): Case => {
  const S = 3;
  const gradient = numbers(k, S * size);
  const norms = Float32Array.of(9, 1, 9, 2, 9, 3);
  const flags = Uint32Array.of(0, 2, 0);
  return {
    name: `gradNorm of ${size} numbers`,
    kernel: normWith('main', false),
    dims: { size, steps: 0 },
    groups: [1, 1, S],
    buffers: { gradient, norms, flags },
    expected: gradNorm(S, size, gradient, norms, flags),
    // a tree over 256 partial sums of 20 squares, four side by side: 16 roundings
    tolerance: { abs: 0, rel: 2e-6 },
  };
});

/** NaN and infinity raise the flag; a flag that was there stays. */
const broken = [NaN, Infinity, -Infinity].map((x): Case => {
  const gradient = Float32Array.of(1, 2, 3, 4, 5, x, 7, 8, 9, x, 11, 12);
  return {
    name: `gradNorm with ${x}`,
    kernel: normWith('main', false),
    dims: { size: 4, steps: 0 },
    groups: [1, 1, 3],
    buffers: { gradient, norms: new Float32Array(6), flags: Uint32Array.of(0, 0, 1) },
    expected: gradNorm(3, 4, gradient, new Float32Array(6), Uint32Array.of(0, 0, 1)),
    tolerance: { abs: 0, rel: 1e-6 },
  };
});

/** squares[s,p] = Σ g² over every 64th four of 4096 numbers, and the norm from such sums. */
const inStages = [4, 1024, 4100, 9000].flatMap((size, k): Case[] => {
  const S = 3;
  const parts = 64 * Math.ceil(size / 4096);
  const gradient = numbers(k + 20, S * size);
  const squares = new Float32Array(S * parts);
  gradient.forEach((g, at) => {
    const [s, k] = [Math.floor(at / size), at % size];
    squares[s * parts + 64 * Math.floor(k / 4096) + (Math.floor(k / 4) % 64)]! += g * g;
  });
  const norms = Float32Array.of(9, 1, 9, 2, 9, 3);
  const flags = Uint32Array.of(0, 2, 0);
  return [
    {
      name: `squareSums of ${size} numbers`,
      kernel: squareSumsKernel,
      dims: { size, parts },
      groups: [parts / 64, 1, S],
      buffers: { gradient, squares: untouched(S * parts) },
      expected: { squares },
      // 16 sums of 4 squares, against sums one by one in f32
      tolerance: { abs: 1e-6, rel: 2e-5 },
    },
    {
      name: `gradNorm of the sums of ${size} numbers`,
      kernel: normWith('ofSums', false),
      dims: { size: parts, steps: 0 },
      groups: [1, 1, S],
      buffers: { gradient: squares, norms, flags },
      expected: gradNorm(S, parts, squares.map(Math.sqrt), norms, flags),
      // squares of rounded roots, a tree and a root: a few roundings
      tolerance: { abs: 0, rel: 1e-6 },
    },
  ];
});

/** losses [S, 2] += Σ over steps of the first two of the six numbers of each step. */
export function lossSums(steps: number, stats: Float32Array, losses: Float32Array): Float32Array {
  return losses.map((before, k) => {
    let sum = before;
    for (let t = 0; t < steps; t++) sum += stats[((k >> 1) * steps + t) * 6 + (k & 1)]!;
    return sum;
  });
}

/** Both forms of the norm with losses by the way. */
const withLosses = [1, 63, 256, 601].flatMap((steps, k) =>
  (['main', 'ofSums'] as const).map((entry): Case => {
    const [S, size] = [2, 64];
    const stats = numbers(k + 40, S * steps * 6);
    const gradient = numbers(k + 50, S * size, 0, 1);
    const losses = Float32Array.of(1, 2, 3, 4);
    const norms = new Float32Array(2 * S);
    const flags = new Uint32Array(S);
    return {
      name: `gradNorm.${entry} with the losses of ${steps} steps`,
      kernel: normWith(entry, true),
      dims: { size, steps },
      groups: [1, 1, S],
      buffers: { gradient, norms, flags, stats, losses },
      expected: {
        losses: lossSums(steps, stats, losses),
        norms: gradNorm(S, size, entry === 'main' ? gradient : gradient.map(Math.sqrt), norms, flags).norms,
      },
      // sums of at most 602 numbers below 4
      tolerance: { abs: 1e-5, rel: 1e-5 },
    };
  }),
);

export const cases: readonly Case[] = [...ordinary, ...broken, ...inStages, ...withLosses];
