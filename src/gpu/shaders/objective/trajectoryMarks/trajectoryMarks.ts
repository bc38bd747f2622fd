import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { marksWith } from '../../../marks.ts';

type Sizes = { readonly S: number; readonly B: number; readonly T: number; readonly marksAt: number };

/** An objective whose marks read all there is, to test the frame around any. */
const SNIPPET = `fn termOf(A: f32, delta: f32) -> vec2f { return vec2f(delta, A * delta); }
fn markOf(sum: vec2f, n: f32, A: f32, delta: f32) -> f32 { return sum.x / n + A * sum.y + 2.0 * delta; }`;

const EMPTY = 77;

/** Marks of the steps of every trajectory with a weight, EMPTY for all others; the rest of `credit` stays. `still`: Δ = 0. */
export function trajectoryMarks(
  { S, B, T, marksAt }: Sizes,
  plan: Float32Array,
  stats: Float32Array,
  credit: Float32Array,
  still: boolean,
): Float32Array {
  const out = credit.slice();
  for (let row = 0; row < S * B; row++) {
    const [weight, n] = plan.subarray(2 * row) as unknown as [number, number];
    const steps = Array.from({ length: T }, (_, t) => row * T + t);
    const deltas = steps.slice(0, n).map((step) => (still ? 0 : stats[6 * step + 4]!));
    const moved = deltas.reduce((sum, d) => sum + d, 0);
    const credited = deltas.reduce((sum, d, t) => sum + credit[steps[t]!]! * d, 0);
    steps.forEach((step, t) => {
      const isIn = weight !== 0 && t < n;
      out[marksAt + step] = isIn ? moved / n + credit[step]! * credited + 2 * deltas[t]! : EMPTY;
    });
  }
  return out;
}

const shapes = [
  [1, 1, 1, false],
  [2, 67, 5, false],
  [2, 3, 4, true],
] as const;

export const cases: readonly Case[] = shapes.map(([S, B, T, still], k): Case => {
  const N = S * B * T;
  const sizes = { S, B, T, marksAt: 2 * (N + 3) };
  const lengths = wholes(k, S * B, T + 1);
  const plan = Float32Array.from({ length: 2 * S * B }, (_, at) => (at % 2 === 1 ? lengths[at >> 1]! : (at >> 1) % 3));
  const stats = numbers(k + 1, 6 * N, -2, 2);
  const credit = Float32Array.of(...numbers(k + 2, 2 * (N + 3), -2, 2), ...untouched(N + 3));
  return {
    name: `trajectoryMarks ${S}×${B}×${T}${still ? ', nothing has moved' : ''}`,
    kernel: marksWith(SNIPPET),
    dims: { B, T, marksAt: sizes.marksAt, still: Number(still), empty: EMPTY },
    groups: [Math.ceil(B / 64), 1, S],
    buffers: { plan, stats, credit },
    expected: { credit: trajectoryMarks(sizes, plan, stats, credit, still) },
    // sums of up to five numbers below 4
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});
