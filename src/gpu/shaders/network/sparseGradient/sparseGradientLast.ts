import { wordsOfRows } from '../../../../core/slices.ts';
import { numbers, untouched, type Case } from '../../../conformance.ts';
import { gradientWithLast } from '../../../lastGradient.ts';
import { listOf, liveSteps, planOf } from '../../rollout/liveSteps/liveSteps.ts';
import { denseGradient } from '../denseGradient/denseGradient.ts';
import listedBits from '../sparseForward/listedBits.wgsl?raw';
import { randomBits } from '../sparseForward/sparseForward.ts';
import { sparseGradient } from './sparseGradient.ts';

/** S, B, T, features, hidden, outputs, slices, bias */
const shapes = [
  [1, 16, 1, 1, 16, 4, 1, true],
  [2, 9, 11, 33, 20, 5, 5, true],
  [3, 5, 13, 65, 64, 4, 4, false],
  [1, 257, 1, 150, 72, 7, 7, true],
  [2, 2, 40, 31, 128, 64, 3, true],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, features, hidden, out, slices, hasBias], k): Case[] =>
  [false, true].map((isListed): Case => {
    const words = Math.ceil(features / 32);
    const rows = B * T;
    const up = (x: number): number => 4 * Math.ceil(x / 4);
    const biasAt = 4 + features * hidden;
    const lastAt = biasAt + up(hidden);
    const lastBiasAt = lastAt + hidden * out;
    const size = lastBiasAt + up(out) + 4;
    const bits = randomBits(k, S * B * (T + 1), features);
    const dY = numbers(k + 50, S * rows * hidden);
    const X = numbers(k + 60, S * rows * hidden);
    const dOut = numbers(k + 70, S * rows * out);
    const plan = planOf(k, { S, B, T });
    const all = Float32Array.from(plan, (_, at) => (at % 2 === 0 ? 1 : T));
    const partials = untouched(S * slices * size);
    for (const [s, own] of liveSteps({ S, B, T }, isListed ? plan : all, false).entries()) {
      const stretch = Math.ceil(own.length / slices);
      for (let i = 0; i < slices; i++) {
        const from = Math.min(own.length, i * stretch);
        const n = Math.min(own.length, from + stretch) - from;
        const at = (s * slices + i) * size;
        const rest = partials.subarray(at, at + size);
        const of = (x: Float32Array, width: number): Float32Array =>
          x.slice((s * rows + from) * width, (s * rows + from + n) * width);
        const own1 = new Uint32Array(n * words);
        for (let r = 0; r < n; r++) {
          const start = (s * B * (T + 1) + own[from + r]!) * words;
          own1.set(bits.subarray(start, start + words), r * words);
        }
        const g1 = { B: n, inner: 1, outerStride: words, innerStride: 0, base: 0 };
        const bias = hasBias ? biasAt : -1;
        sparseGradient(1, n, features, hidden, g1, own1, of(dY, hidden), size, 4, bias, rest);
        const lastBias = hasBias ? lastBiasAt : -1;
        denseGradient(1, n, hidden, out, of(X, hidden), of(dOut, out), size, lastAt, lastBias, rest);
        // what fills up the last four
        if (hasBias) rest.fill(0, lastBiasAt + out, lastBiasAt + up(out));
      }
    }
    const stride = wordsOfRows(B, T);
    const live = isListed ? { live: { which: 0, stride, bits: listedBits } } : {};
    const over = { S, rows, maxRows: rows, size, ...live };
    const call = gradientWithLast(
      { ...over, inputs: features, out: hidden, weightAt: 4, biasAt: hasBias ? biasAt : -1 },
      { ...over, inputs: hidden, out, weightAt: lastAt, biasAt: hasBias ? lastBiasAt : -1 },
      { words, B, inner: T, outerStride: (T + 1) * words, innerStride: words, base: 0 },
      { tiled: true, fineUpTo: Infinity },
      slices,
    );
    if (!call) throw new Error('No kernel has the gradients of both layers.');
    const list = isListed ? { rows: listOf({ S, B, T }, plan, false, new Uint32Array(S * stride)) } : {};
    return {
      name: `sparseGradient with the last layer, ${S}×${B}×${T}, ${features}→${hidden}→${out} in ${slices} slices${isListed ? ', listed' : ''}`,
      ...call,
      buffers: { bits, dY, X, dOut, partials: untouched(S * slices * size), ...list },
      expected: { partials },
      // sums of at most 37 numbers below 1
      tolerance: { abs: 1e-5, rel: 1e-5 },
    };
  }),
);
