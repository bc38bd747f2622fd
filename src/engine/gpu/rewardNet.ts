import { slicesOf } from '../../core/slices.ts';
import { bitForm, bitForward, bitGradient, type BitRows } from '../../gpu/bitProducts.ts';
import type { Layer } from '../../gpu/products.ts';
import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { rewardNet } from '../../gpu/shaders/rewardNetKernels.ts';
import type { Ranking } from '../../slots/reward/types.ts';
import { blockOf } from '../groups.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Hidden units of a model, and its parameters that no feature owns: see slots/reward/learned/net.ts. */
const [HIDDEN, REST] = [16, 545];
/** From here on the scale of Adam is 1 in f32. */
const MOST = 1 << 15;

/** What a model learns, and where its numbers are. [S, B, T+1] of slope, of y too unless it is of rows, [S, B, T+1, 16] of hidden and deltas. */
export type NetOnGpu = {
  readonly plan: Plan;
  readonly b: RunBuffers;
  /** name before its tensors */
  readonly module: string;
  /** which of its entries it says something about: see `ModelLearning` */
  readonly learns: 'states' | 'steps' | 'rows';
  readonly ranking?: Ranking;
  readonly rate: number;
  /** 0: nothing learns, and y is given */
  readonly looks: number;
  readonly y: Slice;
  readonly room: Readonly<Record<'slope' | 'hidden' | 'deltas', GPUBuffer>>;
  readonly labels: readonly Slice[];
};

/** A model of rewards as dispatches. */
class RewardNetOnGpu {
  private readonly of: NetOnGpu;
  private readonly layer: Layer;
  private readonly rows: BitRows;
  private readonly slices: number;

  constructor(of: NetOnGpu) {
    this.of = of;
    const { S, B, T, obsWords } = of.plan;
    const states = B * (T + 1);
    const size = 32 * obsWords * HIDDEN;
    const over = { S, rows: states, maxRows: states, size };
    this.layer = { ...over, inputs: 32 * obsWords, out: HIDDEN, weightAt: 0, biasAt: -1 };
    this.rows = {
      ...{ words: obsWords, B, inner: T + 1, base: 0 },
      ...{ outerStride: (T + 1) * obsWords, innerStride: obsWords },
    };
    this.slices = slicesOf(states, size);
  }

  private tensor(name: string): GPUBuffer {
    return this.of.b.tensors.buffer(`${this.of.module}.${name}`);
  }

  private get byAction(): number {
    return this.of.learns === 'steps' ? 1 : 0;
  }

  /** What it says as it is. */
  async answer(list: CommandList): Promise<void> {
    const { layer, rows, byAction } = this;
    const { plan, b, room, y } = this.of;
    const { hidden } = room;
    const { kernel, dims, groups } = bitForward(layer, rows, bitForm(layer), 'none', false);
    await list.add(kernel, { bits: b.obs, theta: this.tensor('weights'), Y: hidden }, dims, groups);
    const { length, action } = b.columns;
    if (this.of.learns === 'rows') return this.answerRows(list);
    const states = layer.rows;
    const buffers = { length, action, rest: this.tensor('rest'), hidden, y };
    await list.add(rewardNet.answers, buffers, { states, T: plan.T, byAction }, [Math.ceil(states / 64), 1, plan.S]);
  }

  private answerRows(list: CommandList): Promise<void> {
    const { plan, b, room, y } = this.of;
    const { B, T, S } = plan;
    const buffers = { length: b.columns.length, rest: this.tensor('rest'), hidden: room.hidden, y };
    return list.add(rewardNet.rowAnswers, buffers, { B, T }, [Math.ceil(B / 4), 1, S]);
  }

  /** Its error, with `first` measured, as slopes. */
  async judge(list: CommandList, first: number, gradient?: Gradient): Promise<void> {
    const { plan, b, room, y, learns, labels, ranking } = this.of;
    const { slope } = room;
    const { length, taskIndex, modelError: error } = b.columns;
    const [reached, share] = labels as [Slice, Slice];
    const { S, B, T } = plan;
    if (learns === 'rows') {
      const { order, sigma } = ranking!;
      const [k0, k1, k2] = order;
      const dims = { B, T, block: blockOf(plan), k0, k1, k2, sigma, first, none: NaN };
      const buffers = { length, y, z: labels[0]!, taskIndex, slope, error, rests: gradient!.rests };
      return list.add(rewardNet.ranking, buffers, dims, [1, 1, S]);
    }
    const asked = learns === 'states' ? { reached, share } : { outcome: reached };
    await list.add(rewardNet[learns], { length, y, ...asked, slope, error }, { B, T, first }, [1, 1, S]);
  }

  /** One step of its optimizer. */
  async step(list: CommandList, first: number, gradient: Gradient): Promise<void> {
    const { layer, rows, slices, byAction } = this;
    const { plan, b, room, rate, learns } = this.of;
    const { slope, hidden, deltas: d } = room;
    const [S, states] = [plan.S, layer.rows];
    const rest = this.tensor('rest');
    const lanes = Math.ceil((HIDDEN * states) / 64);
    await list.add(rewardNet.deltas, { slope, rest, hidden, d }, { states }, [lanes, 1, S]);
    const sums = bitGradient(layer, rows, bitForm(layer), slices);
    await list.add(sums.kernel, { bits: b.obs, dY: d, partials: gradient.weights }, sums.dims, sums.groups);
    const steps = this.tensor('steps');
    const { rests } = gradient;
    const read = { slope, hidden, d, action: b.columns.action, gradient: gradient.rest, steps, rests };
    const compares = learns === 'rows' ? 1 : 0;
    await list.add(rewardNet.restGradient, read, { states, T: plan.T, byAction, compares }, [33, 1, S]);
    for (const [name, size, parts] of [
      ['weights', layer.size, slices],
      ['rest', REST, 1],
    ] as const) {
      const [theta, m, v, before] = ['', 'M', 'V', 'Before'].map((end) => this.tensor(name + end)) as [
        ...[GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer],
      ];
      const buffers = { partials: gradient[name], steps, scales: gradient.scales, theta, m, v, before, rests };
      const dims = { size, slices: parts, first, most: MOST, rate };
      await list.add(rewardNet.step, buffers, dims, [Math.ceil(size / 64), 1, S]);
    }
  }

  /** Room for what a step follows. */
  gradient(): Gradient {
    const { b, plan } = this.of;
    const make = (n: number): GPUBuffer => {
      const buffer = b.gpu.buffer('weights', n, 0x80 | 0x08);
      b.all.push(buffer);
      return buffer;
    };
    const scales = make(MOST);
    const values = Float32Array.from({ length: MOST }, (_, k) => {
      return Math.sqrt(1 - 0.999 ** (k + 1)) / (1 - 0.9 ** (k + 1));
    });
    b.gpu.device.queue.writeBuffer(scales, 0, values);
    const [weights, rest] = [make(plan.S * this.slices * this.layer.size), make(plan.S * REST)];
    return { weights, rest, scales, rests: make(plan.S) };
  }
}

/** `rests`: 1 for a replica that has nothing to learn from a batch. */
type Gradient = Readonly<Record<'weights' | 'rest' | 'scales' | 'rests', GPUBuffer>>;

/** What a model says before it learns. */
export const addAnswers = (list: CommandList, of: NetOnGpu): Promise<void> => new RewardNetOnGpu(of).answer(list);

/** All looks of a model at a batch, after the batch was paid. */
export async function addLooks(list: CommandList, of: NetOnGpu): Promise<void> {
  const net = new RewardNetOnGpu(of);
  if (of.looks === 0) return net.judge(list, 1);
  const gradient = net.gradient();
  for (let look = 0; look < of.looks; look++) {
    const first = look === 0 ? 1 : 0;
    // the first one has been asked for to pay
    if (!first) await net.answer(list);
    await net.judge(list, first, gradient);
    await net.step(list, first, gradient);
  }
}
