import { part, type Batch, type BatchField, type Columns } from '../contract/columns.ts';
import { REWARD_PARTS } from '../contract/columnTable.ts';
import { stateOf } from '../contract/module.ts';
import type { NumberArray } from '../contract/numbers.ts';
import { named, tensorsOf, type StateSpec, type Tensors } from '../contract/state.ts';
import type { Plan } from './plan.ts';

/** What paying takes of a plan. */
type Paying = Pick<Plan, 'S' | 'B' | 'T' | 'rewards'>;

type Shaped = Pick<Columns, 'shapedReward' | 'shapedOutcome'>;

/** Which part of the reward the m-th module of a run pays; further ones share the last. */
export const partOf = (m: number): number => Math.min(1 + m, REWARD_PARTS - 1);

/** Adds what `paid` [B, T] pays over each row to part k; what replaces the reward takes the place of the world. */
function addPart(batch: Batch, paid: Float32Array, k: number, replaces: boolean): void {
  const { B, T, length, rewardParts: parts } = batch;
  for (let i = 0; parts && i < B; i++) {
    if (replaces) parts[i * REWARD_PARTS] = 0;
    for (let at = i * T; at < i * T + length[i]!; at++) parts[i * REWARD_PARTS + k]! += paid[at]!;
  }
}

/** What the reward modules of a run remember, by full name. */
export function memorySpec({ rewards }: Pick<Plan, 'rewards'>): StateSpec {
  return Object.assign(
    {},
    ...rewards.map(({ module, params }) => named(module.id, stateOf(module, params))),
  ) as StateSpec;
}

/** Tensors of the reward modules of one replica, as parts of all tensors of a run. */
export function rewardMemory(plan: Pick<Plan, 'rewards' | 'S'>, tensors: Tensors, s: number): Tensors {
  const names = Object.keys(memorySpec(plan));
  return Object.fromEntries(names.map((name) => [name, part(tensors[name]!, plan.S, s)]));
}

/**
 * What the reward modules of a run make of the reward of the world, in their order: one that replaces it first, then what
 * is added. The batch of the world stays as it is; success, return and every measurement read that.
 */
export class Rewards {
  private readonly plan: Paying;
  /** [S, B, T], [S, B] after the last module, and [B, T] of the module at hand */
  private readonly reward: Float32Array;
  private readonly outcome: Float32Array;
  private readonly own: Float32Array;

  /** Null where the estimator sees what the world pays. */
  static of(plan: Paying, columns: Shaped): Rewards | null {
    return plan.rewards.length > 0 ? new Rewards(plan, columns) : null;
  }

  constructor(plan: Paying, { shapedReward, shapedOutcome }: Shaped) {
    this.plan = plan;
    this.reward = shapedReward;
    this.outcome = shapedOutcome;
    this.own = new Float32Array(plan.B * plan.T);
  }

  /** The batch of replica s with r′ and its sums. `memory`: the tensors of the modules of this replica. */
  pay(batch: Batch, memory: Tensors, s: number): Batch {
    const { plan, own } = this;
    const { B, T } = plan;
    const reward = this.reward.subarray(s * B * T, (s + 1) * B * T);
    const outcome = this.outcome.subarray(s * B, (s + 1) * B);
    reward.set(batch.reward);
    outcome.set(batch.outcome);
    const paid = { ...batch, reward, outcome };
    for (const [m, { module, params }] of plan.rewards.entries()) {
      own.fill(0);
      for (const name of module.makes ?? []) (batch[name as BatchField] as NumberArray).fill(0);
      module.run(paid, params as never, own, tensorsOf(memory, module.id));
      addPart(batch, own, partOf(m), module.kind === 'replacing');
      for (let k = 0; k < own.length; k++) reward[k] = module.kind === 'replacing' ? own[k]! : reward[k]! + own[k]!;
      for (let i = 0; i < B; i++) {
        let sum = 0;
        for (let k = i * T; k < i * T + batch.length[i]!; k++) sum += reward[k]!;
        outcome[i] = sum;
      }
    }
    return paid;
  }
}

/** Mean of the returns that modules made of the rows that are measured, [B]; NaN where there are none. */
export function shapedReturn(outcome: Float32Array, measured: Uint8Array | undefined): number {
  let [sum, rows] = [0, 0];
  for (let i = 0; i < outcome.length; i++) {
    if (measured?.[i] === 0) continue;
    sum += outcome[i]!;
    rows++;
  }
  return sum / rows;
}

/** The tensors of the reward modules of a replica as they were before this batch, from those after it. */
export function memoryBefore({ rewards }: Pick<Plan, 'rewards'>, after: Tensors, batch: Batch): Tensors {
  const before = Object.fromEntries(Object.entries(after).map(([name, array]) => [name, array.slice()]));
  for (const { module } of rewards) module.forget?.(batch, tensorsOf(before, module.id));
  return before;
}
