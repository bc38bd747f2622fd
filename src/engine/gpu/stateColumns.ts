import { columnsOfRun } from '../../config/runColumns.ts';
import { stateColumns, type StateColumn } from '../../contract/signals.ts';
import type { Gpu } from '../../gpu/device.ts';
import { whole, type CommandList, type Slice } from '../../gpu/recorder.ts';
import { coveredWith } from '../../gpu/shaders/signalKernels.ts';
import { coverRadiusOf } from '../cpu/cover.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Columns that rewards read beside signals, from the states that were played. Loaded where a run needs one. */
export class GpuStateColumns {
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly held = new Map<StateColumn, Slice>();

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.plan = plan;
    this.b = b;
    const present = columnsOfRun(plan);
    for (const name of stateColumns) {
      if (!present.has(name)) continue;
      const buffer = gpu.buffer('batch', plan.S * plan.B * (plan.T + 1), 0x80 | 0x04 | 0x08);
      b.all.push(buffer);
      this.held.set(name, whole(buffer));
    }
  }

  /** One of all replicas; null where it is none of these. */
  slice(name: string): Slice | null {
    return this.held.get(name as StateColumn) ?? null;
  }

  /** Adds what makes them of a batch that was played. */
  async addTo(list: CommandList): Promise<void> {
    if (this.held.has('covered')) await this.addCovered(list);
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
