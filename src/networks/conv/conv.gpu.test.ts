import { afterAll, expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { wordsOfRows } from '../../core/slices.ts';
import { listedRows } from '../../gpu/listedRows.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { listOf, liveSteps } from '../../gpu/shaders/rollout/liveSteps/liveSteps.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { assume, tune } from '../../gpu/tune.ts';
import { onDevice } from '../fixtures/onDevice.ts';
import { ConvNetwork } from './convNetwork.ts';
import { ConvOnGpu } from './convOnGpu.ts';
import { convLayout, convOutputs, convStep, type ConvShape } from './shape.ts';

const gpu = await testDevice();
const tuning = await tune(gpu);
afterAll(() => assume(gpu, tuning));
const u = (a: number, i: number): number => uniform(random(13, 99, a, 0, i)) * 2 - 1;
const [S, B, T] = [2, 3, 5];

type Sizes = readonly [planes: number, height: number, width: number, rest: number];
const SHAPES: readonly (readonly [string, Sizes, Partial<ConvShape>])[] = [
  ['one cell', [3, 1, 1, 0], {}],
  ['a corridor, skip connections, channels that are no multiple of 4', [2, 1, 7, 3], { skip: true, channels: 5 }],
  ['three layers over many planes of a tall board', [19, 5, 2, 4], { layers: 3, skip: true, channels: 8 }],
  ['one layer, two values', [4, 3, 5, 9], { layers: 1, values: 2, channels: 3 }],
  ['no critic, 33 cells', [4, 3, 11, 0], { channels: 12, critic: false }],
];

test.each(SHAPES)('answers and gradient are those of the definition: %s', async (_name, sizes, changes) => {
  const [planes, height, width, rest] = sizes;
  const features = planes * height * width + rest;
  const shape: ConvShape = {
    ...{ features, board: { planes, height, width }, layers: 2, channels: 4, skip: false, hidden: 7 },
    ...{ actions: 3, critic: true, ...changes },
  };
  const layout = convLayout(shape);
  const { size } = layout;
  const n = convOutputs(shape);
  const obsWords = Math.ceil(features / 32);
  const obs = new Uint32Array(S * B * (T + 1) * obsWords);
  for (let k = 0; k < S * B * (T + 1); k++)
    for (let f = 0; f < features; f++) if (u(1, k * 999 + f) > 0) obs[k * obsWords + (f >> 5)]! |= 1 << (f & 31);
  const theta = Float32Array.from({ length: S * size }, (_, k) => 0.4 * u(2, k));
  const dOut = Float32Array.from({ length: S * B * T * n }, (_, k) => u(3, k));
  const { b, filled, make, floats, play, free } = onDevice(
    gpu,
    { S, B, T, size, n },
    { obs, theta, dOut, length: new Uint32Array(S * B).fill(T) },
  );
  assume(gpu, tuning);
  const network = new ConvOnGpu({ shape, layout }, { gpu, S, B, T, obsWords, make, ...b });
  expect(floats()).toBe(S * B * T * convStep(shape));
  const near = (got: Float32Array, want: ArrayLike<number>, at: number, name: string): void => {
    for (let k = 0; k < want.length; k++)
      // some hundred terms below 1, each rounded once
      expect(Math.abs(got[at + k]! - want[k]!), `${name} ${k}`).toBeLessThan(3e-5 + 3e-5 * Math.abs(want[k]!));
  };
  const answersOf = (s: number, steps: readonly (readonly [row: number, t: number])[]): ConvNetwork => {
    const cpu = new ConvNetwork(shape, layout);
    for (const [row, t] of steps) cpu.read({ obs, written: new Uint32Array(0), T, obsWords }, s * B + row, t);
    cpu.forward(theta, s * size);
    return cpu;
  };

  // one slot of all episodes, the one after the last step
  await play((list) => network.addForward(list, b.theta, b.out, { slot: T }));
  let out = new Float32Array(await readBack(gpu, whole(b.out)));
  for (let s = 0; s < S; s++) {
    const cpu = answersOf(
      s,
      [0, 1, 2].map((row) => [row, T]),
    );
    near(out, cpu.logits.out.subarray(0, B * n), s * B * T * n, 'slot');
  }
  // weight and length of each trajectory, of which at most two are in a minibatch
  const plan = Float32Array.of(0.5, 5, 0, 4, 1, 2, 0, 3, 1, 1, 0.2, 4);
  const words = new Uint32Array(S * wordsOfRows(B, T));
  const lists = filled('list', listOf({ S, B, T }, plan, false, words));
  const some = liveSteps({ S, B, T }, plan, false);
  const every = Array.from({ length: B * (T + 1) }, (_, k) => k).filter((k) => k % (T + 1) < T);
  expect(some.map((steps) => steps.length)).toEqual([7, 5]);
  // all steps, then those of a list, then the same through workgroup memory: there and back
  for (const [rows, steps, tiled] of [
    ['all', [every, every], false],
    [listedRows.of({ S, B, T }, lists, 2), some, false],
    [listedRows.of({ S, B, T }, lists, 2), some, true],
  ] as const) {
    assume(gpu, { ...tuning, tiled, fineUpTo: tiled ? Infinity : 0 });
    for (const buffer of [b.out, b.partials])
      gpu.device.queue.writeBuffer(buffer, 0, new Float32Array(buffer.size / 4).fill(77));
    await play((list) => network.addForward(list, b.theta, b.out, rows));
    await play((list) => network.addBackward(list, b.theta, b.dOut, rows));
    out = new Float32Array(await readBack(gpu, whole(b.out)));
    const gradient = new Float32Array(await readBack(gpu, whole(b.gradient)));
    for (let s = 0; s < S; s++) {
      const at = steps[s]!.map((k) => [Math.floor(k / (T + 1)), k % (T + 1)] as const);
      const cpu = answersOf(s, at);
      near(out, cpu.logits.out.subarray(0, at.length * n), s * B * T * n, 'out');
      // nothing behind the end of a list
      expect(new Set(out.subarray((s * B * T + at.length) * n, (s + 1) * B * T * n))).toEqual(
        new Set(at.length < B * T ? [77] : []),
      );
      cpu.logits.d.set(dOut.subarray(s * B * T * n, (s * B * T + at.length) * n));
      const want = new Float32Array(size);
      cpu.backward(theta, s * size, want);
      for (const tensor of layout.tensors) {
        const part = want.subarray(tensor.offset, tensor.offset + tensor.rows * tensor.cols);
        near(gradient, part, s * size + tensor.offset, tensor.name);
      }
    }
  }
  free();
});
