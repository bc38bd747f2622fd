import { numbers, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import {
  addSlices,
  eachLive,
  groupsFor,
  LEVELS,
  outputOf,
  valuesOf,
  worlds,
  type TokenWorld,
  type Which,
} from '../../tokenWorld.ts';

type Sizes = { D: number; size: number; gainAt: number; biasAt: number };
type Normed = { Y: Float32Array; moments: Float32Array };

/** Y = gain ⊙ (x − mean) / √(var + 1e-5) + bias; moments = mean, 1/√(var + 1e-5). */
export function layerNorm(w: TokenWorld, which: Which, d: Sizes, X: Float32Array, theta: Float32Array): Normed {
  const Y = outputOf(w, which, d.D);
  const moments = outputOf(w, which, 2);
  eachLive(w, which, (s, _r, row) => {
    const x = X.subarray(row * d.D, (row + 1) * d.D);
    const mean = x.reduce((a, b) => a + b, 0) / d.D;
    const scale = 1 / Math.sqrt(x.reduce((a, b) => a + (b - mean) ** 2, 0) / d.D + 1e-5);
    moments.set([mean, scale], 2 * row);
    for (let j = 0; j < d.D; j++) {
      const gain = theta[s * d.size + d.gainAt + j]!;
      Y[row * d.D + j] = gain * (x[j]! - mean) * scale + theta[s * d.size + d.biasAt + j]!;
    }
  });
  return { Y, moments };
}

/** (x − mean)·scale */
const unit = (X: Float32Array, moments: Float32Array, D: number, row: number, j: number): number =>
  (X[row * D + j]! - moments[2 * row]!) * moments[2 * row + 1]!;

/** dX (+)= scale·(g − mean g − u·mean(g ⊙ u)) with g = dY ⊙ gain. */
export function layerNormBackward(
  w: TokenWorld,
  which: Which,
  d: Sizes,
  X: Float32Array,
  moments: Float32Array,
  theta: Float32Array,
  dY: Float32Array,
  dX: Float32Array,
  accumulate: boolean,
): Float32Array {
  const out = dX.slice();
  const { D } = d;
  eachLive(w, which, (s, _r, row) => {
    const g = Array.from({ length: D }, (_, j) => dY[row * D + j]! * theta[s * d.size + d.gainAt + j]!);
    const mean = g.reduce((a, b) => a + b, 0) / D;
    const along = g.reduce((a, b, j) => a + b * unit(X, moments, D, row, j), 0) / D;
    for (let j = 0; j < D; j++) {
      const x = moments[2 * row + 1]! * (g[j]! - mean - unit(X, moments, D, row, j) * along);
      out[row * D + j] = x + (accumulate ? dX[row * D + j]! : 0);
    }
  });
  return out;
}

/** Σ dY ⊙ u for the gain, Σ dY for the bias. */
export function layerNormGradient(
  w: TokenWorld,
  which: Which,
  d: Sizes,
  slices: number,
  X: Float32Array,
  moments: Float32Array,
  dY: Float32Array,
  partials: Float32Array,
): Float32Array {
  return addSlices(w, which, slices, d.size, partials, (s, from, to, add) => {
    for (let r = from; r < to; r++) {
      const row = s * w.most[which] + r;
      for (let j = 0; j < d.D; j++) {
        const dy = dY[row * d.D + j]!;
        add(d.gainAt + j, dy * unit(X, moments, d.D, row, j));
        add(d.biasAt + j, dy);
      }
    }
  });
}

export const cases: readonly Case[] = worlds.flatMap((w, seed) =>
  LEVELS.flatMap((which): Case[] => {
    const D = [1, 7, 66][seed]!;
    const slices = [1, 3, 4][seed]!;
    const accumulate = which !== 1;
    const d: Sizes = { D, size: 2 * D + 3, gainAt: 1, biasAt: D + 2 };
    const X = valuesOf(w, which, D, seed, -2, 3);
    const theta = numbers(seed + 3, w.S * d.size);
    const { Y, moments } = layerNorm(w, which, d, X, theta);
    const dY = valuesOf(w, which, D, seed + 5);
    const dX = valuesOf(w, which, D, seed + 6);
    const partials = numbers(seed + 7, w.S * slices * d.size);
    const { rows, stride } = w;
    const common = { which, stride, maxRows: w.most[which], D, size: d.size, gainAt: d.gainAt };
    const name = `world ${seed}, level ${which}`;
    // a row of two or more numbers has spread near 1: sums of at most 66 numbers below 3, divided by it
    const tolerance = { abs: 2e-5, rel: 1e-5 };
    return [
      {
        name: `layerNorm, ${name}`,
        kernel: kernels.layerNorm,
        dims: { ...common, biasAt: d.biasAt },
        groups: groupsFor(w, which, 1),
        buffers: { rows, X, theta, Y: outputOf(w, which, D), moments: outputOf(w, which, 2) },
        expected: { Y, moments },
        tolerance,
      },
      {
        name: `layerNormBackward, ${name}`,
        kernel: kernels.layerNormBackward,
        dims: { ...common, accumulate: accumulate ? 1 : 0 },
        groups: groupsFor(w, which, 1),
        buffers: { rows, X, moments, theta, dY, dX },
        expected: { dX: layerNormBackward(w, which, d, X, moments, theta, dY, dX, accumulate) },
        tolerance,
      },
      {
        name: `layerNormGradient, ${name}`,
        kernel: kernels.layerNormGradient,
        dims: { ...common, slices, biasAt: d.biasAt },
        groups: [Math.ceil(D / 64), slices, w.S],
        buffers: { rows, X, moments, dY, partials },
        expected: { partials: layerNormGradient(w, which, d, slices, X, moments, dY, partials) },
        tolerance,
      },
    ];
  }),
);
