import { CommandList, whole, type Slice } from '../../gpu/recorder.ts';
import { scanCalls, scanScratch } from '../../gpu/scan.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import { assert } from '../../core/assert.ts';
import type { Column, CompareMode, CreditOps, SetRule, Sets } from '../../methods/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

const MODES: Readonly<Record<CompareMode, number>> = {
  std: 0,
  mean: 1,
  leaveOneOut: 2,
  leaveOneOutStd: 3,
  comparable: 4,
};
const SET_MODES = { std: 0, mean: 1, comparable: 2 } as const;
const CUTS = { zero: 0, bootstrap: 1, egae: 2 } as const;

/** Arrays that only some estimators need: [S, B, T] log π_φ, [S, B] return of the greedy episode of the task. */
export type ExtraColumns = { readonly logpPhi?: Slice; readonly greedy?: Slice };

/**
 * The operations of estimators as dispatches on the run's buffers. Every operation makes one new column; nothing is
 * read back. Dispatches are added in call order by `flush`, because adding a kernel may wait for its compilation.
 */
export class GpuCreditOps implements CreditOps {
  readonly outcome: Column;
  readonly reward: Column;
  readonly value: Column;
  readonly logp: Column;
  private readonly extra: ExtraColumns;
  private readonly known = new Map<string, Sets>();
  private readonly plan: Plan;
  private readonly block: number;
  private readonly b: RunBuffers;
  private readonly waiting: ((list: CommandList) => Promise<void>)[] = [];

  /** `block`: the rows of a task lie in one block of so many rows. */
  constructor(plan: Plan, buffers: RunBuffers, extra: ExtraColumns = {}, block = plan.G) {
    this.plan = plan;
    this.block = block;
    this.extra = extra;
    this.b = buffers;
    this.outcome = { per: 'trajectory', handle: buffers.outcome };
    this.reward = { per: 'step', handle: buffers.reward };
    this.value = { per: 'step', handle: buffers.sampledPart(2) };
    this.logp = { per: 'step', handle: buffers.sampledPart(0) };
  }
  get logpPhi(): Column {
    return { per: 'step', handle: this.given('logpPhi') };
  }
  get greedy(): Column {
    return { per: 'trajectory', handle: this.given('greedy') };
  }
  private given(name: keyof ExtraColumns): Slice {
    const slice = this.extra[name];
    assert(slice !== undefined, `This run does not record ${name}.`);
    return slice!;
  }

  private make(per: Column['per']): Column {
    const { S, B, T } = this.plan;
    return { per, handle: whole(this.scratch(per === 'step' ? S * B * T : S * B)) };
  }
  private scratch(floats: number): GPUBuffer {
    const buffer = this.b.gpu.buffer('credit', floats, 0x80 | 0x04 | 0x08);
    this.b.all.push(buffer);
    return buffer;
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
    dims: Readonly<Record<string, number>>,
    groups: readonly [number, number?, number?],
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
    const floats = scanScratch(S, B, T);
    const tiles = floats > 0 ? { tiles: this.scratch(floats) } : {};
    for (const { kernel, dims, groups } of scanCalls(S, B, T, a)) {
      this.add(kernel, { b: this.slice(x), length: this.b.length, x: this.slice(y), ...tiles }, dims, groups);
    }
    return y;
  }

  gae(gamma: number, lambda: number, cut: 'zero' | 'bootstrap' | 'egae'): { adv: Column; target: Column } {
    const { S, B, T } = this.plan;
    const { buffer: last, rows: maxRows, n } = this.b.last;
    const d = this.make('step');
    this.add(
      kernels.tdError,
      {
        r: this.b.reward,
        V: this.b.sampledPart(2),
        last,
        ending: this.b.ending,
        length: this.b.length,
        d: this.slice(d),
      },
      { rows: S * B, cols: T, B, maxRows, n, gamma, cut: CUTS[cut] },
      [Math.ceil((S * B * T) / 64)],
    );
    const adv = this.scan(d, gamma * lambda);
    return { adv, target: this.combine(1, adv, 1, this.value) };
  }

  normalize(x: Column, over: 'task' | 'batch', mode: CompareMode): Column {
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

  sets(rule: SetRule): Sets {
    if (rule.of === 'state' && rule.past === 0) return { handle: whole(this.b.head) };
    const past = Math.min(rule.past, this.plan.T);
    const name = `${rule.of} ${past}`;
    const found = this.known.get(name);
    if (found) return found;
    const { B, T } = this.plan;
    const { head, action, key, finalKey, length, taskIndex } = this.b;
    const match = this.make('step');
    this.perStep(
      kernels.contextMatch,
      { head, action, key, finalKey, length, taskIndex, match_: this.slice(match) },
      { B, T, block: this.block, past, edge: rule.of === 'edge' ? 1 : 0 },
    );
    const sets = { handle: match.handle };
    this.known.set(name, sets);
    return sets;
  }

  normalizeSets(x: Column, sets: Sets, mode: keyof typeof SET_MODES, population = false): Column {
    const { S, B, T } = this.plan;
    const { length, taskIndex } = this.b;
    const head = sets.handle as Slice;
    const stats = this.b.gpu.buffer('credit', 2 * S * B * T, 0x80);
    this.b.all.push(stats);
    const dims = { B, T, mode: SET_MODES[mode] };
    this.perStep(
      kernels.setStats,
      { x: this.slice(x), head, length, taskIndex, stats },
      { ...dims, block: this.block, population: population ? 1 : 0 },
    );
    const y = this.make('step');
    this.perStep(kernels.normalizeAnchor, { x: this.slice(x), head, length, stats, y: this.slice(y) }, dims);
    return y;
  }

  meanOver(x: Column, sets: Sets, count: 'visit' | 'trajectory'): Column {
    const { B, T } = this.plan;
    return this.overSets(kernels.setMean, x, sets, { B, T, block: this.block, once: count === 'trajectory' ? 1 : 0 });
  }

  private overSets(kernel: Kernel, x: Column, sets: Sets, dims: Record<string, number>): Column {
    const { length, taskIndex } = this.b;
    const y = this.make('step');
    this.perStep(kernel, { x: this.slice(x), head: sets.handle as Slice, length, taskIndex, y: this.slice(y) }, dims);
    return y;
  }

  /** One invocation per step of every replica. */
  private perStep(kernel: Kernel, buffers: Record<string, GPUBuffer | Slice>, dims: Record<string, number>): void {
    const { S, B, T } = this.plan;
    this.add(kernel, buffers, dims, [Math.ceil((B * T) / 64), 1, S]);
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

  ratio(x: Column, y: Column): Column {
    const { S, B, T } = this.plan;
    const z = this.make('step');
    this.add(
      kernels.ratio,
      { x: this.slice(x), y: this.slice(y), length: this.b.length, z: this.slice(z) },
      { rows: S * B, cols: T },
      [Math.ceil((S * B * T) / 64)],
    );
    return z;
  }

  scaleByLargest(x: Column, floor: number): Column {
    const { S, B, T } = this.plan;
    const y = this.make('step');
    this.add(
      kernels.scaleByLargest,
      { x: this.slice(x), length: this.b.length, y: this.slice(y) },
      { B, T, floor_: floor },
      [1, 1, S],
    );
    return y;
  }

  threshold(x: Column, least: number): Column {
    const rows = this.plan.S * this.plan.B;
    const y = this.make('trajectory');
    this.add(kernels.threshold, { x: this.slice(x), y: this.slice(y) }, { rows, least }, [Math.ceil(rows / 64)]);
    return y;
  }
}
