import { columnNames, columnOf, isMade, shapeOf } from '../../contract/columns.ts';
import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList, whole, type Slice } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { RowsSeen } from '../../slots/rollout/types.ts';
import { sizesOf } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';
import { branchOf, checkCount, firstRows, placeTask, rowContext, sourceRows } from '../plannedRows.ts';
import { RESTS, within } from '../turns.ts';
import type { RunBuffers } from './buffers.ts';
import type { GivenRows } from './givenRows.ts';
import { playedRows } from './readBatch.ts';
import type { Sequence } from './tokenSequence.ts';
import { GpuTrees, growthOf, type GrowthOnGpu } from './trees.ts';
import type { GpuTurns } from './turns.ts';
import type { TaskUpload } from './uploadTasks.ts';
import { addWorld, settlesLate } from './worldList.ts';

const STORAGE = 0x80 | 0x04 | 0x08;
/** A child that is none: see forkRows.wgsl. */
const NO_FORK = 0xffffffff;

/** Before anything is played. */
const NO_LENGTHS = new Uint32Array(0);

/** A column of steps as words: numbers of an entry, entries of a row. */
type Steps = { readonly x: Slice; readonly width: number; readonly more: 0 | 1 };

export { growthOf };

/** Rewards that are settled once all rows were played are not those that a scheme would see between two phases. */
export function refuseForks(plan: Plan): void {
  if (settlesLate(plan) && plan.scheme?.needs?.includes('reward'))
    throw new Error('On WebGPU, nobody sees rewards between phases that are settled at the end of an episode.');
}

/**
 * Batches that are played in phases: the rollout runs once for every phase, over the rows that it adds. Between two phases
 * the columns that a scheme sees come back; a fork takes over its parent's prefix on the device. Rows of other phases rest.
 */
export class GpuPhases {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly given: GivenRows;
  private readonly turns: GpuTurns | null;
  /** see forkRows.wgsl */
  private readonly forks: GPUBuffer;
  private readonly begin: CommandList;
  /** settles the rewards of all rows; empty where they are settled when an episode is over */
  private readonly end: CommandList;
  private readonly spans: Uint32Array<ArrayBuffer>;
  /** null: between two phases the scheme decides on the CPU */
  private readonly trees: GpuTrees | null;

  constructor(
    gpu: Gpu,
    plan: Plan,
    b: RunBuffers,
    { given, turns, growth }: { given: GivenRows; turns: GpuTurns | null; growth: GrowthOnGpu | null },
  ) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.given = given;
    this.turns = turns;
    this.forks = gpu.buffer('tasks', 3 * this.most, STORAGE);
    b.all.push(this.forks);
    this.trees = growth && new GpuTrees(gpu, plan, b, growth, this.forks);
    this.begin = new CommandList(gpu, 'phase', b.all);
    this.end = new CommandList(gpu, 'phase', b.all);
    this.spans = Uint32Array.from({ length: 2 * plan.S * plan.B }, (_, k) => (k % 2 === 0 ? 0 : plan.T));
  }

  /** rows that may be forks */
  private get most(): number {
    return Math.max(1, this.plan.S * (this.plan.scheme!.spare ?? 0));
  }

  /** Records how rows of a later phase begin. */
  async record(): Promise<void> {
    const { plan, b, begin, forks, most: rows } = this;
    const { T } = plan;
    const dims = { rows, T, endingAt: b.batch.at('ending') };
    await this.trees?.addTo(begin);
    await addWorld(begin, plan, b, 'start');
    if (settlesLate(plan)) await addWorld(this.end, plan, b, 'late');
    for (const { x, width, more } of this.columns()) {
      const entries = T + more;
      const groups = [Math.ceil((rows * entries * width) / 64)] as const;
      await begin.add(kernels.copyPrefix, { forks, x }, { ...dims, entries, width, more }, groups);
    }
    const one = { entries: T, width: 1, more: 0 };
    await begin.add(kernels.beginForks, { forks, x: b.result }, { ...dims, ...one }, [Math.ceil(rows / 64)]);
  }

  /** Everything that a step leaves behind: the columns by their table, and what a network remembers of an episode. */
  private columns(): Steps[] {
    const { plan, b } = this;
    const sizes = sizesOf(plan);
    const { B, T } = plan;
    const all = columnNames.flatMap((name): Steps[] => {
      const { per, planes, device } = columnOf(name);
      if (!device || isMade(name) || !b.batch.has(name) || (per !== 'step' && per !== 'unit' && per !== 'stepAndEnd'))
        return [];
      const { entries, width } = shapeOf(name, sizes);
      if (planes) return Array.from({ length: width }, (_, k) => ({ x: b.batch.plane(name, k), width: 1, more: 0 }));
      if (per === 'stepAndEnd') return [{ x: b.batch.of(name), width, more: 1 }];
      return [{ x: b.batch.of(name), width: (entries * width) / (B * T), more: 0 }];
    });
    const { memory = [] } = b.tokens ? {} : b.network;
    return [...all, ...memory.map(({ buffer, width }): Steps => ({ x: whole(buffer), width, more: 0 }))];
  }

  /** Plays the batch of an update; the rows of the first phase have been put. */
  play(tasks: Tasks, rollout: Sequence, upload: TaskUpload): void | Promise<void> {
    return this.trees ? this.grow(this.trees, tasks, rollout) : this.ask(tasks, rollout, upload);
  }

  /** What the rows were that the device has added, where it did: before anybody on the CPU looks at them. */
  settle(tasks: Tasks): Promise<void> | undefined {
    return this.trees?.settle(tasks, this.given);
  }

  /** Before the rows of an update are put. */
  prepare(tasks: Tasks): void {
    this.trees?.seed(tasks);
  }

  /** The device adds rows in as many phases as it may need; nobody waits. */
  private grow(trees: GpuTrees, tasks: Tasks, rollout: Sequence): void {
    const { S, B, T } = this.plan;
    trees.plant(tasks);
    const begins = new Uint32Array(S * B).fill(T);
    for (let s = 0; s < S; s++) begins.fill(0, s * B, s * B + sourceRows(this.plan));
    this.playPhase(tasks, rollout, { k: 0, begins, forks: [] });
    const { device } = this.gpu;
    for (let k = 0; k < trees.phases; k++) {
      this.submit(this.begin);
      rollout.submit(device, 'train', { range: { from: 0, to: T } });
    }
    if (settlesLate(this.plan)) this.submit(this.end);
  }

  private submit(list: CommandList): void {
    const { device } = this.gpu;
    const encoder = device.createCommandEncoder({ label: 'phase' });
    list.encode(encoder);
    device.queue.submit([encoder.finish()]);
  }

  /** The scheme looks at the columns that it needs, which come back, and adds rows. */
  private async ask(tasks: Tasks, rollout: Sequence, upload: TaskUpload): Promise<void> {
    const { plan, given } = this;
    const { S, B, T } = plan;
    const scheme = plan.scheme!;
    const counts = Array<number>(S).fill(0);
    for (let k = 0; k === 0 || counts.some((count) => count < B); k++) {
      const seen = k === 0 ? [] : await together(counts.map((count, s) => this.seen(s, count)));
      // at first the others are cleared
      const begins = new Uint32Array(S * B).fill(k === 0 ? T : RESTS);
      const forks: number[] = [];
      for (let s = 0; s < S; s++) {
        const count = counts[s]!;
        if (k > 0 && count === B) continue;
        const before = seen[s];
        const rows = before ? scheme.next!(before.rows, rowContext(plan, tasks, s)) : firstRows(plan, scheme, tasks, s);
        checkCount(plan, scheme, count, rows.length);
        counts[s] = count + rows.length;
        for (const [j, row] of rows.entries()) {
          const i = count + j;
          placeTask(plan, tasks, s, i, { row, count });
          if (row.without) throw new Error('On WebGPU, forks begin with any action.');
          const branch = branchOf({ row, count }, i, before?.length ?? NO_LENGTHS);
          begins[s * B + i] = branch.branchStep;
          given.branch(s * B + i, branch);
          if (branch.parent >= 0) forks.push(s * B + i, s * B + branch.parent, branch.branchStep);
        }
        if (k > 0) given.add(rows, s, count);
      }
      if (k > 0) {
        upload.putRows(tasks);
        given.write();
      }
      this.playPhase(tasks, rollout, { k, begins, forks });
    }
    if (settlesLate(plan)) this.submit(this.end);
  }

  private playPhase(
    tasks: Tasks,
    rollout: Sequence,
    { k, begins, forks }: { readonly k: number; readonly begins: Uint32Array; readonly forks: readonly number[] },
  ): void {
    const { gpu, b, turns } = this;
    const { device } = gpu;
    const { spans, from, to } = within({ spans: this.spans }, begins);
    device.queue.writeBuffer(b.result, b.columns.turns.offset, spans);
    if (k > 0) {
      const words = new Uint32Array(3 * this.most).fill(NO_FORK);
      words.set(forks);
      device.queue.writeBuffer(this.forks, 0, words);
      this.submit(this.begin);
    }
    if (turns) turns.play(tasks, rollout, { k, begins });
    else rollout.submit(device, 'train', { range: { from: k === 0 ? -1 : from, to } });
  }

  /** What the scheme needs of the rows of replica s, `count` of which were played, and their lengths; null: all were. */
  private async seen(s: number, count: number): Promise<{ rows: RowsSeen; length: Uint32Array } | null> {
    const { plan, b } = this;
    if (count === plan.B) return null;
    const needs = plan.scheme!.needs ?? [];
    const { length, ...read } = await playedRows({ plan, b, s }, [...new Set([...needs, 'length' as const])], count);
    const rows = { count, ...read, ...(needs.includes('length') ? { length } : {}) } as RowsSeen; // what it needs alone
    return { rows, length: length as Uint32Array };
  }
}
