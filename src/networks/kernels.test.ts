import { describe, expect, test, vi } from 'vitest';
import { softmaxRows, type DistributionRows } from '../core/math/distribution.ts';
import { weightSums } from '../core/math/weightSums.ts';
import { random, uniform } from '../core/random.ts';
import { linear } from './dense/linear.ts';
import { makeKernels, plainKernels, type Kernels } from './kernels.ts';
import type { Activation } from './dense/shape.ts';

/** n numbers in (−2, 2) by their place; `where` decides in whose memory they lie. */
function numbers(where: Kernels, purpose: number, n: number): Float32Array {
  const array = where.floats(n);
  for (let k = 0; k < n; k++) array[k] = uniform(random(7, 99, purpose, k, 0)) * 4 - 2;
  return array;
}

/** The bits, so that −0 is not 0. */
const bitsOf = (array: Float32Array): number[] => [...new Uint32Array(array.slice().buffer)];
const same = (have: Float32Array, want: Float32Array, what: string): void => {
  const [a, b] = [bitsOf(have), bitsOf(want)];
  const k = a.findIndex((bits, i) => bits !== b[i]);
  expect(k < 0 ? '' : `${what}[${k}] is ${have[k]} and should be ${want[k]}`).toBe('');
  expect(a.length).toBe(b.length);
};

const fast = (): Kernels => {
  const kernels = makeKernels(1 << 20, 1 << 19);
  expect(kernels.isFast).toBe(true); // Node has SIMD; a comparison of the definition with itself proves nothing
  return kernels;
};

const SIZES = [1, 3, 8, 63, 65, 257];

describe.each(['in its memory', 'elsewhere'])('products of arrays %s', (place) => {
  test.each(SIZES)('have the bits of the definition: %i rows', (rows) => {
    const k = fast();
    for (const inputs of SIZES) {
      for (const out of [1, 4, 5, 8, 63, 65]) {
        const room = makeKernels(
          4 * (rows + inputs + 1) * (rows + out + inputs),
          8 * (rows + inputs) * (out + 9) + 9999,
        );
        const [used, where] = place === 'elsewhere' ? [k, plainKernels] : [room, room];
        const X = numbers(where, 1, rows * inputs);
        const theta = numbers(where, 2, 3 + inputs * out + out);
        const dY = numbers(where, 3, rows * out);
        const results = [used, plainKernels].map((kernels) => {
          const [Y, bare, dX] = [rows * out, rows * out, rows * inputs].map((n) => where.floats(n).fill(9)) as [
            Float32Array,
            Float32Array,
            Float32Array,
          ];
          const gradient = numbers(where, 4, theta.length);
          // the parameters begin at 2, W at 1 of them
          const layer = linear(inputs, out, 1, 1 + inputs * out);
          const weights = { theta, from: 2 };
          kernels.denseForward(layer, weights, X, rows, Y);
          kernels.denseForward(linear(inputs, out, 1), weights, X, rows, bare);
          kernels.denseBackward(layer, weights, dY, rows, dX);
          kernels.denseGradient(layer, gradient, X, dY, rows);
          return { Y, bare, dX, gradient };
        });
        const [have, want] = results as [(typeof results)[0], (typeof results)[0]];
        for (const name of ['Y', 'bare', 'dX', 'gradient'] as const)
          same(have[name], want[name], `${name} of ${rows}×${inputs}×${out}`);
      }
    }
  });
});

/** Observations as worlds make them: some bits are always set, and most rows begin like the one before, some to their end. */
function observations(rows: number, words: number, features: number): Uint32Array {
  const bits = new Uint32Array(1 + rows * words);
  for (let r = 0; r < rows; r++) {
    const draw = (a: number): number => uniform(random(3, 99, r, a, features));
    const like = r % 4 === 0 ? 0 : r % 4 === 1 ? features : Math.floor(draw(features) * features);
    for (let f = 0; f < features; f++) {
      const before = (bits[1 + (r - 1) * words + (f >> 5)]! >>> (f & 31)) & 1;
      if (f < like ? before : f % 5 === 0 || draw(f) > 0.7) bits[1 + r * words + (f >> 5)]! |= 1 << (f & 31);
    }
  }
  return bits;
}

test.each([1, 3, 16, 20, 63, 65, 257])('the first layer has the bits of the definition: %i outputs', (out) => {
  for (const [rows, words, features] of [
    [1, 1, 3],
    [5, 3, 65],
    [31, 2, 64],
    [70, 9, 257],
  ] as const) {
    for (const bias of [true, false]) {
      const k = makeKernels(1 << 17, 1 << 18);
      const bits = observations(rows, words, features);
      const at = Int32Array.from({ length: rows }, (_, r) => 1 + ((r + 3) % rows) * words);
      const observed = { bits, at, words };
      const layer = linear(features, out, 0, bias ? features * out : -1);
      for (const where of [k, plainKernels]) {
        const theta = numbers(where, 2, (features + 1) * out);
        const dY = numbers(where, 3, rows * out);
        const [have, want] = [k, plainKernels].map((kernels) => {
          const Y = where.floats(rows * out).fill(9);
          const gradient = numbers(where, 4, theta.length);
          // as after the first rows of a batch: features that were always set have equal sums
          for (let f = 0; f < features; f += bias ? 5 : 10) gradient.copyWithin(f * out, 0, out);
          kernels.sparseForward(layer, { theta, from: 0 }, observed, rows, Y);
          kernels.sparseGradient(layer, gradient, observed, dY, rows);
          return { Y, gradient };
        }) as [Record<'Y' | 'gradient', Float32Array>, Record<'Y' | 'gradient', Float32Array>];
        same(have.Y, want.Y, `Y of ${rows}×${features}×${out}`);
        same(have.gradient, want.gradient, `gradient of ${rows}×${features}×${out}`);
      }
    }
  }
});

test('sums over weights and gradients have the bits of the definition, wherever they lie', () => {
  for (const n of [1, 2, 3, 4, 63, 64, 257, 4099]) {
    const k = makeKernels(5 * n + 64, 64);
    for (const where of [k, plainKernels]) {
      const [theta, last, gradient, lastGradient] = [1, 2, 3, 4].map((purpose) => numbers(where, purpose, n));
      const of = { theta: theta!, last: last!, gradient: gradient!, lastGradient: lastGradient! };
      const have = k.weightSums(of);
      expect(have, `${n}`).toEqual(weightSums(of));
      expect(have.moved, `${n}`).toBeGreaterThan(0);
    }
  }
});

test.each(['relu', 'tanh', 'gelu'] as Activation[])('%s and its derivative have the bits of the definition', (kind) => {
  const k = fast();
  const special = [0, -0, 1e-30, -1e-30, 0.0499999, 0.05, -0.05, 0.0500001, 19.99, 20, -20.001, 88, -1e9, 3e38, 1e-45];
  for (const n of [1, 2, 3, 4, 5, 63, 65, 257, 4099]) {
    for (const where of [k, plainKernels]) {
      const Z = numbers(where, 5, n);
      for (let i = 0; i < n; i++) {
        Z[i]! *= [0.02, 1, 4, 15][i % 4]!;
        if (n > 99 && i < special.length) Z[i] = special[i]!;
      }
      const [have, want] = [k, plainKernels].map((kernels) => {
        const H = where.floats(n + 1).fill(9);
        const dH = numbers(where, 6, n + 1);
        kernels.activate(kind, Z, n, H);
        kernels.activateBackward(kind, Z, H, n, dH);
        return { H, dH };
      }) as [Record<'H' | 'dH', Float32Array>, Record<'H' | 'dH', Float32Array>];
      same(have.H, want.H, `${kind} of ${n}`);
      same(have.dH, want.dH, `derivative of ${kind} of ${n}`);
    }
  }
});

test.each([1, 2, 3, 5, 8, 31, 32])('softmax of rows has the bits of the definition: %i choices', (count) => {
  const k = fast();
  const special = [0, -0, 700, -700, 1e30, 3e38, 1e-45, Infinity, NaN];
  for (const n of [1, 2, 3, 64, 65]) {
    for (const where of [k, plainKernels]) {
      const [first, stride] = [n % 3, count + (n % 2)];
      const z = numbers(where, 7, first + n * stride);
      // in every third row the logits are far apart, in a few of many one is special
      for (let i = 0; i < z.length; i++) if (Math.floor((i - first) / stride) % 3 === 1) z[i]! *= 300;
      if (n > 60) special.forEach((x, i) => (z[first + (2 + 5 * i) * stride + (i % count)] = x));
      // all, the first, or some of which the last is one
      const legal = Uint32Array.from({ length: n }, (_, r) =>
        r % 3 === 0 ? 2 ** count - 1 : r % 3 === 1 ? 1 : (0x5a5a5a5a & (2 ** count - 1)) | (1 << (count - 1)),
      );
      for (const inverse of [1, 1 / 0.7]) {
        const rows = { z, first, stride, count, legal, inverse };
        for (const measures of [true, false]) {
          const [have, want] = [k.softmaxRows.bind(k), softmaxRows].map((softmaxed) => {
            const p = where.floats(n * count).fill(9);
            const out = { p, logZ: new Float64Array(n).fill(9), entropy: new Float64Array(n).fill(9) };
            softmaxed(rows, n, out, measures);
            return out;
          }) as [DistributionRows, DistributionRows];
          for (const name of ['p', 'logZ', 'entropy'] as const) {
            const k = have[name].findIndex((x, i) => !Object.is(x, want[name][i]));
            expect(k, `${name} of ${n}×${count}: ${have[name][k]} for ${want[name][k]}`).toBe(-1);
          }
        }
      }
    }
  }
});

test('where WebAssembly is refused, the definition computes', async () => {
  vi.resetModules(); // compiled once per page
  vi.stubGlobal('WebAssembly', {
    Module: class {
      constructor() {
        throw new EvalError('refused by the content security policy');
      }
    },
  });
  const fresh = await import('./kernels.ts');
  const kernels = fresh.makeKernels(100, 100);
  vi.unstubAllGlobals();
  expect([kernels.isFast, fresh.cpuName(kernels.isFast)]).toEqual([false, 'CPU']);
  const Y = kernels.floats(1);
  const weights = { theta: Float32Array.of(10, 100, 1), from: 0 };
  kernels.denseForward(linear(2, 1, 0, 2), weights, Float32Array.of(2, 3), 1, Y);
  expect([...Y]).toEqual([321]); // 2·10 + 3·100 + 1
});

test('a call that finds no room is done by the definition', () => {
  const kernels = makeKernels(0, 0);
  const [X, theta] = [numbers(plainKernels, 1, 99 * 500), numbers(plainKernels, 2, 500 * 90)];
  const results = [kernels, plainKernels].map((k) => {
    const Y = new Float32Array(99 * 90);
    k.denseForward(linear(500, 90, 0), { theta, from: 0 }, X, 99, Y);
    return Y;
  });
  expect(kernels.isFast).toBe(true);
  same(results[0]!, results[1]!, 'Y');
});
