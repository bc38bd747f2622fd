import { CommandList, whole, type Slice } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import type { Column, CreditOps } from '../../methods/types.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

const MODES = { std: 0, mean: 1, leaveOneOut: 2 } as const;
const CUTS = { zero: 0, bootstrap: 1, egae: 2 } as const;

/**
 * The operations of estimators as dispatches on the run's buffers. Every operation makes one new column; nothing is
 * read back. Dispatches are added in call order by `flush`, because adding a kernel may wait for its compilation.
 */
export class GpuCreditOps implements CreditOps {
  readonly outcome: Column;
  readonly reward: Column;
  readonly value: Column;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly waiting: ((list: CommandList) => Promise<void>)[] = [];

  constructor(plan: Plan, buffers: RunBuffers) {
    this.plan = plan;
    this.b = buffers;
    this.outcome = { per: 'trajectory', handle: buffers.outcome };
    this.reward = { per: 'step', handle: buffers.reward };
    this.value = { per: 'step', handle: buffers.sampledPart(2) };
  }

  private make(per: Column['per']): Column {
    const { S, B, T } = this.plan;
    const buffer = this.b.gpu.buffer('credit', per === 'step' ? S * B * T : S * B, 0x80 | 0x04 | 0x08);
    this.b.all.push(buffer);
    return { per, handle: whole(buffer) };
  }
  private slice(column: Column): Slice {
    return column.handle as Slice;
  }
  private cols(column: Column): number {
    return column.per === 'step' ? this.plan.T : 1;
  }
  private add(
    kernel: Kernel,
    buffers: Record<string, GPUBuffer | Slice>,
    dims: Record<string, number>,
    groups: [number, number?, number?],
  ): void {
    this.waiting.push((list) => list.add(kernel, buffers, dims, groups));
  }
  async flush(list: CommandList): Promise<void> {
    for (const next of this.waiting) await next(list);
    this.waiting.length = 0;
  }

  returnsToGo(x: Column, gamma: number): Column {
    return this.scan(x, gamma);
  }
  private scan(x: Column, a: number): Column {
    const { S, B, T } = this.plan;
    const y = this.make('step');
    this.add(
      kernels.reverseScan,
      { b: this.slice(x), length: this.b.length, x: this.slice(y) },
      { rows: S * B, cols: T, a },
      [Math.ceil((S * B) / 64)],
    );
    return y;
  }

  gae(gamma: number, lambda: number, cut: 'zero' | 'bootstrap' | 'egae'): { adv: Column; target: Column } {
    const { S, B, T } = this.plan;
    const { shape } = denseOf(this.plan);
    const d = this.make('step');
    this.add(
      kernels.tdError,
      {
        r: this.b.reward,
        V: this.b.sampledPart(2),
        last: this.b.out,
        ending: this.b.ending,
        length: this.b.length,
        d: this.slice(d),
      },
      { rows: S * B, cols: T, B, maxRows: B * T, n: outputs(shape), gamma, cut: CUTS[cut] },
      [Math.ceil((S * B * T) / 64)],
    );
    const adv = this.scan(d, gamma * lambda);
    return { adv, target: this.combine(1, adv, 1, this.value) };
  }

  normalize(x: Column, over: 'task' | 'batch', mode: 'std' | 'mean' | 'leaveOneOut'): Column {
    const { S, B, P } = this.plan;
    const cols = this.cols(x);
    const segments = over === 'batch' ? 1 : P;
    const stats = this.b.gpu.buffer('credit', S * segments * 4, 0x80);
    this.b.all.push(stats);
    const { length, taskIndex } = this.b;
    this.add(kernels.segmentStats, { x: this.slice(x), length, taskIndex, stats }, { B, cols, segments }, [
      segments,
      1,
      S,
    ]);
    const y = this.make(x.per);
    this.add(
      kernels.normalizeBy,
      { x: this.slice(x), length, taskIndex, stats, y: this.slice(y) },
      { B, cols, segments, mode: MODES[mode] },
      [Math.ceil((B * cols) / 64), 1, S],
    );
    return y;
  }

  normalizeAnchor(x: Column, mode: 'std' | 'mean'): Column {
    const { S, B, T } = this.plan;
    const { head, length, taskIndex } = this.b;
    const y = this.make('step');
    const buffers = { x: this.slice(x), head, length, taskIndex, y: this.slice(y) };
    this.add(kernels.normalizeAnchor, buffers, { B, T, mode: MODES[mode] }, [Math.ceil((B * T) / 64), 1, S]);
    return y;
  }

  broadcast(x: Column): Column {
    return this.combine(1, x, 0, x);
  }

  combine(a: number, x: Column, b: number, y: Column): Column {
    const z = this.make('step');
    this.combineInto(a, x, b, y, this.slice(z));
    return z;
  }
  /** Writes a·x + b·y into a section the run already has. */
  combineInto(a: number, x: Column, b: number, y: Column, z: Slice): void {
    const { S, B, T } = this.plan;
    this.add(
      kernels.combine,
      { x: this.slice(x), y: this.slice(y), length: this.b.length, z },
      { rows: S * B, cols: T, xCols: this.cols(x), yCols: this.cols(y), a, b },
      [Math.ceil((S * B * T) / 64)],
    );
  }
}
