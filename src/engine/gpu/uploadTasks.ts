import type { Gpu } from '../../gpu/device.ts';
import { packBegins } from '../begins.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Puts levels (when they changed), tasks and draws of rollouts on the device. */
export class TaskUpload {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private held: readonly unknown[] | null = null;
  private words = 0;
  /** one turn in which every trajectory plays all its steps */
  private readonly whole: Uint32Array<ArrayBuffer>;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.whole = Uint32Array.from({ length: 2 * plan.S * plan.B }, (_, k) => (k % 2 === 0 ? 0 : plan.T));
  }

  /** `purpose`: what the draws of actions are for. */
  put(tasks: Tasks, purpose: number): void {
    const { plan, b } = this;
    const { queue } = this.gpu.device;
    const same = this.held?.length === tasks.levels.length && this.held.every((level, k) => level === tasks.levels[k]);
    if (!same) {
      queue.writeBuffer(b.levels, 0, this.packed(tasks.levels));
      this.held = tasks.levels;
    }
    this.putRows(tasks);
    queue.writeBuffer(b.result, b.columns.turns.offset, this.whole);
    queue.writeBuffer(b.levels, b.roll.offset, Uint32Array.of(purpose, tasks.update, ...plan.seeds));
  }

  /** All levels, one behind the other: one write is a hundred times quicker than one for each of a thousand levels. */
  private packed(levels: Tasks['levels']): Uint32Array<ArrayBuffer> {
    const { packLevel } = this.plan.env.gpu!;
    let all = new Uint32Array(0);
    levels.forEach((level, k) => {
      const words = packLevel(level);
      if (k === 0) {
        this.words = words.length; // equal for all levels of one config
        all = new Uint32Array(levels.length * words.length);
      }
      all.set(words, k * words.length);
    });
    return all;
  }

  /** What each row plays, with levels that are there. */
  putRows(tasks: Tasks): void {
    const { plan, b } = this;
    const rows = plan.S * plan.B;
    const assign = new Uint32Array(rows * 4);
    for (let row = 0; row < rows; row++) {
      const level = tasks.levelOf[row]!;
      assign[4 * row] = level * this.words;
      assign[4 * row + 1] = tasks.taskIndex[row]!;
      assign[4 * row + 2] = tasks.episodeSeed[row]!;
      assign[4 * row + 3] = tasks.levelSeeds[level]!;
    }
    const { queue } = this.gpu.device;
    queue.writeBuffer(b.levels, b.assign.offset, assign);
    if (b.beginsAt > 0) queue.writeBuffer(b.levels, 4 * b.beginsAt, packBegins(plan, tasks));
  }
}
