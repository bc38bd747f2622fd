import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { kernels, stepKernels } from '../../gpu/shaders/kernels.ts';
import { stepSums } from '../../gpu/stepSums.ts';
import { addSums } from '../../gpu/sums.ts';
import { addTogether, type Given } from '../../gpu/together.ts';
import type { ReviseOps } from '../../slots/revise/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { REPORT } from './report.ts';

/** What revisions of the credit are composed of, recorded into a list; `report` comes last. */
export class GpuReviseOps implements ReviseOps {
  readonly actions: number;
  private readonly list: CommandList;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  /** true while the report holds the size of the credit as it is */
  private isReported = false;

  constructor(list: CommandList, plan: Plan, b: RunBuffers) {
    this.list = list;
    this.plan = plan;
    this.b = b;
    this.actions = plan.actions;
  }

  async toUnitSize(): Promise<void> {
    const { S, B, T } = this.plan;
    await addSums(this.list, kernels.unitSize, S, this.bound(this.b.columns.length), { B, T }, true);
    this.isReported = true;
  }

  async scaleNegative(base: number, slope: number): Promise<void> {
    const { S, B, T, P } = this.plan;
    const { groups, credit } = this.b;
    const { length, taskIndex } = this.b.columns;
    this.isReported = false;
    await this.list.add(kernels.scaleNegative, { length, taskIndex, groups, credit }, { B, T, P, base, slope }, [
      Math.ceil((B * T) / 64),
      1,
      S,
    ]);
  }

  async clip(bound: number): Promise<void> {
    const { S, B, T } = this.plan;
    const { credit } = this.b;
    const { boundCredit } = await import('../../gpu/shaders/reviseKernels.ts');
    this.isReported = false;
    await this.list.add(boundCredit, { credit }, { count: S * B * T, bound }, [Math.ceil((S * B * T) / 64)]);
  }

  async pullToTarget(target: number): Promise<void> {
    const { S, B, T, actions } = this.plan;
    const { credit, sampled, choice, section, parts } = this.b;
    const { length, ending, probs } = this.b.columns;
    this.isReported = false;
    const pulled = { length, ending, sampled, choice, probs, credit, parts };
    await addSums(this.list, kernels.pullToTarget, S, pulled, { B, T, actions, section, target_: target }, true);
  }

  /** What puts the size of the credit as it is now, of the policy's own trajectories, into the report, unless it is there. */
  async report(): Promise<Given[]> {
    const { own, ownLength } = this.b;
    const { length } = this.b.columns;
    if (this.isReported && !ownLength) return [];
    if (!this.isReported && ownLength) await addTogether(this.list, [this.sizeOver(length)]);
    return this.sizeOver(own);
  }

  private sizeOver(length: Slice): Given[] {
    const { S, B, T } = this.plan;
    return stepSums(this.list.gpu, stepKernels.creditSize, S, this.bound(length), { B, T });
  }
  private bound(length: Slice) {
    const { credit, flags, parts } = this.b;
    return { length, credit, rms: this.b.report(REPORT.rms, 1), flags, parts };
  }
}
