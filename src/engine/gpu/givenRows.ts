import type { Gpu } from '../../gpu/device.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { part } from '../../contract/columns.ts';
import { columnsOfRow, ROW_COLUMNS, type RowPlan } from '../../contract/rows.ts';
import { firstRows, forceActions } from '../plannedRows.ts';
import type { Plan, RolloutMode, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/**
 * Rows on the GPU whose actions a scheme gives: they are known before the rollout and stand after the seeds of its draws,
 * where the decision of a step finds them. What is measured reads `b.own` in place of the lengths.
 */
export class GivenRows {
  /** [S, B] of the last batch: see contract/rows.ts */
  readonly origin: Uint8Array;
  readonly measured: Uint8Array;
  readonly trains: Uint8Array;
  /** empty where nothing forks */
  readonly parent: Int32Array;
  private readonly step: Uint32Array;
  /** [2, S] see `stepsBeyond`: of the update that plays, and of the one that may not have come back yet */
  private readonly beyond: Float64Array;
  /** where those of the batch at hand begin */
  private at = 0;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly actions: Uint32Array<ArrayBuffer>;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.origin = new Uint8Array(plan.S * plan.B);
    this.measured = new Uint8Array(plan.S * plan.B).fill(1);
    this.trains = new Uint8Array(plan.S * plan.B).fill(1);
    for (const name of ROW_COLUMNS) b.batch.keepOnHost(name, this[name]);
    const forks = plan.scheme!.forks ? plan.S * plan.B : 0;
    this.parent = new Int32Array(forks).fill(-1);
    this.step = new Uint32Array(forks);
    if (forks > 0) {
      b.batch.keepOnHost('branchParent', this.parent);
      b.batch.keepOnHost('branchStep', this.step);
    }
    this.beyond = new Float64Array(2 * plan.S);
    this.actions = new Uint32Array(plan.S * plan.B * plan.T);
  }

  /** Before a rollout: only batches that train have rows of a scheme. */
  put(tasks: Tasks, mode: RolloutMode): void {
    const { plan } = this;
    this.actions.fill(0);
    if (mode === 'train') {
      this.at = (tasks.update % 2) * plan.S;
      this.beyond.fill(0, this.at, this.at + plan.S);
    }
    for (let s = 0; s < plan.S && mode === 'train'; s++) this.add(firstRows(plan, plan.scheme!, tasks, s), s, 0);
    this.write();
  }

  /** The next rows of replica s, from row `from` on. */
  add(rows: readonly RowPlan[], s: number, from: number): void {
    const { plan, actions } = this;
    forceActions(plan, rows, part(actions, plan.S, s), from);
    rows.forEach((row, i) => {
      // a row with given actions ends with the last of them
      this.beyond[this.at + s]! += row.actions?.length ?? 0;
      // kernels tell rows that are not measured by their given actions
      if ((columnsOfRow(row).measured === 0) !== (row.actions !== undefined))
        throw new Error('On WebGPU a row that is not measured has given actions, and no other row has.');
      for (const name of ROW_COLUMNS) this[name][s * plan.B + from + i] = columnsOfRow(row)[name];
    });
  }

  /** Environment steps of replica s beyond those of the rows that are measured, without those that forks share. */
  stepsBeyond(update: number, s: number): number {
    return this.beyond[(update % 2) * this.plan.S + s]!;
  }

  /** Where a row leaves its parent. */
  branch(row: number, { parent, branchStep }: { readonly parent: number; readonly branchStep: number }): void {
    if (this.parent.length === 0) return;
    [this.parent[row], this.step[row]] = [parent, branchStep];
    this.beyond[this.at + Math.floor(row / this.plan.B)]! -= branchStep;
  }

  /** Puts the actions on the device. */
  write(): void {
    const { b } = this;
    this.gpu.device.queue.writeBuffer(b.levels, 4 * (b.rollAt + b.shown), this.actions);
  }
}

export const makeGivenRows = (gpu: Gpu, plan: Plan, b: RunBuffers): GivenRows | null =>
  plan.scheme ? new GivenRows(gpu, plan, b) : null;

/** Records the lengths of the policy's own episodes; nothing where all are. */
export const addOwnLengths = (list: CommandList, plan: Plan, b: RunBuffers): Promise<void> =>
  add(list, plan, b, kernels.ownLengths);

/** Behind the last use of the weights of a look for learning: what reads them from here on is about the policy's own episodes. */
export const addOwnWeights = (list: CommandList, plan: Plan, b: RunBuffers): Promise<void> =>
  add(list, plan, b, kernels.ownWeights);

async function add(
  list: CommandList,
  { S, B, T }: Plan,
  b: RunBuffers,
  kernel: typeof kernels.ownLengths | typeof kernels.ownWeights,
): Promise<void> {
  if (!b.ownLength) return;
  const { roll, ownLength: own, shown } = b;
  const { length } = b.columns;
  await list.add(kernel, { roll, length, own, plan: b.plan }, { rows: S * B, T, shown }, [Math.ceil((S * B) / 64)]);
}
