import type { Batch } from '../../contract/columns.ts';
import type { StateStore } from '../../contract/stateStore.ts';
import type { Arrays } from '../arrays.ts';
import type { BatchView } from '../backend.ts';
import type { Control } from '../control.ts';
import { worldOf } from '../freshPay.ts';
import type { Plan, Tasks } from '../plan.ts';
import { rewardMemory, shapedReturn } from '../rewards.ts';
import { KlReward } from './klReward.ts';
import type { CpuPolicy } from './policy.ts';
import { RunningReward } from './runningReward.ts';
import { Shaping } from './shaping.ts';

/** A batch as the estimator sees it, and the KL to the reference where that was paid. */
type Paid = { readonly batch: Batch; readonly kl: number | null };

/** How what the estimator sees is made of what the world paid: reward modules, units of the run, the KL term. */
export class CpuPay {
  /** null where the KL term is not in the reward */
  readonly klReward: KlReward | null;
  private readonly plan: Plan;
  private readonly store: StateStore;
  private readonly shaping: Shaping;
  private readonly running: RunningReward | null;
  /** [B] of each replica, returns before they are normalized */
  private readonly returns: Float32Array[] = [];

  constructor(plan: Plan, policy: CpuPolicy, store: StateStore, columns: Arrays) {
    this.plan = plan;
    this.store = store;
    this.shaping = new Shaping(plan, columns);
    this.running = plan.normalizesReward ? new RunningReward(plan, store.of('running', 'f64'), columns) : null;
    this.klReward = plan.control.klIn === 'reward' ? new KlReward(plan, policy, columns) : null;
  }

  /** Pays replica s. `kl`: weight of the term and the policy that it compares with. */
  pay(
    world: Batch,
    arrays: Arrays,
    tasks: Tasks,
    s: number,
    kl: { readonly klCoef: number; readonly reference: Float32Array },
  ): Paid {
    const shaped = this.shaping.pay(world, arrays, tasks, this.store.tensors, s);
    this.returns[s] = shaped.outcome;
    const batch = this.running ? this.running.pay(shaped, s) : shaped;
    if (this.klReward) this.klReward.beta[s] = kl.klCoef;
    if (!this.klReward || kl.klCoef === 0) return { batch, kl: null };
    return this.klReward.pay(batch, arrays, kl.reference, s, kl.klCoef);
  }

  /** Mean return of the last batch of replica s as the reward modules made it. */
  shaped(s: number, batch: Batch): number {
    return shapedReturn(this.returns[s]!, batch.measured);
  }

  /** What the world paid for the last batch of replica s, and how what the estimator saw was made of it. */
  world(
    batch: Batch,
    update: number,
    s: number,
    of: { readonly control: Control | null; readonly reference: Float32Array },
  ): Pick<BatchView, 'world' | 'pays'> {
    const { plan, running, klReward, store } = this;
    const paid = { memory: rewardMemory(plan, store.tensors, s), returns: this.returns[s]! };
    return worldOf(batch, { s, update, plan, ...paid, running, klReward, ...of });
  }
}
