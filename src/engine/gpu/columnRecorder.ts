import type { News } from '../../contract/tags.ts';
import { CommandList, whole, type Slice } from '../../gpu/recorder.ts';
import { segmentStatsCall } from '../../gpu/segments.ts';
import { addInOrder, type Given } from '../../gpu/together.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { sumCalls } from '../../gpu/sums.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import type { Column, Rows } from '../../slots/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** So many segments of rows, by a number of each row; their rows lie in blocks of so many rows. */
export type Segments = { readonly count: number; readonly of: GPUBuffer | Slice; readonly block: number };

/** A dispatch whose kernel may have to be loaded. */
type Asked = Omit<Given, 'kernel'> & { readonly kernel: Kernel | (() => Promise<Kernel>) };

/**
 * New columns on the run's buffers and the dispatches that fill them, added by `flush`, because adding a kernel may wait for
 * its compilation, in call order or where that changes nothing side by side; and statistics of columns, which several operations
 * share.
 */
export class ColumnRecorder {
  protected readonly plan: Plan;
  protected readonly b: RunBuffers;
  protected readonly block: number;
  private readonly waiting: (Asked | ((list: CommandList) => Promise<void>))[] = [];
  /** what dispatches are bound to, where a column may end up elsewhere than it was made */
  private readonly bound: Record<string, GPUBuffer | Slice>[] = [];
  /** columns of steps with zeros on padding, which nothing else holds */
  private readonly filled = new Set<Slice>();

  /** `block`: the rows of a task lie in one block of this many rows. */
  constructor(plan: Plan, buffers: RunBuffers, block: number) {
    this.plan = plan;
    this.b = buffers;
    this.block = block;
  }

  protected make(per: Column['per']): Column {
    const { S, B, T } = this.plan;
    return { per, handle: whole(this.scratch(per === 'step' ? S * B * T : S * B)) };
  }
  protected scratch(floats: number): GPUBuffer {
    const buffer = this.b.gpu.buffer('credit', floats, 0x80 | 0x04 | 0x08);
    this.b.all.push(buffer);
    return buffer;
  }
  /** Numbers that the CPU knows, on the device before anything that is added later runs. */
  protected given(values: Float32Array): GPUBuffer {
    const buffer = this.scratch(values.length);
    this.later(async () => this.b.gpu.device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>));
    return buffer;
  }
  /** Dispatches that are known once their code is there. */
  protected later(next: (list: CommandList) => Promise<void>): void {
    this.waiting.push(next);
  }
  protected slice(column: Column): Slice {
    return column.handle as Slice;
  }
  protected cols(column: Column): number {
    return column.per === 'step' ? this.plan.T : 1;
  }
  /** `kernel`: or what loads it, where few runs have it */
  protected add(
    kernel: Kernel | (() => Promise<Kernel>),
    buffers: Record<string, GPUBuffer | Slice>,
    dims: Readonly<Record<string, number>>,
    [x, y = 1, z = 1]: readonly [number, number?, number?],
  ): void {
    this.bound.push(buffers);
    this.waiting.push({ kernel, buffers, dims, groups: [x, y, z] });
  }
  async flush(list: CommandList): Promise<void> {
    const calls: Given[] = [];
    for (const next of this.waiting.splice(0)) {
      if (typeof next === 'function') {
        await addInOrder(list, calls.splice(0));
        await next(list);
        continue;
      }
      const { kernel } = next;
      calls.push({ ...next, kernel: typeof kernel === 'function' ? await kernel() : kernel });
    }
    await addInOrder(list, calls);
  }
  /** x, which a dispatch fills to the end of every row. */
  protected fill(x: Column): Slice {
    const slice = this.slice(x);
    if (x.per === 'step') this.filled.add(slice);
    return slice;
  }
  /**
   * Lets a column be made in a section `z` that the run has, in place of a copy at the end; false where it must be copied. `kept`
   * are read later. No dispatch may read and write one buffer.
   */
  protected moveTo(x: Column, z: Slice, kept: readonly Column[]): boolean {
    const from = this.slice(x);
    const readers = this.bound.filter((buffers) => Object.values(buffers).includes(from));
    const meets = readers.some((buffers) =>
      Object.values(buffers).some((one) => 'buffer' in one && one.buffer === z.buffer),
    );
    if (!this.filled.has(from) || meets || kept.some(({ handle }) => handle === from)) return false;
    for (const buffers of readers)
      for (const [name, one] of Object.entries(buffers)) if (one === from) buffers[name] = z;
    return true;
  }

  /** 1 where a step was what its tag says; `of`: where the signals are. */
  protected earned(news: News, of: (name: 'tag' | 'did' | 'invalid' | 'novel') => Slice): Column {
    const { S, B, T } = this.plan;
    const { length, ending } = this.b.columns;
    const y = this.make('step');
    const read = { tag: of('tag'), did: of('did'), invalid: of('invalid'), novel: of('novel') };
    const load = async () => (await import('../../gpu/shaders/signalKernels.ts')).earnedTags;
    const dims = { rows: S * B, cols: T, byAction: news === 'action' ? 1 : 0 };
    this.add(load, { ...read, length, ending, y: this.slice(y) }, dims, [Math.ceil((S * B * T) / 64)]);
    return y;
  }

  /** What the end of a trajectory says, by a number; see rewardEnd. */
  protected endOf(x: Column, ahead: number): Column {
    const y = this.make('trajectory');
    this.op(kernels.rewardEnd, x, y, { ahead });
    return y;
  }

  /** An operation over rows and their ends. */
  protected op(kernel: Kernel, x: Column, y: Column, dims: Record<string, number> = {}, total?: GPUBuffer): void {
    const { S, B, T } = this.plan;
    const { length, ending } = this.b.columns;
    const isRow = [kernels.rewardEnd, kernels.rewardMean, kernels.rewardPay].includes(kernel as never);
    this.add(
      kernel,
      { x: this.slice(x), length, ending, y: this.slice(y), total: total ?? this.scratch(1) },
      { rows: S * B, cols: T, ahead: 0, keeps: 0, ...dims },
      [Math.ceil((isRow ? S * B : S * B * T) / 64)],
    );
  }

  /** Adds what joins rows in two stages. */
  protected summed(kernel: Kernel, buffers: Record<string, GPUBuffer | Slice>, dims: { B: number }): void {
    const { parts } = this.b;
    for (const call of sumCalls(kernel, this.plan.S, dims)) {
      this.add(call.kernel, { ...buffers, parts }, call.dims, call.groups);
    }
  }

  /** Count, mean and std of x over the whole batch, or with `range` count, least and width. */
  protected wholeStats(x: Column, range: 0 | 1, rows: Rows): GPUBuffer {
    const stats = this.scratch(4 * this.plan.S);
    const dims = { B: this.plan.B, cols: this.cols(x), range, weighted: weightedBy(x, rows) };
    this.summed(kernels.wholeStats, { x: this.slice(x), length: this.b.columns.length, stats }, dims);
    return stats;
  }

  /** Count, mean and std of x over each segment. */
  protected segmentStats(x: Column, { count, of, block }: Segments, rows: Rows): GPUBuffer {
    const { S, B } = this.plan;
    const stats = this.scratch(4 * S * count);
    const { kernel, dims, groups } = segmentStatsCall(S, B, this.cols(x), count, block);
    const buffers = { x: this.slice(x), length: this.b.columns.length, taskIndex: of, stats };
    this.add(kernel, buffers, { ...dims, weighted: weightedBy(x, rows) }, groups);
    return stats;
  }

  protected bySegments(x: Column, segments: Segments, mode: number, rows: Rows): Column {
    return this.applied(x, this.segmentStats(x, segments, rows), segments.count, segments.of, mode);
  }

  /** The task groups of each replica. */
  protected get tasks(): Segments {
    return { count: this.plan.P, of: this.b.columns.taskIndex, block: this.block };
  }

  /** x by the statistics of the segments that its rows are in. */
  protected applied(x: Column, stats: GPUBuffer, segments: number, of: GPUBuffer | Slice, mode: number): Column {
    const { S, B } = this.plan;
    const cols = this.cols(x);
    const y = this.make(x.per);
    const buffers = { x: this.slice(x), length: this.b.columns.length, taskIndex: of, stats, y: this.fill(y) };
    this.add(kernels.normalizeBy, buffers, { B, cols, segments, mode }, [Math.ceil((B * cols) / 64), 1, S]);
    return y;
  }

  /** One invocation per step of every replica. */
  protected perStep(kernel: Kernel, buffers: Record<string, GPUBuffer | Slice>, dims: Record<string, number>): void {
    const { S, B, T } = this.plan;
    this.add(kernel, buffers, dims, [Math.ceil((B * T) / 64), 1, S]);
  }
}

/** 1 where each number of x stands for all steps of its trajectory. */
const weightedBy = (x: Column, rows: Rows): number => (rows === 'steps' && x.per === 'trajectory' ? 1 : 0);
