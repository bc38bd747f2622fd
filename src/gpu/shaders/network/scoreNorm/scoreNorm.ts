import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { columnsOf, scoreNormOf } from '../../../scoreNorm.ts';
import { randomBits } from '../sparseForward/sparseForward.ts';

/** Σ over all f, j of (Σ_t x_t[f]·dY_t[j])² / w²; f in `from … to − 1` of [inputs (and 1), out] numbers. */
export function scoreNorm(
  x: (t: number, f: number) => number,
  dY: (t: number, j: number) => number,
  { steps, inputs, out, w }: { steps: number; inputs: number; out: number; w: number },
  from: number,
  to: number,
): number {
  let sum = 0;
  for (let k = from; k < to; k++) {
    const [f, j] = [Math.floor(k / out), k % out];
    let g = 0;
    for (let t = 0; t < steps; t++) g += (f === inputs ? 1 : x(t, f)) * dY(t, j);
    sum += g * g;
  }
  return w === 0 ? 0 : sum / (w * w);
}

/** S, B, T, inputs, out, bias, bits */
const shapes = [
  [1, 1, 1, 1, 1, true, false],
  [3, 5, 4, 33, 31, true, false],
  [2, 3, 7, 65, 63, false, true],
  [2, 65, 3, 31, 3, true, true],
  [1, 2, 9, 64, 16, false, false],
] as const;

export const cases: readonly Case[] = shapes.map(([S, B, T, inputs, out, hasBias, isBits], seed): Case => {
  const words = Math.ceil(inputs / 32);
  const g = { words, B, inner: T, outerStride: (T + 1) * words, innerStride: words, base: 0 };
  const rows = B * T;
  const layer = { S, rows, maxRows: rows, inputs, out, size: 0, weightAt: 0, biasAt: hasBias ? 7 : -1 };
  const own = columnsOf(layer);
  const columns = own + 2;
  const bits = randomBits(seed, S * B * (T + 1), inputs);
  const X = numbers(seed + 1, S * rows * inputs);
  const dY = numbers(seed + 2, S * rows * out);
  const weight = wholes(seed + 3, 2 * S * B, 3);
  const plan = Float32Array.from(weight, (v, k) => (k % 2 === 1 ? 1 + (v % T) : k === 0 ? 0.5 : v / 2));
  const y = untouched(S * B * columns);
  const want = y.slice();
  const count = (inputs + Number(hasBias)) * out;
  for (let row = 0; row < S * B; row++) {
    const at = row * T;
    const x = (t: number, f: number): number =>
      isBits ? (bits[row * g.outerStride + t * words + (f >>> 5)]! >>> (f & 31)) & 1 : X[(at + t) * inputs + f]!;
    const of = { steps: plan[2 * row + 1]!, inputs, out, w: plan[2 * row]! };
    for (let p = 0; p < own; p++)
      want[row * columns + 1 + p] = scoreNorm(
        x,
        (t, j) => dY[(at + t) * out + j]!,
        of,
        1024 * p,
        Math.min(count, 1024 * (p + 1)),
      );
  }
  return {
    name: `scoreNorm ${S}×${B}×${T}, ${inputs}→${out}${isBits ? ', bits' : ''}`,
    ...scoreNormOf(layer, { B, T }, { at: 1, columns }, isBits ? g : null),
    buffers: { ...(isBits ? { bits } : { X }), dY, plan, y },
    expected: { y: want },
    // 1024 squares of sums of at most 9 products below 1, all positive
    tolerance: { abs: 1e-6, rel: 1e-5 },
  };
});
