import { describe, expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { CommandList, readBack, whole } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { grammarOf } from './grammar.ts';
import { GATES, transformerLayout, transformerWeights, type TransformerShape } from './shape.ts';
import { Transformer } from './transformer.ts';
import { TokenBuffers } from './tokenBuffers.ts';
import {
  addPack,
  addSteps,
  addTokenBackward,
  addTokenForward,
  chunksOf,
  type Steps,
  type TokenSource,
} from './tokenList.ts';
import { addGradientEnd, addGradientStart } from './tokenOps.ts';

const COMMANDS = [[5], [6], [7, 8], [7, 9], [10, 8, 11], [10, 9, 11]];
const u = (a: number, i: number): number => uniform(random(11, 98, a, i, 0));

function shapeOf(over: Partial<TransformerShape> = {}, masked = true): TransformerShape {
  return {
    vocabulary: 13,
    observation: 7,
    history: 2,
    width: 8,
    heads: 2,
    layers: 2,
    hidden: 10,
    gate: 'none',
    gateBias: 1,
    tied: false,
    grammar: grammarOf(COMMANDS, 13, masked),
    actions: COMMANDS.length,
    critic: true,
    ...over,
  };
}

type Sizes = { readonly S: number; readonly B: number; readonly T: number };

/** A batch of S replicas: observations of all lengths with holes, commands, lengths, weights, parameters. */
function batchOf(shape: TransformerShape, { S, B, T }: Sizes) {
  const obsWords = Math.ceil(shape.observation / 4);
  const obs = new Uint32Array(S * B * (T + 1) * obsWords);
  for (let k = 0; k < S * B * (T + 1); k++) {
    const length = Math.floor(u(1, k) * (shape.observation + 1));
    for (let j = 0; j < length; j++) {
      const token = u(2, 16 * k + j) < 0.1 ? 0 : 4 + Math.floor(u(3, 16 * k + j) * 9);
      obs[k * obsWords + (j >>> 2)]! |= token << (8 * (j & 3));
    }
  }
  const commands = Uint32Array.from(
    { length: S * B * T },
    (_, k) => shape.grammar.commands[Math.floor(u(4, k) * COMMANDS.length)]!,
  );
  const length = Uint32Array.from({ length: S * B }, (_, k) => 1 + Math.floor(u(5, k) * T));
  const plan = Float32Array.from({ length: 2 * S * B }, (_, k) =>
    k % 2 === 0 ? (k % 4 === 0 ? 0.5 : 0) : length[k >> 1]!,
  );
  const { size } = transformerLayout(shape);
  const theta = new Float32Array(S * size);
  for (let s = 0; s < S; s++) transformerWeights(shape, 3 + s, theta, s * size);
  for (let k = 0; k < theta.length; k++) theta[k]! += 0.3 * (u(6, k) - 0.5);
  return { S, B, T, obs, obsWords, commands, length, plan, theta };
}
type Batch = ReturnType<typeof batchOf>;

/** Steps of one replica in the order of the list. */
function stepsOf(batch: Batch, s: number, steps: Steps): number[] {
  const { B, T } = batch;
  const list: number[] = [];
  let weighted = 0;
  for (let i = 0; i < B; i++) {
    const n = batch.length[s * B + i]!;
    if (typeof steps === 'object' && 't' in steps) {
      if (n === 0) list.push(i * T + steps.t);
      continue;
    }
    if ((steps === 'weighted' || typeof steps === 'object') && batch.plan[2 * (s * B + i)] === 0) continue;
    if (typeof steps === 'object' && weighted++ !== steps.weighted) continue;
    for (let t = steps === 'last' ? n - 1 : 0; t < n; t++) list.push(i * T + t);
  }
  return list;
}

/** ∂L/∂output of a step: any number that depends on nothing but the step and the output. */
const slope = (step: number, c: number): number => u(7, 97 * step + c) - 0.5;

/** The definition: outputs of all listed steps and the gradient, for one replica. */
function byDefinition(shape: TransformerShape, batch: Batch, s: number, steps: Steps) {
  const { B, T } = batch;
  const layout = transformerLayout(shape);
  const list = stepsOf(batch, s, steps);
  const net = new Transformer(shape, layout, list.length);
  const C = shape.grammar.slots.length;
  const n = C + (shape.critic ? 1 : 0);
  const J = shape.grammar.prefixes.length;
  const last = steps === 'last';
  for (const step of list) {
    const row = s * B + Math.floor(step / T);
    const slot = row * (T + 1) + (last ? T : step % T);
    net.seq.add(batch.obs, slot * batch.obsWords, batch.commands, row * T, (step % T) + (last ? 1 : 0));
  }
  const theta = batch.theta.subarray(s * layout.size, (s + 1) * layout.size);
  net.forward(theta, 0);
  const out = list.flatMap((_, r) => [
    ...net.logits.subarray(r * C, (r + 1) * C),
    ...(shape.critic ? [net.value[r * J]!] : []),
  ]);
  list.forEach((step, r) => {
    for (let c = 0; c < C; c++) net.dLogits[r * C + c] = slope(step, c);
    if (shape.critic) net.dValue[r * J] = slope(step, C);
  });
  const gradient = new Float32Array(layout.size);
  net.backward(theta, 0, gradient);
  return { list, n, out, gradient };
}

const gpu = await testDevice();

function upload(values: Float32Array | Uint32Array): GPUBuffer {
  const buffer = gpu.buffer('batch', values.length, 0x80 | 0x04 | 0x08);
  gpu.device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>);
  return buffer;
}
function submit(list: CommandList): void {
  const encoder = gpu.device.createCommandEncoder({ label: 'token' });
  list.encode(encoder);
  gpu.device.queue.submit([encoder.finish()]);
}

/** The whole network on the GPU in chunks of R steps: outputs by replica in the order of the list, and gradients. */
async function onGpu(shape: TransformerShape, batch: Batch, R: number, steps: Steps) {
  const { S, B, T } = batch;
  const layout = transformerLayout(shape);
  const b = new TokenBuffers(gpu, shape, layout, { S, B, T, R, slices: 3 });
  const held = [batch.obs, batch.commands, batch.length, batch.plan, batch.theta].map(upload);
  const [obs, commands, length, plan, theta] = held as [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer];
  const gradient = upload(new Float32Array(S * layout.size).fill(1e30));
  const owner: GPUBuffer[] = [];
  const source: TokenSource = { obs, obsWords: batch.obsWords, commands, length, plan };
  // nothing may depend on what lay in the memory before
  const poison = new CommandList(gpu, 'poison', owner);
  for (const x of b.all) {
    if (x === b.grammar) continue;
    const count = x.size / 4;
    await poison.add(kernels.fill, { x }, { count, value: 1e30 }, [Math.ceil(count / 64)]);
  }
  const start = new CommandList(gpu, 'start', owner);
  await addSteps(start, b, source, steps);
  await addGradientStart(start, b);
  submit(poison);
  submit(start);
  const { n } = b;
  const forward = new CommandList(gpu, 'forward', owner);
  await addPack(forward, b, source, steps === 'last' ? 'last' : 'steps');
  await addTokenForward(forward, b, theta);
  const backward = new CommandList(gpu, 'backward', owner);
  await addTokenBackward(backward, b, theta);
  const outs: number[][] = Array.from({ length: S }, () => []);
  for (let k = 0; k < chunksOf(b, steps); k++) {
    submit(forward);
    const out = new Float32Array(await readBack(gpu, b.out(0)));
    const dOut = new Float32Array(S * R * n).fill(1e30);
    for (let s = 0; s < S; s++) {
      stepsOf(batch, s, steps)
        .slice(k * R, (k + 1) * R)
        .forEach((step, r) => {
          const at = (s * R + r) * n;
          outs[s]!.push(...out.subarray(at, at + n));
          for (let c = 0; c < n; c++) dOut[at + c] = slope(step, c);
        });
    }
    const { buffer, offset } = b.out(2);
    gpu.device.queue.writeBuffer(buffer, offset, dOut);
    submit(backward);
  }
  const end = new CommandList(gpu, 'end', owner);
  await addGradientEnd(end, b, { gradient });
  submit(end);
  const bits = await readBack(gpu, whole(gradient));
  b.free();
  for (const buffer of [...held, gradient, ...owner]) gpu.free(buffer);
  return { outs, gradient: new Float32Array(bits) };
}

/** Distance of two arrays relative to the size of the second. */
function distance(got: ArrayLike<number>, want: ArrayLike<number>): number {
  let difference = 0;
  let size = 0;
  for (let k = 0; k < want.length; k++) {
    difference += (got[k]! - want[k]!) ** 2;
    size += want[k]! ** 2;
  }
  return Math.sqrt(difference) / (Math.sqrt(size) + 1e-6);
}

const shapes: [string, TransformerShape][] = [
  ...GATES.map((gate): [string, TransformerShape] => [`gate ${gate}`, shapeOf({ gate })]),
  ['tied head, no grammar mask', shapeOf({ tied: true }, false)],
  ['one layer, one head, no history, no critic', shapeOf({ layers: 1, heads: 1, history: 0, critic: false })],
  ['one layer, tied, gru', shapeOf({ layers: 1, tied: true, gate: 'gru', width: 12, heads: 3 })],
];

describe('the network on the GPU equals its definition, outputs and gradients', () => {
  const [S, B, T] = [2, 3, 3];
  test.each(shapes)('%s', async (_name, shape) => {
    const batch = batchOf(shape, { S, B, T });
    const { outs, gradient } = await onGpu(shape, batch, 4, 'all');
    const layout = transformerLayout(shape);
    for (let s = 0; s < S; s++) {
      const want = byDefinition(shape, batch, s, 'all');
      expect(outs[s]).toHaveLength(want.out.length);
      // f32 sums of at most 40 terms, about ten in a row between a word and a logit: errors of 6e-8 each that do not line up
      expect(distance(outs[s]!, want.out), `outputs of replica ${s}`).toBeLessThan(2e-6);
      for (const t of layout.tensors) {
        const part = (x: Float32Array, at: number): Float32Array => x.slice(at, at + t.rows * t.cols);
        const error = distance(part(gradient, s * layout.size + t.offset), part(want.gradient, t.offset));
        // the same sums back again, where gradients of a softmax and of a norm cancel
        expect(error, `gradient of ${t.name}, replica ${s}`).toBeLessThan(1e-5);
      }
    }
  });
});

test('a context of 512 tokens and more', async () => {
  const shape = shapeOf({ history: 120, observation: 150 });
  const t = 120;
  const batch = batchOf(shape, { S: 1, B: 2, T: t + 1 });
  // the longest commands, and an observation without holes
  batch.commands.fill(shape.grammar.commands.at(-1)!);
  batch.obs.fill(0x05060708);
  const { outs, gradient } = await onGpu(shape, batch, 2, { t });
  const want = byDefinition(shape, batch, 0, { t });
  expect(shape.history * shape.grammar.length + shape.observation).toBeGreaterThan(508);
  expect(outs[0]).toHaveLength(want.out.length);
  expect(distance(outs[0]!, want.out)).toBeLessThan(2e-6);
  expect(distance(gradient, want.gradient)).toBeLessThan(1e-5);
});

test.each([
  ['none', 1, 14, 24],
  ['gru', 2, 39, 74],
] as const)(
  'gate %s with %i layers: a chunk is %i dispatches forward and %i back',
  async (gate, layers, there, back) => {
    const shape = shapeOf({ gate, layers });
    const [S, B, T] = [1, 2, 2];
    const batch = batchOf(shape, { S, B, T });
    const b = new TokenBuffers(gpu, shape, transformerLayout(shape), { S, B, T, R: 4 });
    const held = [batch.obs, batch.commands, batch.length, batch.plan, batch.theta].map(upload);
    const [obs, commands, length, plan, theta] = held as [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer];
    const forward = new CommandList(gpu, 'forward');
    await addPack(forward, b, { obs, obsWords: batch.obsWords, commands, length, plan }, 'steps');
    await addTokenForward(forward, b, theta);
    const backward = new CommandList(gpu, 'backward');
    await addTokenBackward(backward, b, theta);
    expect([forward.length, backward.length]).toEqual([there, back]);
    forward.dispose();
    backward.dispose();
    b.free();
    for (const buffer of held) gpu.free(buffer);
  },
);

describe('which steps', () => {
  const shape = shapeOf({ gate: 'gru' });
  const [S, B, T] = [2, 3, 3];
  test.each<[string, Steps]>([
    ['steps of trajectories with a weight', 'weighted'],
    ['last states, with the commands written before them', 'last'],
    ['one step of living trajectories', { t: 1 }],
    ['the second trajectory with a weight', { weighted: 1 }],
  ])('%s', async (_name, steps) => {
    const batch = batchOf(shape, { S, B, T });
    if (typeof steps === 'object' && 't' in steps) batch.length.set([0, 1, 0, 1, 1, 1]);
    const { outs } = await onGpu(shape, batch, 2, steps);
    for (let s = 0; s < S; s++) {
      if (stepsOf(batch, s, steps).length === 0) {
        expect(outs[s]).toEqual([]);
        continue;
      }
      const want = byDefinition(shape, batch, s, steps);
      expect(outs[s]).toHaveLength(want.out.length);
      expect(distance(outs[s]!, want.out)).toBeLessThan(2e-6);
    }
  });

  test('a replica alone gives the same bits, and so does a second run', async () => {
    const batch = batchOf(shape, { S, B, T });
    const both = await onGpu(shape, batch, 4, 'all');
    expect(await onGpu(shape, batch, 4, 'all')).toEqual(both);
    const { size } = transformerLayout(shape);
    const half = <A extends Float32Array | Uint32Array>(x: A): A => x.slice(x.length / 2) as A;
    const { obs, commands, length, plan, theta } = batch;
    const second: Batch = {
      ...{ ...batch, S: 1 },
      obs: half(obs),
      commands: half(commands),
      length: half(length),
      plan: half(plan),
      theta: half(theta),
    };
    const alone = await onGpu(shape, second, 4, 'all');
    expect(alone.outs[0]).toEqual(both.outs[1]);
    expect(alone.gradient.slice(0, size)).toEqual(both.gradient.slice(size, 2 * size));
  });
});
