import { part, type Batch } from '../../contract/columns.ts';
import { REWARD_PARTS } from '../../contract/columnTable.ts';
import type { Tensors } from '../../contract/state.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';
import { rewardMemory, Rewards } from '../rewards.ts';
import { fillCover } from './cover.ts';
import { fillPools } from './levelPool.ts';
import { CpuSignals } from './signals.ts';
import { fillTaught } from './taught.ts';

/** What is made of a finished batch before its returns are normalized: signals, and the reward by the modules of the run. */
export class Shaping {
  private readonly plan: Plan;
  private readonly signals: CpuSignals | null;
  private readonly rewards: Rewards | null;

  constructor(plan: Plan, columns: Arrays) {
    this.plan = plan;
    this.signals = CpuSignals.of(plan);
    this.rewards = Rewards.of(plan, columns);
  }

  /** The batch of replica s as the reward modules pay it; the same object where there are none. `tensors`: of all replicas. */
  pay(batch: Batch, arrays: Arrays, tasks: Tasks, tensors: Tensors, s: number): Batch {
    const { plan, signals, rewards } = this;
    signals?.fill(arrays, tasks, s);
    if (arrays.levelSeed.length > 0)
      for (let row = s * plan.B; row < (s + 1) * plan.B; row++)
        arrays.levelSeed[row] = tasks.levelSeeds[tasks.levelOf[row]!]!;
    if (arrays.levelPool.length > 0) fillPools(plan, arrays, tasks, s);
    const { words, deal } = plan.env;
    const budgetOf = deal?.budget ?? ((): number => plan.T);
    if (arrays.budget.length > 0)
      for (let row = s * plan.B; row < (s + 1) * plan.B; row++)
        arrays.budget[row] = budgetOf(tasks.levels[tasks.levelOf[row]!], arrays.state, row * (plan.T + 1) * words);
    if (arrays.taught.length > 0) fillTaught(plan, arrays, tasks, s);
    if (arrays.covered.length > 0) fillCover(plan, arrays, tasks, s);
    // copied, as columns of the rollout are not part of a batch
    if (arrays.features.length > 0) part(arrays.features, plan.S, s).set(part(arrays.obs, plan.S, s));
    const { rewardParts: parts, outcome } = batch;
    parts?.fill(0);
    for (let i = 0; parts && i < plan.B; i++) parts[i * REWARD_PARTS] = outcome[i]!;
    return rewards ? rewards.pay(batch, rewardMemory(plan, tensors, s), s) : batch;
  }
}
