import { TANH } from '../../../accuracy.ts';
import { numbers, untouched, type Case } from '../../../conformance.ts';
import { inputGradient, type Act, type Form, type Layer } from '../../../products.ts';
import { activation, slope } from '../activation/activation.ts';
import { naive } from '../../naive.ts';

/** dX[s,r,i] = Σ_j dY[s,r,j]·W[i,j].  dY [S, maxRows, out]  dX [S, maxRows, in] */
export function denseBackward(
  S: number,
  rows: number,
  maxRows: number,
  inputs: number,
  out: number,
  dY: Float32Array,
  theta: Float32Array,
  size: number,
  weightAt: number,
  dX: Float32Array,
): Float32Array {
  for (let s = 0; s < S; s++) {
    for (let r = 0; r < rows; r++) {
      for (let i = 0; i < inputs; i++) {
        let sum = 0;
        for (let j = 0; j < out; j++)
          sum += dY[(s * maxRows + r) * out + j]! * theta[s * size + weightAt + i * out + j]!;
        dX[(s * maxRows + r) * inputs + i] = sum;
      }
    }
  }
  return dX;
}

const shapes = [
  [1, 1, 1, 1],
  [3, 3, 5, 2],
  [2, 65, 9, 63],
  [1, 257, 33, 4],
] as const;

const plain: readonly Case[] = shapes.map(([S, rows, inputs, out], k): Case => {
  const maxRows = rows + 1;
  const size = 5 + inputs * out;
  const dY = numbers(k, S * maxRows * out);
  const theta = numbers(k + 50, S * size);
  return {
    name: `denseBackward ${S}×${rows}×${inputs}→${out}`,
    kernel: naive.denseBackward,
    dims: { rows, inputs, out, maxRows, size, weightAt: 5 },
    groups: [Math.ceil((Math.ceil(rows / 4) * inputs) / 64), 1, S],
    buffers: { dY, theta, dX: untouched(S * maxRows * inputs) },
    expected: { dX: denseBackward(S, rows, maxRows, inputs, out, dY, theta, size, 5, untouched(S * maxRows * inputs)) },
    // sums of at most 63 products below 1
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});

const KINDS = { tanh: 0, relu: 1, gelu: 2 } as const;

/** form, activation, S, rows, inputs, out */
const products: readonly (readonly [Form, Act, number, number, number, number])[] = [
  ['any', 'none', 1, 1, 1, 1],
  ['any', 'tanh', 3, 63, 7, 5],
  ['any', 'gelu', 2, 65, 33, 65],
  ['wide', 'none', 1, 1, 4, 4],
  ['wide', 'relu', 3, 65, 12, 8],
  ['wide', 'tanh', 2, 63, 16, 64],
  ['wide', 'gelu', 1, 257, 20, 12],
  ['tiled', 'none', 1, 1, 1, 1],
  ['tiled', 'none', 2, 129, 65, 17],
  ['tiled', 'gelu', 3, 63, 5, 33],
  ['fine', 'none', 1, 1, 1, 1],
  ['fine', 'none', 2, 129, 65, 17],
  ['fine', 'gelu', 3, 63, 5, 33],
  ['fine', 'tanh', 2, 65, 3, 70],
];

const withSlope = products.map(([form, act, S, rows, inputs, out], k): Case => {
  const maxRows = rows + 3;
  const size = 8 + 4 * Math.ceil((inputs * out) / 4);
  const layer: Layer = { S, rows, maxRows, inputs, out, size, weightAt: 4, biasAt: -1 };
  const dY = numbers(k + 7, S * maxRows * out);
  const theta = numbers(k + 57, S * size);
  const z = numbers(k + 107, S * maxRows * inputs, -3, 3);
  const A = act === 'none' || act === 'gelu' ? z : z.map((x) => activation(KINDS[act], x));
  const blank = untouched(S * maxRows * inputs);
  const isReal = (at: number): boolean => Math.floor(at / inputs) % maxRows < rows;
  const plain = denseBackward(S, rows, maxRows, inputs, out, dY, theta, size, 4, blank.slice());
  const dX = plain.map((d, at) => (act === 'none' || !isReal(at) ? d : d * slope(KINDS[act], z[at]!)));
  return {
    name: `denseBackward ${form}, ${act}, ${S}×${rows}×${inputs}→${out}`,
    ...inputGradient(layer, form, act),
    buffers: { dY, theta, dX: blank, ...(act === 'none' ? {} : { A }) },
    expected: { dX },
    // sums of at most 65 products below 1, which stay below 12, times a slope below 1.2. In that of gelu the error of tanh counts
    // ½ + 2·½·z·GELU·(1 + 3·CUBIC·z²) ≤ 5.8 times below 3
    tolerance: { abs: 1e-4 + (act === 'gelu' ? 12 * 5.8 * TANH : 0), rel: 3e-5 },
  };
});

export const cases: readonly Case[] = [...plain, ...withSlope];
