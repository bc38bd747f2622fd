import { RUNNING } from '../config/runState.ts';
import type { Batch } from '../contract/columns.ts';
import { makePaidArrays, type Arrays } from './arrays.ts';
import type { BatchView } from './backend.ts';
import type { Control } from './control.ts';
import { KlReward } from './cpu/klReward.ts';
import type { CpuPolicy } from './cpu/policy.ts';
import { RunningReward } from './cpu/runningReward.ts';
import type { Tensors } from '../contract/state.ts';
import { Shaping } from './cpu/shaping.ts';
import type { Plan, Tasks } from './plan.ts';
import { memoryBefore } from './rewards.ts';

/** How what the estimator sees was made of what the world paid, in one update of one replica. */
export type Pays = {
  /** tensors of the reward modules before this batch, where there are some */
  readonly memory?: Tensors;
  /** [RUNNING] returns of the run before this batch; null where they are not normalized */
  readonly running: Float64Array | null;
  /** [layout.size] the policy that is paid for, and how much; null where the KL term is not in the reward */
  readonly reference: Float32Array | null;
  readonly klCoef: number;
};

/** What a backend knows when the update is over. `running`: this batch counted. `isReset`: the reference is another one. */
export type Paying = Pays & { readonly isReset: boolean };

/** How a batch with these returns, as they were normalized, was paid; null where that is no longer known. */
export function paysOf({ running, isReset, ...pays }: Paying, returns: Float32Array): Pays | null {
  if (isReset && pays.reference) return null;
  return { ...pays, running: running && without(running, returns) };
}

/** What pays on the CPU for the batch of replica s in an update; `reference`: of that replica. */
export type PayingOnCpu = {
  readonly s: number;
  readonly update: number;
  readonly plan: Pick<Plan, 'rewards'>;
  /** tensors of the reward modules, this batch counted */
  readonly memory: Tensors;
  /** [B] returns before they were normalized */
  readonly returns: Float32Array;
  readonly running: RunningReward | null;
  readonly klReward: KlReward | null;
  readonly control: Pick<Control, 'counts'> | null;
  readonly reference: Float32Array;
};

/** What the world paid for a batch on the CPU, and how what the estimator saw was made of it. */
export function worldOf(batch: Batch, of: PayingOnCpu): Pick<BatchView, 'world' | 'pays'> {
  const { s, update, plan, memory, returns, running, klReward, control, reference } = of;
  const { reward, outcome } = batch;
  const paying = {
    memory: memoryBefore(plan, memory, batch),
    running: running && running.state.slice(s * RUNNING, (s + 1) * RUNNING),
    reference: klReward && reference,
    klCoef: klReward?.beta[s] ?? 0,
    isReset: control?.counts.resetAt[s] === update + 1,
  };
  const pays = paysOf(paying, returns);
  return { world: { reward: reward.slice(), outcome: outcome.slice() }, ...(pays ? { pays } : {}) };
}

/** Count, mean and squares as they were before these returns: the formula of Chan et al. backwards. */
function without(running: Float64Array, returns: Float32Array): Float64Array {
  const [n, mean, squares] = running as unknown as [number, number, number];
  const before = n - returns.length;
  if (before <= 0) return new Float64Array(RUNNING);
  const sum = returns.reduce((a, b) => a + b, 0);
  const own = sum / returns.length;
  const ownSquares = returns.reduce((a, b) => a + (b - own) ** 2, 0);
  const meanBefore = (mean * n - sum) / before;
  const apart = (own - meanBefore) ** 2 * ((before * returns.length) / n);
  return Float64Array.of(before, meanBefore, Math.max(0, squares - ownSquares - apart));
}

/**
 * Makes of a batch that was played alone into `arrays` what the estimator would have seen of it in the place of the batch
 * that `pays` is of.
 */
export function payerOf(
  plan: Plan,
  pays: Pays,
  arrays: Arrays,
  policy: CpuPolicy,
): (batch: Batch, tasks: Tasks) => Batch {
  const columns = makePaidArrays(plan);
  const shaping = new Shaping(plan, columns);
  const running = pays.running && new RunningReward(plan, new Float64Array(plan.S * RUNNING), columns);
  const kl = pays.reference && pays.klCoef !== 0 ? new KlReward(plan, policy, columns) : null;
  return (batch, tasks) => {
    const copies = Object.entries(pays.memory ?? {}).map(([name, array]) => [name, array.slice()] as const);
    const shaped = shaping.pay(batch, arrays, tasks, Object.fromEntries(copies), 0);
    running?.state.set(pays.running!);
    const normalized = running ? running.pay(shaped, 0) : shaped;
    return kl ? kl.pay(normalized, arrays, pays.reference!, 0, pays.klCoef).batch : normalized;
  };
}
