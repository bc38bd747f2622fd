import { numbers, untouched, type Case } from '../../../conformance.ts';
import { weightGradient, type Form, type Layer } from '../../../products.ts';
import { naive } from '../../naive.ts';

/** dW[i,j] = Σ_r X[s,r,i]·dY[s,r,j], db[j] = Σ_r dY[s,r,j], written into gradient [S, size]; the rest is left alone. */
export function denseGradient(
  S: number,
  rows: number,
  inputs: number,
  out: number,
  X: Float32Array,
  dY: Float32Array,
  size: number,
  weightAt: number,
  biasAt: number,
  gradient: Float32Array,
): Float32Array {
  for (let s = 0; s < S; s++) {
    for (let j = 0; j < out; j++) {
      for (let i = 0; i <= inputs; i++) {
        if (i === inputs && biasAt < 0) continue;
        let sum = 0;
        for (let r = 0; r < rows; r++)
          sum += (i === inputs ? 1 : X[(s * rows + r) * inputs + i]!) * dY[(s * rows + r) * out + j]!;
        gradient[s * size + (i === inputs ? biasAt + j : weightAt + i * out + j)] = sum;
      }
    }
  }
  return gradient;
}

const shapes = [
  [1, 1, 1, 1, 1],
  [3, 3, 5, 2, 1],
  [2, 65, 9, 63, 0],
  [1, 257, 33, 5, 1],
] as const;

const plain: readonly Case[] = shapes.map(([S, rows, inputs, out, hasBias], k): Case => {
  const size = 4 + inputs * out + out + 1;
  const biasAt = hasBias ? 4 + inputs * out : -1;
  const X = numbers(k, S * rows * inputs);
  const dY = numbers(k + 50, S * rows * out);
  return {
    name: `denseGradient ${S}×${rows}×${inputs}→${out}`,
    kernel: naive.denseGradient,
    dims: { rows, inputs, out, maxRows: rows, size, weightAt: 4, biasAt: Math.max(0, biasAt), hasBias },
    groups: [Math.ceil(((inputs + hasBias) * Math.ceil(out / 4)) / 64), 1, S],
    buffers: { X, dY, gradient: untouched(S * size) },
    expected: { gradient: denseGradient(S, rows, inputs, out, X, dY, size, 4, biasAt, untouched(S * size)) },
    // sums of at most 257 products below 1
    tolerance: { abs: 3e-5, rel: 1e-5 },
  };
});

/** form, S, rows, inputs, out, slices, bias */
const products: readonly (readonly [Form, number, number, number, number, number, boolean])[] = [
  ['any', 1, 1, 1, 1, 1, true],
  ['any', 3, 63, 7, 5, 4, true],
  ['any', 2, 65, 33, 65, 3, false],
  ['wide', 1, 1, 4, 4, 1, true],
  ['wide', 3, 65, 12, 20, 4, true],
  ['wide', 2, 3, 16, 8, 5, false],
  ['wide', 1, 257, 64, 12, 7, true],
  ['tiled', 1, 1, 1, 1, 1, true],
  ['tiled', 2, 65, 65, 17, 3, true],
  ['tiled', 3, 3, 5, 63, 4, false],
  ['tiled', 1, 257, 64, 64, 2, true],
  ['fine', 1, 1, 1, 1, 1, true],
  ['fine', 2, 65, 65, 17, 3, true],
  ['fine', 3, 3, 5, 63, 4, false],
  ['fine', 1, 257, 64, 5, 2, true],
  ['fine', 2, 70, 33, 3, 1, false],
];

const inSlices = products.map(([form, S, rows, inputs, out, slices, hasBias], k): Case => {
  const up = (x: number): number => 4 * Math.ceil(x / 4);
  const biasAt = hasBias ? 4 + up(inputs * out) : -1;
  const size = 8 + up(inputs * out) + up(out);
  const layer: Layer = { S, rows, maxRows: rows, inputs, out, size, weightAt: 4, biasAt };
  const X = numbers(k + 7, S * rows * inputs);
  const dY = numbers(k + 57, S * rows * out);
  const partials = untouched(S * slices * size);
  const stretch = Math.ceil(rows / slices);
  for (let s = 0; s < S; s++) {
    for (let i = 0; i < slices; i++) {
      const from = Math.min(rows, i * stretch);
      const to = Math.min(rows, from + stretch);
      const part = (M: Float32Array, width: number): Float32Array =>
        M.slice((s * rows + from) * width, (s * rows + to) * width);
      const at = (s * slices + i) * size;
      const rest = partials.subarray(at, at + size);
      denseGradient(1, to - from, inputs, out, part(X, inputs), part(dY, out), size, 4, biasAt, rest);
    }
  }
  return {
    name: `denseGradient ${form}, ${S}×${rows}×${inputs}→${out} in ${slices} slices${hasBias ? '' : ' without bias'}`,
    ...weightGradient(layer, form, slices),
    buffers: { X, dY, partials: untouched(S * slices * size) },
    expected: { partials },
    // sums of at most 129 products below 1
    tolerance: { abs: 3e-5, rel: 1e-5 },
  };
});

export const cases: readonly Case[] = [...plain, ...inSlices];
