import { slicesOf } from '../../core/slices.ts';
import { bitForward, bitForwardForm, bitGradient, bitGradientForm, bitRowsOf } from '../../gpu/bitProducts.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import type { Buffer, GpuNetwork, NetworkBatch, Rows } from '../../gpu/network.ts';
import type { Layer } from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { tune } from '../../gpu/tune.ts';
import { linear as linearOf } from '../dense/linear.ts';
import type { Layout } from '../layout.ts';
import { addStepLayer, addStepLayerBackward, type StepBench, type StepLayer } from '../transformer/stepLayers.ts';
import {
  addGradientEnd,
  addGradientStart,
  linear,
  linearBackward,
  live,
  perNumber,
  type Pass,
} from '../transformer/tokenOps.ts';
import type { Recording, Sized } from '../types.ts';
import { MemoArrays, playedBlock, segmentBlocks, tokensOfBlock, type Block } from './blocks.ts';
import copyRuns from './copyRuns.wgsl?raw';
import attention from './memoAttention.wgsl?raw';
import attentionKey from './memoKey.wgsl?raw';
import attentionQuery from './memoQuery.wgsl?raw';
import reads from './memoReads.wgsl?raw';
import { distancesOf, type MemoShape } from './shape.ts';

const COPY: Kernel = { id: 'copyRuns', wgsl: copyRuns };

/** The kernels of the attention, for heads of this width. */
function attentionKernels({ width, heads }: MemoShape) {
  const made = (id: string, wgsl: string): Kernel => ({ id, wgsl, link: [`const WIDTH = ${width / heads}u;`, reads] });
  return {
    forward: made('memoAttention', attention),
    query: made('memoQuery', attentionQuery),
    key: made('memoKey', attentionKey),
  };
}

/** Where runs of numbers begin: floats from one replica to the next, from one trajectory to the next, and before the first. */
type Runs = { readonly buffer: Buffer; readonly replica: number; readonly row: number; readonly at: number };

/**
 * The network of memoNetwork.ts as dispatches. The steps of a segment and the summaries around them go through the layers as one
 * block, segments one after the other, since each begins with the summary of the one before; on the way back from the last one
 * to the first. While an episode is played a block is one step, with a summary before or after it where a segment ends. Keys
 * and values that later blocks read are kept.
 */
export class MemoOnGpu implements GpuNetwork {
  readonly memory: readonly { readonly buffer: GPUBuffer; readonly width: number }[];
  private readonly shape: MemoShape;
  private readonly layout: Layout;
  private readonly batch: NetworkBatch;
  private readonly attention: ReturnType<typeof attentionKernels>;
  private readonly arrays: MemoArrays;
  /** [S, B·T, D] of single steps: products of the input, and the stream after the last layer; on the way back their gradients */
  private readonly input: GPUBuffer;
  private readonly answer: GPUBuffer;

  constructor({ shape, layout }: Sized<MemoShape>, batch: NetworkBatch) {
    const { S, B, T, make } = batch;
    const { width: D } = shape;
    this.shape = shape;
    this.layout = layout;
    this.batch = batch;
    this.attention = attentionKernels(shape);
    this.arrays = new MemoArrays({ shape, layout }, batch, slicesOf(B * T, layout.size));
    this.input = make(S * B * T * D);
    this.answer = make(S * B * T * D);
    const { kept, summaries } = this.arrays;
    this.memory = [...kept.map((buffer) => ({ buffer, width: 4 * D })), { buffer: summaries, width: D }];
  }

  async addForward(list: CommandList, theta: Buffer, out: Buffer, rows: Rows): Promise<void> {
    const { B, T, obs } = this.batch;
    const { features } = this.shape;
    const isAll = rows === 'all';
    const n = isAll ? B * T : B;
    const input = this.inputOver(n);
    const form = bitForwardForm(input, await tune(this.batch.gpu));
    const read = bitForward(input, bitRowsOf(this.batch, features, rows), form, 'none', false);
    await list.add(read.kernel, { bits: obs, theta, Y: this.input }, read.dims, read.groups);
    const blocks = isAll ? segmentBlocks(this.shape, T) : [playedBlock(this.shape, rows.slot, T)];
    for (const [k, block] of blocks.entries()) await this.block(list, theta, block, { k, isAll });
    const { bench } = this.arrays;
    const pass: Pass = { list, b: bench, theta, level: this.arrays.level(n, B * T) };
    await linear(pass, { weight: 'out', bias: 'outbias' }, this.answer, out);
  }

  async addBackward(list: CommandList, theta: Buffer, dOut: Buffer): Promise<void> {
    const { S, B, T, obs, partials, gradient } = this.batch;
    const { features, summary, width: D } = this.shape;
    const { bench, dKept } = this.arrays;
    await addGradientStart(list, bench);
    const pass: Pass = { list, b: bench, theta, level: this.arrays.level(B * T) };
    // the stream after the last layer gives way to its gradient
    const head = { weight: 'out', bias: 'outbias' };
    await linearBackward(pass, head, { X: this.answer, dY: dOut, dX: this.answer });
    const blocks = segmentBlocks(this.shape, T);
    const kept = S * B * (blocks.length - 1) * summary * 2 * D;
    if (kept > 0) for (const buffer of dKept) await this.clear(list, buffer, kept);
    for (let k = blocks.length - 1; k >= 0; k--) await this.blockBackward(list, theta, blocks[k]!, k);
    const input = this.inputOver(B * T);
    const form = bitGradientForm(input, await tune(this.batch.gpu));
    const first = bitGradient(input, bitRowsOf(this.batch, features, 'all'), form, bench.slices);
    await list.add(first.kernel, { bits: obs, dY: this.input, partials }, first.dims, first.groups);
    await addGradientEnd(list, bench, gradient);
  }

  /** A block from its inputs to the stream after the last layer at its steps, and what later ones need. */
  private async block(
    list: CommandList,
    theta: Buffer,
    block: Block,
    { k, isAll }: { readonly k: number; readonly isAll: boolean },
  ): Promise<void> {
    const { heads, summary: S, segment: L, width: D } = this.shape;
    const { prefix, steps, own, t, isLast } = block;
    const { bench, kept, summaries, segments } = this.arrays;
    const arrays = segments[k]!;
    const [X, Y] = [arrays.X[0]!, arrays.X.at(-1)!];
    if (prefix > 0) {
      const from = this.ofSteps(summaries, isLast ? 0 : t - L);
      await this.copy(list, S * D, from, this.ofBlock(X, block, 0), isLast);
    }
    await this.copy(list, steps * D, this.ofInput(this.input, block, isAll), this.ofBlock(X, block, prefix));
    if (own > 0) {
      const words = { buffer: theta, replica: this.layout.size, row: 0, at: bench.at['summary']! };
      await this.copy(list, S * D, words, this.ofBlock(X, block, prefix + steps));
    }
    const pass: Pass = { list, b: bench, theta, level: this.arrays.levelOf(block) };
    for (const [l, m] of arrays.layers.entries())
      await addStepLayer(pass, { m, l }, { X: arrays.X[l]!, out: arrays.X[l + 1]! }, () => {
        const buffers = { length: this.batch.length, QKV: m.QKV, theta, kept: kept[l]!, O: m.O, soft: m.soft };
        return list.add(this.attention.forward, buffers, this.dims(block, l), this.groups(pass.level.max * heads));
      });
    await this.copy(list, steps * D, this.ofBlock(Y, block, prefix), this.ofInput(this.answer, block, isAll));
    if (own === 0) return;
    const to = this.ofSteps(summaries, Math.floor(t / L) * L);
    await this.copy(list, S * D, this.ofBlock(Y, block, prefix + steps), to);
  }

  /** From ∂ of the answers of a segment, and of its summary as the next one left it, to ∂ of its inputs. */
  private async blockBackward(list: CommandList, theta: Buffer, block: Block, k: number): Promise<void> {
    const { summary: S, width: D } = this.shape;
    const { B } = this.batch;
    const { prefix, steps, own } = block;
    const { bench, dSummary, segments } = this.arrays;
    const { X, layers } = segments[k]!;
    const { dX } = bench;
    const pass: Pass<StepBench> = { list, b: bench, theta, level: this.arrays.levelOf(block) };
    const summary = { buffer: dSummary, replica: B * S * D, row: S * D, at: 0 };
    if (prefix > 0) await this.clear(list, dX, this.batch.S * pass.level.max * D);
    const dSteps = this.ofBlock(dX, block, prefix);
    await this.copy(list, steps * D, this.ofInput(this.answer, block, true), dSteps);
    if (own > 0) await this.copy(list, S * D, summary, this.ofBlock(dX, block, prefix + steps));
    for (const [l, m] of [...layers.entries()].reverse())
      await addStepLayerBackward(pass, { m, l, X: X[l]! }, () => this.attendBack(pass, block, l, m));
    await this.copy(list, steps * D, dSteps, this.ofInput(this.input, block, true));
    if (prefix > 0) await this.copy(list, S * D, this.ofBlock(dX, block, 0), summary);
    // of all tokens of a trajectory those of its own summary, as one row
    const ofOwn = { width: tokensOfBlock(block) * D, first: (prefix + steps) * D, D: S * D };
    if (own > 0) await this.columns({ ...pass, level: this.arrays.level(B) }, dX, ofOwn, 'summary');
  }

  /** From ∂O in dA to ∂ of queries, keys and values, and of the biases of the distances. */
  private async attendBack(pass: Pass<StepBench>, block: Block, l: number, m: StepLayer): Promise<void> {
    const { list, theta, level, b } = pass;
    const { heads, width, segment: L, summary: S, keep } = this.shape;
    const { dS, kept, dKept } = this.arrays;
    const dots = { which: level.which, maxQueries: level.max, heads, width: width / heads };
    await perNumber(pass, kernels.attentionDots, heads, { O: m.O, dO: b.dA, soft: m.soft }, dots);
    const known = { QKV: m.QKV, theta, kept: kept[l]!, soft: m.soft, dO: b.dA, dQKV: b.dQKV };
    const dims = this.dims(block, l);
    await list.add(this.attention.query, { ...known, dS }, dims, this.groups(level.max * heads));
    // summaries of earlier segments than the one that the block begins with
    const others = Math.max(0, Math.min(block.t / L, keep) - 1) * S;
    const keys = this.groups(this.batch.B * (tokensOfBlock(block) + others) * heads);
    await list.add(this.attention.key, { ...known, dKept: dKept[l]! }, dims, keys);
    await this.columns(pass, dS, { width: heads * distancesOf(this.shape) }, `rel.${l}`);
  }

  private dims({ prefix, steps, own, t, isLast }: Block, l: number): Record<string, number> {
    const { B, T } = this.batch;
    const { segment, summary, keep, heads } = this.shape;
    return {
      ...{
        B,
        T,
        tokens: prefix + steps + own,
        prefix,
        steps,
        t,
        isLast: Number(isLast),
        segment,
        summary,
        keep,
        heads,
      },
      ...{ size: this.layout.size, relAt: this.arrays.bench.at[`rel.${l}`]!, distances: distancesOf(this.shape) },
    };
  }

  /** Sums over rows of columns of dY, all by default, to the gradient of a tensor. */
  private columns(
    { list, b, level }: Pass,
    dY: Buffer,
    { width, first = 0, D = width }: { readonly width: number; readonly first?: number; readonly D?: number },
    name: string,
  ): Promise<void> {
    const { S, stride, slices, rows, partials } = b;
    const of = {
      ...live(level),
      stride,
      width,
      first,
      D,
      slices,
      size: this.layout.size,
      biasAt: b.at[name]!,
      sign: 1,
    };
    return list.add(kernels.columnGradient, { rows, dY, partials }, of, [Math.ceil(D / 64), slices, S]);
  }

  private copy(list: CommandList, width: number, from: Runs, to: Runs, byLength = false): Promise<void> {
    const { B, length } = this.batch;
    const { segment, width: D } = this.shape;
    const dims = {
      ...{ B, width, xReplica: from.replica, xRow: from.row, xAt: from.at },
      ...{ yReplica: to.replica, yRow: to.row, yAt: to.at },
      ...{ segment: byLength ? segment : 0, step: segment * D },
    };
    return list.add(COPY, { length, X: from.buffer, Y: to.buffer }, dims, this.groups(B * width));
  }

  private clear(list: CommandList, x: Buffer, count: number): Promise<void> {
    return list.add(kernels.fill, { x }, { count, value: 0 }, [Math.ceil(count / 64)]);
  }

  /** Tokens of every block from this one on. */
  private ofBlock(buffer: Buffer, block: Block, token: number): Runs {
    const { width: D } = this.shape;
    const tokens = tokensOfBlock(block);
    return { buffer, replica: this.batch.B * tokens * D, row: tokens * D, at: token * D };
  }

  /** Entries [S, B, T, D] of every episode from this step on. */
  private ofSteps(buffer: Buffer, t: number): Runs {
    const { width: D } = this.shape;
    const { B, T } = this.batch;
    return { buffer, replica: B * T * D, row: T * D, at: t * D };
  }

  /** The same of a block, among all steps or those of a single slot. */
  private ofInput(buffer: Buffer, { t }: Block, isAll: boolean): Runs {
    const all = this.ofSteps(buffer, isAll ? t : 0);
    return isAll ? all : { ...all, row: this.shape.width };
  }

  private inputOver(rows: number): Layer {
    const { S, B, T } = this.batch;
    const { at } = this.arrays.bench;
    const { features, width } = this.shape;
    return { ...linearOf(features, width, at['in']!, at['inbias']!), S, rows, maxRows: B * T, size: this.layout.size };
  }

  private groups(invocations: number): readonly [number, number, number] {
    return [Math.ceil(invocations / 64), 1, this.batch.S];
  }
}

export const memoOnGpu: Recording<MemoShape> = { answers: (policy, batch) => new MemoOnGpu(policy, batch) };
