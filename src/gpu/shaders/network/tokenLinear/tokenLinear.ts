import { numbers, type Case } from '../../../conformance.ts';
import { forwardProduct, inputGradient, weightGradient, type Form, type Layer } from '../../../products.ts';
import { kernels } from '../../kernels.ts';
import {
  addSlices,
  eachLive,
  LEVELS,
  outputOf,
  valuesOf,
  worlds,
  type TokenWorld,
  type Which,
} from '../../tokenWorld.ts';

type Sizes = { inputs: number; out: number; size: number; weightAt: number; biasAt: number; hasBias: number };

/** Y = X·W + b of every live row, ReLU of it if asked for. */
export function tokenLinear(
  w: TokenWorld,
  which: Which,
  d: Sizes,
  X: Float32Array,
  theta: Float32Array,
  relu: boolean,
): Float32Array {
  const Y = outputOf(w, which, d.out);
  eachLive(w, which, (s, _r, row) => {
    for (let j = 0; j < d.out; j++) {
      let sum = d.hasBias === 1 ? theta[s * d.size + d.biasAt + j]! : 0;
      for (let i = 0; i < d.inputs; i++)
        sum += X[row * d.inputs + i]! * theta[s * d.size + d.weightAt + i * d.out + j]!;
      Y[row * d.out + j] = relu ? Math.max(0, sum) : sum;
    }
  });
  return Y;
}

/** dX (+)= dY·Wᵀ, 0 where the mask is not positive. */
export function tokenLinearBackward(
  w: TokenWorld,
  which: Which,
  d: Sizes,
  dY: Float32Array,
  theta: Float32Array,
  mask: Float32Array | null,
  dX: Float32Array,
  accumulate: boolean,
): Float32Array {
  const out = dX.slice();
  eachLive(w, which, (s, _r, row) => {
    for (let i = 0; i < d.inputs; i++) {
      let sum = accumulate ? dX[row * d.inputs + i]! : 0;
      for (let j = 0; j < d.out; j++) sum += dY[row * d.out + j]! * theta[s * d.size + d.weightAt + i * d.out + j]!;
      out[row * d.inputs + i] = mask && !(mask[row * d.inputs + i]! > 0) ? 0 : sum;
    }
  });
  return out;
}

/** dW = Xᵀ·dY, db = Σ dY. */
export function tokenLinearGradient(
  w: TokenWorld,
  which: Which,
  d: Sizes,
  slices: number,
  X: Float32Array,
  dY: Float32Array,
  partials: Float32Array,
): Float32Array {
  return addSlices(w, which, slices, d.size, partials, (s, from, to, add) => {
    for (let r = from; r < to; r++) {
      const row = s * w.most[which] + r;
      for (let j = 0; j < d.out; j++) {
        const dy = dY[row * d.out + j]!;
        for (let i = 0; i < d.inputs; i++) add(d.weightAt + i * d.out + j, X[row * d.inputs + i]! * dy);
        if (d.hasBias === 1) add(d.biasAt + j, dy);
      }
    }
  });
}

/** sign · Σ of some columns of dY. */
export function columnGradient(
  w: TokenWorld,
  which: Which,
  d: { width: number; first: number; D: number; size: number; biasAt: number; sign: number },
  slices: number,
  dY: Float32Array,
  partials: Float32Array,
): Float32Array {
  return addSlices(w, which, slices, d.size, partials, (s, from, to, add) => {
    for (let r = from; r < to; r++) {
      const row = s * w.most[which] + r;
      for (let j = 0; j < d.D; j++) add(d.biasAt + j, d.sign * dY[row * d.width + d.first + j]!);
    }
  });
}

/** Shapes, slices and forms of the products over live rows; the wide ones want multiples of 4. */
const shapes: readonly (readonly [inputs: number, out: number, slices: number, Form])[] = [
  [1, 1, 1, 'any'],
  [7, 5, 3, 'any'],
  [33, 66, 4, 'tiled'],
  [12, 20, 3, 'wide'],
  [16, 3, 2, 'narrow'],
  [34, 7, 2, 'fine'],
];

export const cases: readonly Case[] = shapes.flatMap(([inputs, out, slices, form], seed) =>
  LEVELS.flatMap((which): Case[] => {
    const w = worlds[seed % worlds.length]!;
    const hasBias = which === 1 ? 0 : 1;
    const isOdd = (which + seed) % 2 === 1;
    const weightAt = 4;
    const biasAt = weightAt + 4 * Math.ceil((inputs * out) / 4);
    const d: Sizes = { inputs, out, size: biasAt + 4 * Math.ceil(out / 4), weightAt, biasAt, hasBias };
    const X = valuesOf(w, which, inputs, seed);
    const theta = numbers(seed + 1, w.S * d.size);
    const dY = valuesOf(w, which, out, seed + 2);
    const dX = valuesOf(w, which, inputs, seed + 3);
    const mask = valuesOf(w, which, inputs, seed + 4).map((x) => Math.max(0, x));
    const partials = numbers(seed + 5, w.S * slices * d.size);
    const { rows, stride, S } = w;
    const most = w.most[which];
    const live = { which, stride };
    const layer: Layer = { S, rows: most, maxRows: most, ...d, biasAt: hasBias === 1 ? biasAt : -1, live };
    const hasMask = which === 2;
    const backwardForm = form === 'narrow' ? 'any' : form;
    const name = `${form}, world ${seed % worlds.length}, level ${which}, ${inputs}→${out}`;
    const columns = {
      width: out,
      first: Math.floor(out / 3),
      D: Math.ceil(out / 2),
      size: d.size,
      biasAt: 2,
      sign: -1,
    };
    // sums of at most 66 products below 1
    const tolerance = { abs: 1e-5, rel: 1e-5 };
    return [
      {
        name: `tokenLinear ${name}`,
        ...forwardProduct(layer, form, isOdd ? 'relu' : 'none', false),
        buffers: { rows, X, theta, Y: outputOf(w, which, out) },
        expected: { Y: tokenLinear(w, which, d, X, theta, isOdd) },
        tolerance,
      },
      {
        name: `tokenLinearBackward ${name}`,
        ...inputGradient(layer, backwardForm, hasMask ? 'relu' : 'none', isOdd),
        buffers: { rows, dY, theta, ...(hasMask ? { A: mask } : {}), dX },
        expected: { dX: tokenLinearBackward(w, which, d, dY, theta, hasMask ? mask : null, dX, isOdd) },
        tolerance,
      },
      {
        name: `tokenLinearGradient ${name}`,
        ...weightGradient(layer, backwardForm, slices, true),
        buffers: { rows, X, dY, partials },
        expected: { partials: tokenLinearGradient(w, which, d, slices, X, dY, partials) },
        tolerance,
      },
      {
        name: `columnGradient ${name}`,
        kernel: kernels.columnGradient,
        dims: { which, stride, maxRows: most, slices, ...columns },
        groups: [Math.ceil(columns.D / 64), slices, S],
        buffers: { rows, dY, partials },
        expected: { partials: columnGradient(w, which, columns, slices, dY, partials) },
        tolerance,
      },
    ];
  }),
);
