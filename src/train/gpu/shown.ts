import type { Gpu } from '../../gpu/device.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { part } from '../arrays.ts';
import { demonstratedActions, demonstrationsOf } from '../demonstrations.ts';
import type { Plan, RolloutMode, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/**
 * Demonstrations on the GPU: what the solver does is known before the rollout and lies behind the seeds of its draws,
 * where the decision of a step finds it. What is measured reads `b.own` in place of the lengths.
 */
export class GpuShown {
  /** [S, B] 1 = a demonstration in the last batch */
  readonly demo: Uint8Array;
  /** steps of the demonstrations of every replica in it */
  readonly steps: number[];
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly actions: Uint32Array<ArrayBuffer>;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.demo = new Uint8Array(plan.S * plan.B);
    this.steps = Array<number>(plan.S).fill(0);
    this.actions = new Uint32Array(plan.S * plan.B * plan.T);
  }

  /** Before a rollout: only batches that train have demonstrations. */
  put(tasks: Tasks, mode: RolloutMode): void {
    const { plan, b, actions } = this;
    actions.fill(0);
    for (let s = 0; s < plan.S && mode === 'train'; s++) {
      const own = part(actions, plan.S, s);
      own.set(demonstratedActions(plan, tasks, s)!);
      part(this.demo, plan.S, s).set(Uint8Array.from({ length: plan.B }, (_, i) => Number(own[i * plan.T]! > 0)));
      // an episode of the solver ends with its last action
      this.steps[s] = own.filter((x) => x > 0).length;
    }
    this.gpu.device.queue.writeBuffer(b.levels, 4 * (b.rollAt + b.shown), actions);
  }
}

export const makeShown = (gpu: Gpu, plan: Plan, b: RunBuffers): GpuShown | null =>
  demonstrationsOf(plan) > 0 ? new GpuShown(gpu, plan, b) : null;

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
  const { roll, length, ownLength: own, shown } = b;
  await list.add(kernel, { roll, length, own, plan: b.plan }, { rows: S * B, T, shown }, [Math.ceil((S * B) / 64)]);
}
