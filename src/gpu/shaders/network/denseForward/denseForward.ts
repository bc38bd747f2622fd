import { numbers, untouched, type Case } from '../../../conformance.ts';
import { forwardProduct, keepsZ, type Act, type Form, type Layer } from '../../../products.ts';
import { activation } from '../activation/activation.ts';
import { naive } from '../../naive.ts';

/** Y[s,r,j] = b[j] + Σ_i X[s,r,i]·W[i,j].  X [S, maxRows, in]  theta [S, size]  Y [S, maxRows, out] */
export function denseForward(
  S: number,
  rows: number,
  maxRows: number,
  inputs: number,
  out: number,
  X: Float32Array,
  theta: Float32Array,
  size: number,
  weightAt: number,
  biasAt: number,
  Y: Float32Array,
): Float32Array {
  for (let s = 0; s < S; s++) {
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < out; j++) {
        let sum = biasAt < 0 ? 0 : theta[s * size + biasAt + j]!;
        for (let i = 0; i < inputs; i++)
          sum += X[(s * maxRows + r) * inputs + i]! * theta[s * size + weightAt + i * out + j]!;
        Y[(s * maxRows + r) * out + j] = sum;
      }
    }
  }
  return Y;
}

const KINDS = { tanh: 0, relu: 1, gelu: 2 } as const;

const shapes = [
  [1, 1, 1, 1],
  [1, 3, 5, 2],
  [3, 63, 7, 4],
  [2, 65, 33, 65],
  [1, 257, 64, 5],
] as const;

const plain: readonly Case[] = shapes.flatMap(([S, rows, inputs, out], k) =>
  [true, false].map((hasBias): Case => {
    const maxRows = rows + 2;
    const size = 3 + inputs * out + out;
    const X = numbers(k, S * maxRows * inputs);
    const theta = numbers(k + 50, S * size);
    const biasAt = hasBias ? 3 + inputs * out : -1;
    const blocks = Math.ceil(rows / 4) * Math.ceil(out / 4);
    return {
      name: `denseForward ${S}×${rows}×${inputs}→${out}${hasBias ? '' : ' without bias'}`,
      kernel: naive.denseForward,
      dims: { rows, inputs, out, maxRows, size, weightAt: 3, biasAt: Math.max(0, biasAt), hasBias: hasBias ? 1 : 0 },
      groups: [Math.ceil(blocks / 64), 1, S],
      buffers: { X, theta, Y: untouched(S * maxRows * out) },
      expected: {
        Y: denseForward(S, rows, maxRows, inputs, out, X, theta, size, 3, biasAt, untouched(S * maxRows * out)),
      },
      // sums of at most 65 products below 1: 65 roundings of 6e-8
      tolerance: { abs: 1e-5, rel: 1e-5 },
    };
  }),
);

/** form, activation, S, rows, inputs, out, bias */
const products: readonly (readonly [Form, Act, number, number, number, number, boolean])[] = [
  ['any', 'none', 1, 1, 1, 1, true],
  ['any', 'tanh', 3, 63, 7, 5, true],
  ['any', 'gelu', 2, 65, 33, 65, false],
  ['narrow', 'none', 1, 1, 4, 1, true],
  ['narrow', 'none', 2, 257, 64, 5, true],
  ['narrow', 'relu', 3, 63, 12, 9, false],
  ['wide', 'none', 1, 1, 4, 4, true],
  ['wide', 'relu', 3, 65, 8, 12, true],
  ['wide', 'tanh', 2, 63, 64, 16, false],
  ['wide', 'gelu', 1, 257, 12, 20, true],
  ['tiled', 'none', 1, 1, 1, 1, true],
  ['tiled', 'none', 2, 129, 17, 65, true],
  ['tiled', 'gelu', 3, 63, 33, 5, false],
  ['fine', 'none', 1, 1, 1, 1, true],
  ['fine', 'tanh', 2, 129, 17, 65, true],
  ['fine', 'gelu', 3, 63, 33, 5, false],
  ['fine', 'relu', 2, 65, 70, 3, true],
];

const withActivation = products.map(([form, act, S, rows, inputs, out, hasBias], k): Case => {
  const maxRows = rows + 3;
  const up = (x: number): number => 4 * Math.ceil(x / 4);
  const biasAt = hasBias ? 4 + up(inputs * out) : -1;
  const size = 8 + up(inputs * out) + up(out);
  const layer: Layer = { S, rows, maxRows, inputs, out, size, weightAt: 4, biasAt };
  const X = numbers(k + 7, S * maxRows * inputs);
  const theta = numbers(k + 57, S * size);
  const blank = (): Float32Array => untouched(S * maxRows * out);
  const Z = denseForward(S, rows, maxRows, inputs, out, X, theta, size, 4, biasAt, blank());
  const isReal = (at: number): boolean => Math.floor(at / out) % maxRows < rows;
  const H = Z.map((z, at) => (act === 'none' || !isReal(at) ? z : activation(KINDS[act], z)));
  return {
    name: `denseForward ${form}, ${act}, ${S}×${rows}×${inputs}→${out}${hasBias ? '' : ' without bias'}`,
    ...forwardProduct(layer, form, act, keepsZ(act)),
    buffers: { X, theta, Y: blank(), ...(keepsZ(act) ? { Z: blank() } : {}) },
    expected: { Y: H, ...(keepsZ(act) ? { Z } : {}) },
    // sums of at most 65 products below 1; WGSL allows tanh an absolute error of 1e-5, which gelu multiplies by |z|
    tolerance: { abs: 5e-5, rel: 2e-5 },
  };
});

export const cases: readonly Case[] = [...plain, ...withActivation];
