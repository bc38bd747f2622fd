import { expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { wordsOfRows } from '../../core/slices.ts';
import { listedRows } from '../../gpu/listedRows.ts';
import type { RowList, Rows } from '../../gpu/network.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { listOf, packed } from '../../gpu/shaders/rollout/liveSteps/liveSteps.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { onDevice } from '../fixtures/onDevice.ts';
import { MemoNetwork } from './memoNetwork.ts';
import { MemoOnGpu } from './memoOnGpu.ts';
import { memoGpuFloats, memoLayout, memoOutputs, memoWeights, type MemoShape } from './shape.ts';

const gpu = await testDevice();
const u = (a: number, i: number): number => uniform(random(17, 99, a, 0, i)) * 2 - 1;
const [S, B] = [2, 3];

const SHAPE: MemoShape = {
  ...{ features: 37, width: 6, heads: 2, layers: 2, hidden: 7, segment: 4, summary: 2, keep: 3 },
  ...{ gate: 'gru', gateBias: 1, actions: 3, critic: true },
};

const CASES: readonly (readonly [string, number, Partial<MemoShape>])[] = [
  ['more segments than summaries are kept', 22, {}],
  ['widths that are multiples of 4, whole segments', 12, { width: 8, hidden: 12, features: 32, gate: 'sigtanh' }],
  ['only the last summary, plain sum', 13, { keep: 1, gate: 'none' }],
  ['one head, three layers, no critic', 11, { layers: 3, heads: 1, critic: false, width: 5, gate: 'output' }],
  ['a summary of one token, all of them kept', 18, { summary: 1, keep: 9, layers: 1, gate: 'highway' }],
  ['four tokens for five steps, two values', 16, { summary: 4, segment: 5, values: 2, gate: 'input', heads: 1 }],
  ['a segment longer than the episodes', 7, { segment: 30, gate: 'none', heads: 1 }],
  ['episodes of one step', 1, { gate: 'none', heads: 1 }],
];

/** Episodes of random observations and unequal lengths, parameters of two replicas, and the network on both sides. */
function setUp(T: number, changes: Partial<MemoShape>) {
  const shape: MemoShape = { ...SHAPE, ...changes };
  const layout = memoLayout(shape);
  const { size } = layout;
  const n = memoOutputs(shape);
  const obsWords = Math.ceil(shape.features / 32);
  const obs = new Uint32Array(S * B * (T + 1) * obsWords);
  for (let k = 0; k < S * B * (T + 1); k++)
    for (let f = 0; f < shape.features; f++)
      if (u(1, k * 999 + f) > 0.6) obs[k * obsWords + (f >> 5)]! |= 1 << (f & 31);
  // one ends inside of a segment, one where a segment ends, one lasts
  const lengths = [Math.max(1, T - 5), Math.max(1, T - (T % shape.segment)), T];
  const length = Uint32Array.from({ length: S * B }, (_, row) => lengths[(row + Math.floor(row / B)) % 3]!);
  const theta = new Float32Array(S * size);
  for (let s = 0; s < S; s++) memoWeights(shape, { seed: 3 + s, activeInputs: 7 }, theta, s * size);
  for (let k = 0; k < theta.length; k++) theta[k]! += 0.5 * u(2, k);
  const { b, filled, make, floats, play, free } = onDevice(gpu, { S, B, T, size, n }, { obs, theta, length });
  // what a minibatch leaves out is the second episode
  const plan = Float32Array.from({ length: 2 * S * B }, (_, k) =>
    k % 2 === 1 ? length[k >> 1]! : Number((k >> 1) % B !== 1),
  );
  const words = listOf({ S, B, T }, plan, false, new Uint32Array(S * wordsOfRows(B, T)));
  const list = listedRows.of({ S, B, T }, filled('list', words), B - 1);
  const network = new MemoOnGpu({ shape, layout }, { gpu, S, B, T, obsWords, make, ...b });
  const history = { obs, written: new Uint32Array(0), T, obsWords };
  const forward = async (rows: Rows | RowList): Promise<Float32Array> => {
    await play((list) => network.addForward(list, b.theta, b.out, rows));
    return new Float32Array(await readBack(gpu, whole(b.out)));
  };
  /** answers of the definition, step after step of a trajectory */
  const definition = (row: number, steps: number): { cpu: MemoNetwork; answers: Float32Array } => {
    const cpu = new MemoNetwork(shape, layout);
    for (let t = 0; t < steps; t++) cpu.read(history, row, t);
    cpu.forward(theta, Math.floor(row / B) * size);
    return { cpu, answers: cpu.logits.out.subarray(0, steps * n) };
  };
  /** and of the state after the last step, whose observation stands where T steps end */
  const atEnd = (row: number): Float32Array => {
    const moved = obs.slice();
    const steps = length[row]!;
    const at = row * (T + 1);
    moved.copyWithin((at + steps) * obsWords, (at + T) * obsWords, (at + T + 1) * obsWords);
    const cpu = new MemoNetwork(shape, layout);
    for (let t = 0; t <= steps; t++) cpu.read({ ...history, obs: moved }, row, t);
    cpu.forward(theta, Math.floor(row / B) * size);
    return cpu.logits.out.subarray(steps * n, steps * n + n);
  };
  return { shape, layout, n, length, theta, plan, list, b, network, play, forward, definition, atEnd, free, floats };
}

function near(got: Float32Array, want: ArrayLike<number>, at: number, name: string): void {
  for (let k = 0; k < want.length; k++)
    // sums of some tens of numbers of size ~3, through up to 6 sub-layers for each summary on the way
    expect(Math.abs(got[at + k]! - want[k]!), `${name} ${k}`).toBeLessThan(2e-4 + 2e-4 * Math.abs(want[k]!));
}

test.each(CASES)('played, learned from and its gradient, it is the definition: %s', async (_name, T, changes) => {
  const { shape, layout, n, theta, length, plan, list, b, network, play, forward, definition, ...world } = setUp(
    T,
    changes,
  );
  const { atEnd, free, floats } = world;
  // small arrays where there is nothing, and counts
  const estimate = S * B * memoGpuFloats(shape, T);
  expect(floats()).toBeGreaterThanOrEqual(estimate);
  expect(floats()).toBeLessThan(estimate + 200 * shape.layers * Math.ceil(T / shape.segment));

  // step by step, with what is remembered at hand
  const played = new Float32Array(S * B * T * n);
  const slotAt = (row: number): number => (Math.floor(row / B) * B * T + (row % B)) * n;
  for (let t = 0; t < T; t++) {
    const out = await forward({ slot: t });
    for (let row = 0; row < S * B; row++) played.set(out.subarray(slotAt(row), slotAt(row) + n), (row * T + t) * n);
  }
  const last = await forward({ slot: T });
  for (let row = 0; row < S * B; row++) near(last, atEnd(row), slotAt(row), `the end of ${row}`);

  // all steps at once
  const out = await forward('all');
  const { size } = layout;
  // steps after the end of an episode teach nothing
  const dOut = Float32Array.from({ length: S * B * T * n }, (_, k) => {
    const step = Math.floor(k / n);
    return step % T < length[Math.floor(step / T)]! ? u(3, k) : 0;
  });
  const taughtBy = async (d: Float32Array, rows?: RowList): Promise<Float32Array> => {
    gpu.device.queue.writeBuffer(b.dOut, 0, d as Float32Array<ArrayBuffer>);
    await play((list) => network.addBackward(list, b.theta, b.dOut, rows));
    return new Float32Array(await readBack(gpu, whole(b.gradient)));
  };
  const gradient = await taughtBy(dOut);
  // those of a minibatch, one after the other, without the others
  const some = await forward(list);
  const listed = await taughtBy(packed({ S, B, T }, plan, false, dOut), list);
  for (let s = 0; s < S; s++) {
    const want = new Float32Array(size);
    const wanted = new Float32Array(size);
    for (let i = 0, place = s * B * T; i < B; i++) {
      const row = s * B + i;
      const { cpu, answers } = definition(row, length[row]!);
      near(out, answers, row * T * n, `row ${row}`);
      for (let k = row * T * n; k < row * T * n + answers.length; k++) {
        const rounding = 1e-5 * Math.max(1, Math.abs(out[k]!));
        expect(Math.abs(played[k]! - out[k]!), `played and learned from, row ${row}`).toBeLessThan(rounding);
      }
      cpu.logits.d.set(dOut.subarray(row * T * n, (row * T + length[row]!) * n));
      const own = new Float32Array(size);
      cpu.backward(theta, s * size, own);
      own.forEach((g, k) => (want[k]! += g));
      if (i === 1) continue;
      near(some, answers, place * n, `listed row ${row}`);
      place += length[row]!;
      own.forEach((g, k) => (wanted[k]! += g));
    }
    near(listed, wanted, s * size, 'listed gradient');
    for (const { name, offset, rows, cols } of layout.tensors) {
      const part = want.subarray(offset, offset + rows * cols);
      near(gradient, part, s * size + offset, name);
      const isUsed = T > shape.segment || name !== 'summary';
      if (T > 1 && isUsed) expect(Math.max(...part.map(Math.abs)), name).toBeGreaterThan(0.01);
    }
  }
  free();
});
