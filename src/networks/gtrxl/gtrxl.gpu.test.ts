import { expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { wordsOfRows } from '../../core/slices.ts';
import { listedRows } from '../../gpu/listedRows.ts';
import type { RowList, Rows } from '../../gpu/network.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { listOf, packed } from '../../gpu/shaders/rollout/liveSteps/liveSteps.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { onDevice } from '../fixtures/onDevice.ts';
import { GATES } from '../transformer/shape.ts';
import { GtrxlNetwork } from './gtrxlNetwork.ts';
import { GtrxlOnGpu } from './gtrxlOnGpu.ts';
import { gtrxlGpuFloats, gtrxlLayout, gtrxlOutputs, gtrxlWeights, type GtrxlShape } from './shape.ts';

const gpu = await testDevice();
const u = (a: number, i: number): number => uniform(random(17, 99, a, 0, i)) * 2 - 1;
const S = 2;

const SHAPE: GtrxlShape = {
  ...{ features: 37, width: 6, heads: 2, layers: 2, hidden: 7, memory: 3, segment: 4 },
  ...{ gate: 'gru', gateBias: 1, actions: 3, critic: true },
};
type Sizes = { readonly B?: number; readonly T?: number };
const CASES: readonly (readonly [string, Partial<GtrxlShape>, Sizes])[] = [
  ...GATES.map((gate) => [`gate ${gate}`, { gate }, {}] as const),
  ['three layers, one head, no critic', { layers: 3, heads: 1, critic: false, width: 5 }, { T: 7 }],
  ['four heads, numbers that are multiples of 4', { width: 8, heads: 4, hidden: 12, features: 32 }, { T: 9 }],
  ['no memory', { memory: 0 }, {}],
  ['segments of one step', { memory: 5, segment: 1 }, {}],
  ['neither, one episode', { memory: 0, segment: 1, layers: 1 }, { B: 1, T: 5 }],
  ['a memory longer than the episode, two values', { memory: 40, values: 2 }, { T: 11 }],
  ['a segment longer than the episode', { memory: 2, segment: 64, width: 20 }, { B: 2, T: 33 }],
  ['episodes of one step', { layers: 1 }, { B: 5, T: 1 }],
];

/** A network with parameters away from their start, over episodes of unequal lengths that leave noise behind their end. */
function setUp(changes: Partial<GtrxlShape>, { B = 3, T = 13 }: Sizes) {
  const shape: GtrxlShape = { ...SHAPE, ...changes };
  const layout = gtrxlLayout(shape);
  const { size } = layout;
  const n = gtrxlOutputs(shape);
  const obsWords = Math.ceil(shape.features / 32);
  const obs = new Uint32Array(S * B * (T + 1) * obsWords);
  for (let k = 0; k < S * B * (T + 1); k++)
    for (let f = 0; f < shape.features; f++)
      if (u(1, k * 999 + f) > 0.6) obs[k * obsWords + (f >> 5)]! |= 1 << (f & 31);
  const theta = new Float32Array(S * size);
  for (let s = 0; s < S; s++) {
    gtrxlWeights(shape, { seed: 3 + s, activeInputs: 7 }, theta, s * size);
    for (const { name, offset, rows, cols } of layout.tensors)
      // nothing may be hidden by a ReLU that is never on
      for (let k = 0; k < rows * cols; k++)
        theta[s * size + offset + k]! += 0.5 * u(2, s * size + offset + k) + (/^b[12]/.test(name) ? 0.7 : 0);
  }
  // the first one is as long as can be, another as short
  const length = Uint32Array.from({ length: S * B }, (_, k) =>
    k === 0 ? T : k === B ? 1 : Math.min(T, 2 + Math.floor(((1 + u(3, k)) / 2) * (T - 1))),
  );
  const dOut = Float32Array.from({ length: S * B * T * n }, (_, k) => {
    const row = Math.floor(k / (T * n));
    return Math.floor(k / n) % T < length[row]! ? u(4, k) : 0;
  });
  // what a minibatch leaves out is the second episode
  const plan = Float32Array.from({ length: 2 * S * B }, (_, k) =>
    k % 2 === 1 ? length[k >> 1]! : Number((k >> 1) % B !== 1),
  );
  const { b, filled, make, floats, play, free } = onDevice(gpu, { S, B, T, size, n }, { obs, theta, length, dOut });
  const network = new GtrxlOnGpu({ shape, layout }, { gpu, S, B, T, obsWords, make, ...b });
  const words = listOf({ S, B, T }, plan, false, new Uint32Array(S * wordsOfRows(B, T)));
  const list = listedRows.of({ S, B, T }, filled('list', words), Math.max(1, B - 1));
  const answers = async (rows: Rows | RowList): Promise<Float32Array> => {
    await play((list) => network.addForward(list, b.theta, b.out, rows));
    return new Float32Array(await readBack(gpu, whole(b.out)));
  };
  /** Answers of the definition for these steps of replica s. */
  const definition = (s: number, steps: readonly (readonly [row: number, t: number])[]): GtrxlNetwork => {
    const cpu = new GtrxlNetwork(shape, layout);
    for (const [row, t] of steps) cpu.read({ obs, written: new Uint32Array(0), T, obsWords }, s * B + row, t);
    cpu.forward(theta, s * size);
    return cpu;
  };
  return {
    shape,
    layout,
    size,
    n,
    B,
    T,
    obsWords,
    obs,
    theta,
    length,
    dOut,
    plan,
    list,
    b,
    network,
    floats: floats(),
    free,
    play,
    answers,
    definition,
  };
}

test.each(CASES)(
  'answers and gradient are those of the definition: %s',
  async (_name, changes, sizes) => {
    const { shape, layout, size, n, B, T, length, theta, dOut, plan, b, network, floats, ...world } = setUp(
      changes,
      sizes,
    );
    const { perStep, once } = gtrxlGpuFloats(shape);
    expect(floats).toBeLessThanOrEqual(S * (B * T * perStep + once));
    expect(floats).toBeGreaterThanOrEqual(S * B * T * perStep);
    const near = (got: number, want: number, name: string): void =>
      // sums of some tens of numbers of size ~3 in f32, through up to 6 sub-layers
      expect(Math.abs(got - want), name).toBeLessThan(1e-4 + 5e-5 * Math.abs(want));
    const steps = (s: number): (readonly [number, number])[] =>
      Array.from({ length: B * T }, (_, k) => [Math.floor(k / T), k % T] as const).filter(
        ([row, t]) => t < length[s * B + row]!,
      );

    // an episode is played, slot by slot; what one remembers is in its memory alone
    const played = new Float32Array(S * B * T * n);
    for (let t = 0; t < T; t++) {
      const out = await world.answers({ slot: t });
      for (let s = 0; s < S; s++)
        for (let i = 0; i < B; i++) {
          const from = (s * B * T + i) * n;
          played.set(out.subarray(from, from + n), ((s * B + i) * T + t) * n);
        }
    }
    // the slot after the last step of each
    const behind = await world.answers({ slot: T });
    const learned = async (rows: RowList | 'all'): Promise<{ out: Float32Array; gradient: Float32Array }> => {
      const out = await world.answers(rows);
      await world.play((list) => network.addBackward(list, b.theta, b.dOut, rows));
      return { out, gradient: new Float32Array(await readBack(gpu, whole(b.gradient))) };
    };
    const { out: all, gradient } = await learned('all');
    gpu.device.queue.writeBuffer(b.dOut, 0, packed({ S, B, T }, plan, false, dOut) as Float32Array<ArrayBuffer>);
    const some = await learned(world.list);

    for (let s = 0; s < S; s++) {
      const listed = steps(s);
      const cpu = world.definition(s, listed);
      listed.forEach(([row, t], k) => {
        for (let c = 0; c < n; c++) {
          const at = ((s * B + row) * T + t) * n + c;
          near(all[at]!, cpu.logits.out[k * n + c]!, `answer ${c} at step ${t} of ${row}`);
          expect(Math.abs(played[at]! - all[at]!), `acting and learning at step ${t} of ${row}`).toBeLessThan(1e-5);
          cpu.logits.d[k * n + c] = dOut[at]!;
        }
      });
      // those of a minibatch, one after the other, without the others
      const inList = listed.filter(([row]) => row !== 1);
      const alone = world.definition(s, inList);
      inList.forEach(([row, t], k) => {
        for (let c = 0; c < n; c++) {
          near(some.out[(s * B * T + k) * n + c]!, alone.logits.out[k * n + c]!, `listed ${c} at step ${t} of ${row}`);
          alone.logits.d[k * n + c] = dOut[((s * B + row) * T + t) * n + c]!;
        }
      });
      const taught = new Float32Array(size);
      alone.backward(theta, s * size, taught);
      taught.forEach((w, k) => near(some.gradient[s * size + k]!, w, `listed gradient ${k} of ${s}`));
      const want = new Float32Array(size);
      cpu.backward(theta, s * size, want);
      for (const { name, offset, rows, cols } of layout.tensors) {
        const part = want.subarray(offset, offset + rows * cols);
        const largest = Math.max(...part.map(Math.abs));
        // where a step is all that is read, it is read whole, whatever its distance is worth
        const isIdle = name.startsWith('rel') && ((shape.memory === 0 && shape.segment === 1) || T === 1);
        if (!isIdle) expect(largest, `the gradient of ${name}`).toBeGreaterThan(1e-3);
        part.forEach((w, k) => near(gradient[s * size + offset + k]!, w, `${name} ${k} of ${s}`));
      }
      for (let row = 0; row < B; row++) {
        // the definition asks about the observation behind the last step, which a batch has in its last entry
        const last = lastStep(world.obs, { row: s * B + row, T, steps: length[s * B + row]! }, world.obsWords);
        const cpu = new GtrxlNetwork(shape, layout);
        cpu.read({ obs: last, written: new Uint32Array(0), T, obsWords: world.obsWords }, 0, length[s * B + row]!);
        cpu.forward(theta, s * size);
        for (let c = 0; c < n; c++)
          near(behind[(s * B * T + row) * n + c]!, cpu.logits.out[c]!, `behind episode ${row}`);
      }
    }
    world.free();
  },
  60_000,
);

test('with a context of 512 steps answers and gradient are those of the definition far behind the start', async () => {
  const far = 560;
  const changes: Partial<GtrxlShape> = { memory: 448, segment: 64, layers: 1, width: 4, heads: 1 };
  const { layout, size, n, T, theta, dOut, b, network, ...world } = setUp(changes, { B: 1, T: 600 });
  dOut.fill(0, 0, far * n);
  gpu.device.queue.writeBuffer(b.dOut, 0, dOut as Float32Array<ArrayBuffer>);
  const all = await world.answers('all');
  await world.play((list) => network.addBackward(list, b.theta, b.dOut));
  const gradient = new Float32Array(await readBack(gpu, whole(b.gradient)));
  // the first replica, whose episode is as long as can be
  const cpu = world.definition(
    0,
    Array.from({ length: T - far }, (_, k) => [0, far + k] as const),
  );
  for (let k = 0; k < (T - far) * n; k++)
    expect(Math.abs(all[far * n + k]! - cpu.logits.out[k]!), `answer ${k}`).toBeLessThan(2e-4);
  cpu.logits.d.set(dOut.subarray(far * n, T * n));
  const want = new Float32Array(size);
  cpu.backward(theta, 0, want);
  for (const { name, offset, rows, cols } of layout.tensors)
    for (let k = offset; k < offset + rows * cols; k++)
      expect(Math.abs(gradient[k]! - want[k]!), `${name} ${k - offset}`).toBeLessThan(1e-4 + 1e-4 * Math.abs(want[k]!));
  // what is told farthest away is learned from there
  const { offset } = layout.tensors.find(({ name }) => name.startsWith('rel'))!;
  expect(Math.abs(want[offset + 500]!)).toBeGreaterThan(1e-5);
  world.free();
}, 60_000);

/** One episode whose last observation stands right behind its last step. */
function lastStep(
  obs: Uint32Array,
  { row, T, steps }: { readonly row: number; readonly T: number; readonly steps: number },
  words: number,
): Uint32Array {
  const own = obs.slice(row * (T + 1) * words, (row + 1) * (T + 1) * words);
  own.set(own.slice(T * words), steps * words);
  return own;
}

test('a step that a later segment reads as a memory gets no gradient from there', async () => {
  const { layout, n, T, b, network, obs, obsWords, ...world } = setUp({ layers: 1 }, { B: 1, T: 8 });
  // only the last step asks, which is in the second segment
  const only = new Float32Array(S * T * n);
  for (let s = 0; s < S; s++) only.fill(1, (s * T + T - 1) * n, (s + 1) * T * n);
  gpu.device.queue.writeBuffer(b.dOut, 0, only);
  await world.answers('all');
  await world.play((list) => network.addBackward(list, b.theta, b.dOut));
  const gradient = new Float32Array(await readBack(gpu, whole(b.gradient)));
  const input = layout.tensors.find(({ name }) => name === 'in')!;
  const isSeen = (t: number, f: number): boolean => ((obs[t * obsWords + (f >> 5)]! >> (f & 31)) & 1) === 1;
  let [moved, still] = [0, 0];
  for (let f = 0; f < input.rows; f++) {
    const from = input.offset + f * input.cols;
    const most = Math.max(...gradient.subarray(from, from + input.cols).map(Math.abs));
    if ([4, 5, 6, 7].some((t) => isSeen(t, f))) moved = Math.max(moved, most);
    else {
      expect(most, `bit ${f}`).toBe(0);
      if ([1, 2, 3].some((t) => isSeen(t, f))) still++;
    }
  }
  expect(moved).toBeGreaterThan(0.01);
  // bits that stand in the memory alone
  expect(still).toBeGreaterThan(0);
  world.free();
});
