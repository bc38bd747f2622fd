import { normalize } from '../../../core/stats.ts';

/**
 * HiMAC (arXiv 2603.00977), phase of plans: the returns of N plans of each task, each followed once, [P, N], compared within
 * the task; and which plan the executor learns from, the first of the best.
 */
export function planCredit(
  returns: ArrayLike<number>,
  N: number,
): { readonly macro: Float32Array; readonly chosen: Int32Array } {
  const P = returns.length / N;
  const macro = new Float32Array(P * N);
  const chosen = new Int32Array(P);
  for (let p = 0; p < P; p++) {
    const own = Array.from({ length: N }, (_, j) => returns[p * N + j]!);
    macro.set(normalize(own, 'std'), p * N);
    chosen[p] = own.indexOf(Math.max(...own));
  }
  return { macro, chosen };
}

type Executions = {
  readonly B: number;
  readonly taskIndex: ArrayLike<number>;
  readonly outcome: ArrayLike<number>;
  /** [B] which plan of its task each episode follows */
  readonly plan: ArrayLike<number>;
};

/**
 * Both levels from one batch, `nested`, which is this lab's own variant: the mean return of the executions of a plan, compared
 * among the plans of the task; and each execution among those of its plan.
 */
export function nestedCredit({ B, taskIndex, outcome, plan }: Executions): {
  readonly macro: Float32Array;
  readonly micro: Float32Array;
} {
  const tasks = new Map<number, Map<number, number[]>>();
  for (let i = 0; i < B; i++) {
    const plans = tasks.get(taskIndex[i]!) ?? new Map<number, number[]>();
    tasks.set(taskIndex[i]!, plans.set(plan[i]!, [...(plans.get(plan[i]!) ?? []), i]));
  }
  const [macro, micro] = [new Float32Array(B), new Float32Array(B)];
  for (const plans of tasks.values()) {
    const members = [...plans.values()];
    const returnsOf = (rows: readonly number[]): number[] => rows.map((i) => outcome[i]!);
    const means = members.map((rows) => returnsOf(rows).reduce((sum, r) => sum + r, 0) / rows.length);
    const ofPlans = normalize(means, 'std');
    members.forEach((rows, j) => {
      const own = normalize(returnsOf(rows), 'std');
      rows.forEach((i, m) => ([macro[i], micro[i]] = [ofPlans[j]!, own[m]!]));
    });
  }
  return { macro, micro };
}
