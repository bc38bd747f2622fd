import { describe, expect, test } from 'vitest';
import { slicesOf } from '../core/slices.ts';
import { numbers } from './conformance.ts';
import { bitForwardForm } from './bitProducts.ts';
import { halfForward, halvesOf, toHalf, type Halves } from './halves.ts';
import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  inputGradient,
  weightGradient,
  type Call,
  type Layer,
  type Tiles,
} from './products.ts';
import { CommandList, readBack, whole } from './recorder.ts';
import { testDevice } from './testDevice.ts';
import { compare } from './compareForms.ts';
import { tune } from './tune.ts';

const gpu = await testDevice();

/** Runs calls one after the other on named buffers; the words of `output`. */
async function run(calls: readonly Call[], given: Record<string, Float32Array>, output: string): Promise<Uint32Array> {
  const made = Object.fromEntries(
    Object.entries(given).map(([name, x]) => [name, gpu.buffer(name, x.length, 0x80 | 0x08 | 0x04)]),
  );
  for (const [name, x] of Object.entries(given))
    gpu.device.queue.writeBuffer(made[name]!, 0, x as Float32Array<ArrayBuffer>);
  const list = new CommandList(gpu, 'products');
  for (const { kernel, dims, groups } of calls) await list.add(kernel, made, dims, groups);
  const encoder = gpu.device.createCommandEncoder();
  list.encode(encoder);
  gpu.device.queue.submit([encoder.finish()]);
  const words = new Uint32Array(await readBack(gpu, whole(made[output]!)));
  list.dispose();
  for (const buffer of Object.values(made)) gpu.free(buffer);
  return words;
}

const [S, rows, inputs, out] = [2, 65, 20, 36];
const size = inputs * out + out;
const layer: Layer = { S, rows, maxRows: rows, inputs, out, size, weightAt: 0, biasAt: inputs * out };
const X = numbers(1, S * rows * inputs);
const theta = numbers(2, S * size);
const dY = numbers(3, S * rows * out);

test('every form of a product gives the same bits', async () => {
  const forward = (form: 'any' | 'narrow' | 'wide' | 'tiled' | 'fine') =>
    run([forwardProduct(layer, form, 'relu', false)], { X, theta, Y: new Float32Array(S * rows * out) }, 'Y');
  const backward = (form: 'any' | 'wide' | 'tiled' | 'fine') =>
    run([inputGradient(layer, form, 'relu')], { dY, theta, A: X, dX: new Float32Array(S * rows * inputs) }, 'dX');
  const gradient = (form: 'any' | 'wide' | 'tiled' | 'fine') =>
    run([weightGradient(layer, form, 4)], { X, dY, partials: new Float32Array(S * 4 * size) }, 'partials');
  const [y, dx, dw] = [await forward('any'), await backward('any'), await gradient('any')];
  expect(new Set(y).size).toBeGreaterThan(1000);
  for (const form of ['narrow', 'wide', 'tiled', 'fine'] as const) expect(await forward(form), form).toEqual(y);
  for (const form of ['wide', 'tiled', 'fine'] as const) expect(await backward(form), form).toEqual(dx);
  for (const form of ['wide', 'tiled', 'fine'] as const) expect(await gradient(form), form).toEqual(dw);
});

test('odd outputs are shared out evenly, each column computed once, with the bits of the other forms', async () => {
  const rows = 9;
  const inputs = 8;
  for (const [k, out] of [1, 2, 3, 4, 9, 11, 13, 57].entries()) {
    const size = inputs * out + out;
    const odd: Layer = { S, rows, maxRows: rows, inputs, out, size, weightAt: 0, biasAt: inputs * out };
    const given = {
      X: numbers(k, S * rows * inputs),
      theta: numbers(k + 9, S * size),
      Y: new Float32Array(S * rows * out).fill(NaN),
    };
    const want = await run([forwardProduct(odd, 'tiled', 'relu', false)], given, 'Y');
    for (const form of [k % 2 === 0 ? 'any' : 'narrow', 'fine'] as const)
      expect(await run([forwardProduct(odd, form, 'relu', false)], given, 'Y'), `${form} ${out}`).toEqual(want);
  }
});

test('a replica among others has the bits it has alone', async () => {
  const alone: Layer = { ...layer, S: 1 };
  const one = { X: X.slice(rows * inputs), theta: theta.slice(size), Y: new Float32Array(rows * out) };
  const both = await run(
    [forwardProduct(layer, 'wide', 'gelu', true)],
    { X, theta, Y: new Float32Array(S * rows * out), Z: new Float32Array(S * rows * out) },
    'Y',
  );
  const single = await run(
    [forwardProduct(alone, 'wide', 'gelu', true)],
    { ...one, Z: new Float32Array(rows * out) },
    'Y',
  );
  expect(both.slice(rows * out)).toEqual(single);
});

test('the form follows the shape, and tiles only where they are fast', () => {
  const shape = (inputs: number, out: number): Layer => ({ ...layer, inputs, out, size: 0, biasAt: 0 });
  const [plain, tiles] = [false, true].map((tiled) => ({ tiled, fineUpTo: 0 })) as [Tiles, Tiles];
  expect([shape(128, 128), shape(128, 5), shape(7, 5)].map((l) => forwardForm(l, tiles))).toEqual([
    'wide',
    'narrow',
    'any',
  ]);
  expect([forwardForm(shape(512, 512), plain), forwardForm(shape(512, 512), tiles)]).toEqual(['wide', 'tiled']);
  expect([backwardForm(shape(512, 512), tiles), backwardForm(shape(128, 5), tiles)]).toEqual(['tiled', 'any']);
  expect([gradientForm(shape(128, 4), plain, 4), gradientForm(shape(128, 128), tiles, 4)]).toEqual(['any', 'tiled']);
  // two replicas of 65 rows: 2 · 9 · 16 blocks of 8 × 8 forward and back, 2 slices of 17 · 16 of each for the gradient
  const upTo = (fineUpTo: number): Tiles => ({ tiled: false, fineUpTo });
  expect([287, 288].map((n) => forwardForm(shape(128, 128), upTo(n)))).toEqual(['wide', 'fine']);
  expect([287, 288].map((n) => backwardForm(shape(128, 128), upTo(n)))).toEqual(['wide', 'fine']);
  expect([1087, 1088].map((n) => gradientForm(shape(128, 128), upTo(n), 2))).toEqual(['wide', 'fine']);
  expect([287, 288].map((n) => bitForwardForm(shape(128, 128), upTo(n)))).toEqual(['wide', 'fine']);
  // short sums are not worth it, and bits of a layer that is no multiple of 4 have one row an invocation already
  const short = shape(5, 5);
  expect([forwardForm(short, upTo(1e6)), backwardForm(short, upTo(1e6)), gradientForm(short, upTo(1e6), 8)]).toEqual([
    'any',
    'any',
    'any',
  ]);
  expect(bitForwardForm(short, upTo(1e6))).toBe('any');
  expect([slicesOf(1, 100), slicesOf(4096, 20_000), slicesOf(4096, 1 << 22)]).toEqual([1, 32, 1]);
});

test('a device is asked once which products are fast, and nothing stays behind', async () => {
  expect(tune(gpu)).toBe(tune(gpu));
  const { tiled, fineUpTo, ms } = await compare(gpu);
  expect([...gpu.bytes]).toEqual([]);
  expect(ms.wide).toBeGreaterThan(0);
  if (gpu.software) {
    expect({ tiled, fineUpTo }, 'barriers are ruinous where shaders run on the CPU').toEqual({
      tiled: false,
      fineUpTo: 0,
    });
    expect(await tune(gpu)).toEqual({ tiled: false, fineUpTo: 0, ms: {}, fusedUpTo: 2 ** 20 });
  }
});

describe('half floats', () => {
  const half = async (stored: Halves): Promise<[Float32Array, Uint32Array]> => {
    const halves = (x: Float32Array): Promise<Uint32Array> =>
      run([toHalf(x.length, stored)], { x, Yh: new Float32Array(x.length / 2) }, 'Yh');
    const asFloats = async (x: Float32Array): Promise<Float32Array> => new Float32Array((await halves(x)).buffer);
    const given = {
      ...{ X: await asFloats(X), theta: await asFloats(theta) },
      ...{ Y: new Float32Array(S * rows * out), Yh: new Float32Array((S * rows * out) / 2) },
    };
    const call = halfForward(layer, 'tanh', false, stored);
    return [new Float32Array((await run([call], given, 'Y')).buffer), await run([call], given, 'Yh')];
  };
  const plain = async (): Promise<Float32Array> => {
    const given = { X, theta, Y: new Float32Array(S * rows * out) };
    return new Float32Array((await run([forwardProduct(layer, 'wide', 'tanh', false)], given, 'Y')).buffer);
  };

  test('a product over them differs from that over floats by their rounding only, and not at all by its sums', async () => {
    const [Y, Yh] = await half('packed');
    const want = await plain();
    let most = 0;
    // 20 products below 1, each side rounded to 11 bits: at most 20 · 2 · 2^-12, in practice a tenth of that
    Y.forEach((y, k) => (most = Math.max(most, Math.abs(y - want[k]!))));
    expect(most).toBeLessThan(20 * 2 * 2 ** -12);
    expect(most).toBeGreaterThan(1e-6);
    // the copy for the next layer is Y rounded to 11 bits
    const next = await run([toHalf(Y.length, 'packed')], { x: Y, Yh: new Float32Array(Y.length / 2) }, 'Yh');
    expect(Yh).toEqual(next);
  });

  test('are off unless the device has them, and then have the same bits as packed ones', async (context) => {
    const stored = halvesOf(gpu);
    expect(stored !== null).toBe(gpu.device.features.has('shader-f16'));
    if (stored === null) return context.skip('this adapter has no shader-f16');
    const [Y, Yh] = await half(stored);
    const [packedY, packedYh] = await half('packed');
    expect(Y).toEqual(packedY);
    expect(Yh).toEqual(packedYh);
  });
});
