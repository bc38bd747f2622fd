import { columnsOfRun } from '../../config/runColumns.ts';
import { stateColumns, type StateColumn } from '../../contract/signals.ts';
import type { Gpu } from '../../gpu/device.ts';
import { whole, type CommandList, type Slice } from '../../gpu/recorder.ts';
import { coveredWith, taught } from '../../gpu/shaders/signalKernels.ts';
import { coverRadiusOf } from '../cpu/cover.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Steps that an episode on a level is told to need at most, in the state in which it begins; it stays so. */
function budgetOf({ env, T }: Plan, level: unknown): number {
  if (!env.deal?.budget) return T;
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  return env.deal.budget(level, state, 0);
}

/** Columns that rewards read beside signals, from the states that were played. Loaded where a run needs one. */
export class GpuStateColumns {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly held = new Map<StateColumn, Slice>();
  /** [S, B] subgoals of the level of each row; null where no teacher tells any */
  private readonly listed: GPUBuffer | null;
  /** [S, B] steps that each row was told to need at most; null where nothing reads it */
  private readonly budget: GPUBuffer | null;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    const present = columnsOfRun(plan);
    for (const name of stateColumns) {
      if (!present.has(name)) continue;
      const buffer = gpu.buffer('batch', plan.S * plan.B * (plan.T + 1), 0x80 | 0x04 | 0x08);
      b.all.push(buffer);
      this.held.set(name, whole(buffer));
    }
    const isTold = this.held.has('taught') && plan.env.teaches !== undefined;
    const perRow = (): GPUBuffer => {
      const buffer = gpu.buffer('batch', plan.S * plan.B, 0x80 | 0x04 | 0x08);
      b.all.push(buffer);
      return buffer;
    };
    this.listed = isTold ? perRow() : null;
    this.budget = present.has('budget') ? perRow() : null;
    if (this.budget) b.batch.keep('budget', whole(this.budget));
  }

  /** One of all replicas; null where it is none of these. */
  slice(name: string): Slice | null {
    return this.held.get(name as StateColumn) ?? null;
  }

  /** Tells the device what only the levels of a batch say. */
  put({ levels, levelOf }: Tasks): void {
    const { gpu, plan, listed, budget } = this;
    const putEach = (buffer: GPUBuffer, of: (level: unknown) => number): void => {
      const known = levels.map(of);
      const values = Float32Array.from({ length: plan.S * plan.B }, (_, row) => known[levelOf[row]!]!);
      gpu.device.queue.writeBuffer(buffer, 0, values);
    };
    if (listed) putEach(listed, (level) => Math.max(1, plan.env.teaches!.listed(level)));
    if (budget) putEach(budget, (level) => budgetOf(plan, level));
  }

  /** Adds what makes them of a batch that was played. */
  async addTo(list: CommandList): Promise<void> {
    if (this.held.has('covered')) await this.addCovered(list);
    if (this.listed) await this.addTaught(list, this.listed);
  }

  private async addTaught(list: CommandList, listed: GPUBuffer): Promise<void> {
    const { plan, b, held } = this;
    const { S, B, T, env } = plan;
    const rows = S * B;
    await list.add(
      taught,
      { played: b.state, length: b.columns.length, listed, taught: held.get('taught')! },
      { rows, T, words: env.words, word: env.teaches!.word },
      [Math.ceil((rows * (T + 1)) / 64)],
    );
  }

  /** Where a world says nothing about it, nothing is covered. */
  private async addCovered(list: CommandList): Promise<void> {
    const { plan, b, held } = this;
    const { S, B, T, env, bareEnv } = plan;
    const world = await env.signals?.wgsl();
    if (!world?.cover) return;
    const { levels, state: played, assignAt } = b;
    const rows = S * B;
    await list.add(
      coveredWith(world.cover),
      { levels, played, length: b.columns.length, covered: held.get('covered')!, cover: held.get('cover')! },
      { rows, T, words: env.words, before: env.words - bareEnv.words, assignAt, radius: coverRadiusOf(plan) },
      [Math.ceil(rows / 64)],
    );
  }
}
