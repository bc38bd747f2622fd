import { slicesOf } from '../../core/slices.ts';
import { bitForward, bitForwardForm, bitGradient, bitGradientForm, bitRowsOf } from '../../gpu/bitProducts.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import { listedRows } from '../../gpu/listedRows.ts';
import type { Buffer, GpuNetwork, NetworkBatch, RowList, Rows } from '../../gpu/network.ts';
import { isList, isSlot, listOf, overRows, type Layer, type Over } from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { tune } from '../../gpu/tune.ts';
import { linear as linearOf } from '../dense/linear.ts';
import type { Layout } from '../layout.ts';
import { addStepLayer, passOver, type StepBench, type Way } from '../transformer/stepLayers.ts';
import { addGradientEnd, addGradientStart, linear, linearBackward, type Pass } from '../transformer/tokenOps.ts';
import type { Recording, Sized } from '../types.ts';
import { MemoArrays, playedBlock, segmentBlocks, tokensOfBlock, type Block } from './blocks.ts';
import copyRuns from './copyRuns.wgsl?raw';
import everyTrajectory from './everyTrajectory.wgsl?raw';
import attention from './memoAttention.wgsl?raw';
import reads from './memoReads.wgsl?raw';
import { distancesOf, type MemoShape } from './shape.ts';

/** What a block has places for: all trajectories, or those of a list. */
const placesIn = async ({ rows }: Way): Promise<string> =>
  isList(rows) ? (await import('./listed.ts')).listedTrajectories : everyTrajectory;

/** What has a row of an array: each place of a block, each trajectory, or the steps of each. */
const BY = { place: 0, trajectory: 1, step: 2 } as const;

/** Where runs of numbers begin: floats from one replica to the next, from one row to the next, and before the first. */
type Runs = {
  readonly buffer: Buffer;
  readonly replica: number;
  readonly row: number;
  readonly at: number;
  readonly by: keyof typeof BY;
  /** not there but at the last whole segment of each */
  readonly byLength?: boolean;
};

/**
 * The network of memoNetwork.ts as dispatches. The steps of a segment and the summaries around them go through the layers as one
 * block, segments one after the other, since each begins with the summary of the one before; on the way back from the last one
 * to the first. While an episode is played a block is one step, with a summary before or after it where a segment ends. Keys
 * and values that later blocks read are kept. Over a list of live steps a block has a place for every trajectory with steps there.
 */
export class MemoOnGpu implements GpuNetwork {
  readonly lists = listedRows;
  readonly memory: readonly { readonly buffer: GPUBuffer; readonly width: number }[];
  readonly shape: MemoShape;
  private readonly layout: Layout;
  readonly batch: NetworkBatch;
  readonly arrays: MemoArrays;
  /** [S, B·T, D] of single steps: products of the input, and the stream after the last layer; on the way back their gradients */
  readonly input: GPUBuffer;
  readonly answer: GPUBuffer;

  constructor({ shape, layout }: Sized<MemoShape>, batch: NetworkBatch) {
    const { S, B, T, make } = batch;
    const { width: D } = shape;
    this.shape = shape;
    this.layout = layout;
    this.batch = batch;
    this.arrays = new MemoArrays({ shape, layout }, batch, slicesOf(B * T, layout.size));
    this.input = make(S * B * T * D);
    this.answer = make(S * B * T * D);
    const { kept, summaries } = this.arrays;
    this.memory = [...kept.map((buffer) => ({ buffer, width: 4 * D })), { buffer: summaries, width: D }];
  }

  async addForward(list: CommandList, theta: Buffer, out: Buffer, rows: Rows | RowList): Promise<void> {
    const { T, obs } = this.batch;
    const { shape } = this;
    const way = { list, theta, rows };
    if (isList(rows)) await (await import('./listed.ts')).addSegments(list, this.batch, shape, rows, this.arrays.live);
    const input = this.inputOver(overRows(this.batch, rows));
    const form = bitForwardForm(input, await tune(this.batch.gpu));
    const read = bitForward(input, bitRowsOf(this.batch, shape.features, rows), form, 'none', false);
    await list.add(read.kernel, { ...listOf(rows), bits: obs, theta, Y: this.input }, read.dims, read.groups);
    const blocks = isSlot(rows) ? [playedBlock(shape, rows.slot, T)] : segmentBlocks(shape, T);
    for (const [k, block] of blocks.entries()) await this.block(way, block, k);
    const pass = passOver(this.arrays.bench, this.batch, way);
    await linear(pass, { weight: 'out', bias: 'outbias' }, this.answer, out);
  }

  async addBackward(list: CommandList, theta: Buffer, dOut: Buffer, rows: RowList | 'all' = 'all'): Promise<void> {
    const { S, B, obs, partials } = this.batch;
    const { shape } = this;
    const { features, summary, width: D } = shape;
    const { bench, dKept, dSummary } = this.arrays;
    const way = { list, theta, rows };
    const pass = passOver(bench, this.batch, way);
    await addGradientStart(list, pass.b);
    // the stream after the last layer gives way to its gradient
    const head = { weight: 'out', bias: 'outbias' };
    await linearBackward(pass, head, { X: this.answer, dY: dOut, dX: this.answer });
    const blocks = segmentBlocks(shape, this.batch.T);
    const kept = S * B * (blocks.length - 1) * summary * 2 * D;
    // nobody reads the summary of the last segment of a trajectory
    if (kept > 0) await this.clear(list, dSummary, S * B * summary * D);
    if (kept > 0) for (const buffer of dKept) await this.clear(list, buffer, kept);
    const { addBlockBackward } = await import('./memoBack.ts');
    for (let k = blocks.length - 1; k >= 0; k--) await addBlockBackward(this, way, blocks[k]!, k);
    const input = this.inputOver(overRows(this.batch, rows));
    const form = bitGradientForm(input, await tune(this.batch.gpu));
    const first = bitGradient(input, bitRowsOf(this.batch, features, rows), form, pass.b.slices);
    await list.add(first.kernel, { ...listOf(rows), bits: obs, dY: this.input, partials }, first.dims, first.groups);
    await addGradientEnd(list, pass.b, this.batch);
  }

  /** A block from its inputs to the stream after the last layer at its steps, and what later ones need. */
  private async block(way: Way, block: Block, k: number): Promise<void> {
    const { heads, summary: S, segment: L } = this.shape;
    const { prefix, steps, own, t, isLast } = block;
    const { bench, kept, summaries, segments } = this.arrays;
    const { list, theta } = way;
    const arrays = segments[k]!;
    const [X, Y] = [arrays.X[0]!, arrays.X.at(-1)!];
    if (prefix > 0) {
      const from = { ...this.ofSummaries(summaries, isLast ? 0 : t - L), byLength: isLast };
      await this.copy(way, block, S, from, this.ofBlock(X, block, 0));
    }
    await this.copy(way, block, steps, this.ofSteps(this.input, block, way), this.ofBlock(X, block, prefix));
    if (own > 0) {
      const words = {
        buffer: theta,
        replica: this.layout.size,
        row: 0,
        at: bench.at['summary']!,
        by: 'place',
      } as const;
      await this.copy(way, block, S, words, this.ofBlock(X, block, prefix + steps));
    }
    const pass = this.passOf(way, block);
    const forward = await this.attention(way, 'memoAttention', attention);
    const groups = this.groups(pass.level.most! * heads);
    for (const [l, m] of arrays.layers.entries())
      await addStepLayer(pass, { m, l }, { X: arrays.X[l]!, out: arrays.X[l + 1]! }, () => {
        const buffers = { length: this.batch.length, QKV: m.QKV, theta, kept: kept[l]!, O: m.O, soft: m.soft };
        return list.add(forward, { ...this.placesOf(way), ...buffers }, this.dims(block, l), groups);
      });
    await this.copy(way, block, steps, this.ofBlock(Y, block, prefix), this.ofSteps(this.answer, block, way));
    if (own === 0) return;
    const to = this.ofSummaries(summaries, Math.floor(t / L) * L);
    await this.copy(way, block, S, this.ofBlock(Y, block, prefix + steps), to);
  }

  dims({ prefix, steps, own, t, isLast }: Block, l: number): Record<string, number> {
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

  /** So many entries of D numbers of every trajectory that has a place in the block. */
  async copy(way: Way, { t }: Block, entries: number, from: Runs, to: Runs): Promise<void> {
    const { B, T, length } = this.batch;
    const { segment, width: D } = this.shape;
    const width = entries * D;
    const dims = {
      ...{ B, T, t, segment, D, width, byLength: Number(from.byLength ?? false) },
      ...{ xReplica: from.replica, xRow: from.row, xAt: from.at, xBy: BY[from.by] },
      ...{ yReplica: to.replica, yRow: to.row, yAt: to.at, yBy: BY[to.by] },
    };
    const buffers = { ...this.placesOf(way), length, X: from.buffer, Y: to.buffer };
    const kernel = { id: 'copyRuns', wgsl: copyRuns, link: [await placesIn(way)] };
    await way.list.add(kernel, buffers, dims, this.groups(this.trajectories(way) * width));
  }

  clear(list: CommandList, x: Buffer, count: number): Promise<void> {
    return list.add(kernels.fill, { x }, { count, value: 0 }, [Math.ceil(count / 64)]);
  }

  /** A kernel of the attention, for heads of this width. */
  async attention(way: Way, id: string, wgsl: string): Promise<Kernel> {
    const { width, heads } = this.shape;
    return { id, wgsl, link: [`const WIDTH = ${width / heads}u;`, reads, await placesIn(way)] };
  }
  /** What kernels that know of places are bound to besides. */
  placesOf({ rows }: Way): { readonly live?: Buffer } {
    return isList(rows) ? { live: this.arrays.live } : {};
  }
  /** Most trajectories that can have a place in a block. */
  trajectories({ rows }: Way): number {
    const { B, T } = this.batch;
    return isList(rows) ? rows.most / T : B;
  }

  /** A pass over the tokens of a block, or with each so many of them as one row. */
  passOf(way: Way, block: Block, tokens = tokensOfBlock(block)): Pass<StepBench> {
    const { list, theta, rows } = way;
    const { bench, live, liveWords: stride } = this.arrays;
    const { B, T } = this.batch;
    const { segment: L } = this.shape;
    const [max, most] = [B * tokens, this.trajectories(way) * tokens];
    if (!isList(rows)) return { list, b: bench, theta, level: { which: bench.counts.indexOf(most), max, most } };
    // numbers of trajectories, then of their tokens
    const which = block.t / L + (tokens === 1 ? 0 : Math.ceil(T / L));
    const slices = slicesOf(rows.most, this.layout.size);
    return { list, b: { ...bench, rows: live, stride, slices }, theta, level: { which, max, most } };
  }

  /** Tokens of every block from this one on. */
  ofBlock(buffer: Buffer, block: Block, token: number): Runs {
    const { width: D } = this.shape;
    const tokens = tokensOfBlock(block);
    return { buffer, replica: this.batch.B * tokens * D, row: tokens * D, at: token * D, by: 'place' };
  }

  /** Entries [S, B, T, D] of every trajectory from entry t on. */
  private ofSummaries(buffer: Buffer, t: number): Runs {
    const { width: D } = this.shape;
    const { B, T } = this.batch;
    return { buffer, replica: B * T * D, row: T * D, at: t * D, by: 'trajectory' };
  }

  /** The steps of a block among those of all or of a list, or of a single slot. */
  ofSteps(buffer: Buffer, { t }: Block, { rows }: Way): Runs {
    const all = this.ofSummaries(buffer, t);
    return isSlot(rows) ? { ...all, at: 0, row: this.shape.width } : { ...all, by: 'step' };
  }

  private inputOver(over: Over): Layer {
    const { at } = this.arrays.bench;
    const { features, width } = this.shape;
    return { ...linearOf(features, width, at['in']!, at['inbias']!), ...over, size: this.layout.size };
  }

  groups(invocations: number): readonly [number, number, number] {
    return [Math.ceil(invocations / 64), 1, this.batch.S];
  }
}

export const memoOnGpu: Recording<MemoShape> = { answers: (policy, batch) => new MemoOnGpu(policy, batch) };
