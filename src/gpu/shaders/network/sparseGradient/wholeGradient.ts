import { wordsOfRows } from '../../../../core/slices.ts';
import { numbers, untouched, type Case } from '../../../conformance.ts';
import { gradientOfWhole } from '../../../wholeGradient.ts';
import { listOf, liveSteps, planOf } from '../../rollout/liveSteps/liveSteps.ts';
import { denseGradient } from '../denseGradient/denseGradient.ts';
import listedBits from '../sparseForward/listedBits.wgsl?raw';
import { randomBits } from '../sparseForward/sparseForward.ts';
import { sparseGradient } from './sparseGradient.ts';

/** A network of features, hidden units and outputs, and where its parameters are. */
type Shape = {
  readonly features: number;
  readonly hidden: number;
  readonly out: number;
  readonly weightAt: number;
  readonly biasAt: number;
  readonly lastAt: number;
  readonly lastBiasAt: number;
};

/** The parameters of a workgroup: of 128 features, or those and the bias, by 8 units; or of 4 units by all outputs, or their bias. */
function parametersOf({ features, hidden, out, ...at }: Shape): number[][] {
  const words = Math.ceil(features / 32);
  const all: number[][] = [];
  for (let w = 0; w < words + (at.biasAt < 0 ? 0 : 1); w += 4)
    for (let j = 0; j < hidden; j += 8) {
      const own: number[] = [];
      const units = Array.from({ length: Math.min(8, hidden - j) }, (_, k) => j + k);
      for (let f = 32 * w; f < Math.min(features, 32 * w + 128); f++)
        own.push(...units.map((unit) => at.weightAt + f * hidden + unit));
      if (at.biasAt >= 0 && words < w + 4) own.push(...units.map((unit) => at.biasAt + unit));
      all.push(own);
    }
  for (let i = 0; i < hidden; i += 4) all.push(Array.from({ length: 4 * out }, (_, k) => at.lastAt + i * out + k));
  if (at.lastBiasAt >= 0) all.push(Array.from({ length: out }, (_, k) => at.lastBiasAt + k));
  return all;
}

/** S, B, T, features, hidden, outputs, bias, over a list */
const shapes = [
  [1, 16, 1, 193, 16, 4, true, false],
  [2, 9, 11, 250, 20, 5, true, true],
  [1, 5, 13, 161, 64, 4, false, true],
  [1, 40, 33, 160, 36, 1, true, true],
] as const;

export const cases: readonly Case[] = shapes.map(([S, B, T, features, hidden, out, hasBias, isListed], k): Case => {
  const words = Math.ceil(features / 32);
  const rows = B * T;
  const up = (x: number): number => 4 * Math.ceil(x / 4);
  const lastAt = 4 + features * hidden + hidden;
  const biasAt = hasBias ? lastAt - hidden : -1;
  const lastBiasAt = hasBias ? lastAt + hidden * out : -1;
  const size = lastAt + hidden * out + up(out) + 4;
  const shape: Shape = { features, hidden, out, weightAt: 4, biasAt, lastAt, lastBiasAt };
  const bits = randomBits(k, S * B * (T + 1), features);
  const dY = numbers(k + 50, S * rows * hidden);
  const X = numbers(k + 60, S * rows * hidden);
  const dOut = numbers(k + 70, S * rows * out);
  const stats = numbers(k + 80, S * rows * 6);
  const flags = Uint32Array.from({ length: S }, (_, s) => (s === 1 ? 3 : 0));
  const plan = planOf(k, { S, B, T });
  const all = Float32Array.from(plan, (_, at) => (at % 2 === 0 ? 1 : T));
  const gradient = untouched(S * size);
  const groups = parametersOf(shape);
  const stride = Math.ceil(size / 256);
  const sums = new Float32Array(4 * S * stride);
  for (const [s, own] of liveSteps({ S, B, T }, isListed ? plan : all, false).entries()) {
    const n = own.length;
    const of = (x: Float32Array, width: number): Float32Array => x.slice(s * rows * width, (s * rows + n) * width);
    const seen = new Uint32Array(n * words);
    own.forEach((place, r) => {
      const start = (s * B * (T + 1) + place) * words;
      seen.set(bits.subarray(start, start + words), r * words);
    });
    const g = { B: n, inner: 1, outerStride: words, innerStride: 0, base: 0 };
    const its = gradient.subarray(s * size, (s + 1) * size);
    sparseGradient(1, n, features, hidden, g, seen, of(dY, hidden), size, 4, biasAt, its);
    denseGradient(1, n, hidden, out, of(X, hidden), of(dOut, out), size, lastAt, lastBiasAt, its);
    groups.forEach((parameters, p) => {
      const at = 4 * (s * stride + p);
      sums[at] = parameters.reduce((sum, id) => sum + its[id]! ** 2, 0);
      for (let t = 0; t < rows; t++)
        for (const loss of [0, 1])
          if ((t >> 8) % groups.length === p) sums[at + 1 + loss]! += stats[6 * (s * rows + t) + loss]!;
      sums[at + 3] = flags[s] === 0 ? 0 : 256;
    });
  }
  const list = wordsOfRows(B, T);
  const live = isListed ? { live: { which: 0, stride: list, bits: listedBits } } : {};
  const over = { S, rows, maxRows: rows, size, ...live };
  const call = gradientOfWhole(
    { ...over, inputs: features, out: hidden, weightAt: 4, biasAt },
    { ...over, inputs: hidden, out, weightAt: lastAt, biasAt: lastBiasAt },
    { words, B, inner: T, outerStride: (T + 1) * words, innerStride: words, base: 0 },
  );
  if (!call) throw new Error('No kernel has the gradient of this network.');
  return {
    name: `wholeGradient ${S}×${B}×${T}, ${features}→${hidden}→${out}${hasBias ? '' : ' without bias'}${isListed ? ', listed' : ''}`,
    ...call,
    buffers: {
      ...{ bits, dY, X, dOut, stats, flags, gradient: untouched(S * size), sums: untouched(sums.length) },
      ...(isListed ? { rows: listOf({ S, B, T }, plan, false, new Uint32Array(S * list)) } : {}),
    },
    expected: { gradient, sums },
    // sums of at most 1,320 numbers below 1 in a tree, and of squares of these
    tolerance: { abs: 5e-5, rel: 2e-5 },
  };
});
