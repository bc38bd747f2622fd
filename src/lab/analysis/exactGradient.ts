import { policyAt, type Model, type PolicyTable, type Values } from '../../core/dp.ts';

/** Chance d_t(s) to be in state s after t steps under `policy`: [T, states]; ended episodes leave. */
export function visitation(model: Model, policy: PolicyTable, start: ArrayLike<number>, T: number): Float64Array {
  const { states: n, actions: A, offset, next, probability } = model;
  const d = new Float64Array(T * n);
  for (let s = 0; s < n; s++) d[s] = start[s]!;
  for (let t = 0; t + 1 < T; t++) {
    const pi = policyAt(policy, t);
    for (let s = 0; s < n; s++) {
      for (let a = 0; a < A; a++) {
        const sa = s * A + a;
        const mass = d[t * n + s]! * pi[sa]!;
        for (let k = offset[sa]!; k < offset[sa + 1]!; k++) {
          if (next[k]! >= 0) d[(t + 1) * n + next[k]!]! += mass * probability[k]!;
        }
      }
    }
  }
  return d;
}

/**
 * ∂J/∂z_{s,b} = Σ_t γ^t d_t(s) π_t(b|s) A_t(s,b) on the table of logits (spec metrics §10.3): [states, actions]. Where π
 * changes with t, z is what is added to the logits of all of them.
 */
export function exactGradient(
  model: Model,
  policy: PolicyTable,
  values: Values,
  d: ArrayLike<number>,
  gamma = 1,
): Float64Array {
  const { states: n, actions: A } = model;
  const gradient = new Float64Array(n * A);
  for (let t = 0, discount = 1; t < values.T; t++, discount *= gamma) {
    const pi = policyAt(policy, t);
    for (let s = 0; s < n; s++) {
      for (let b = 0; b < A; b++) {
        const advantage = values.Q[(t * n + s) * A + b]! - values.V[t * n + s]!;
        gradient[s * A + b]! += discount * d[t * n + s]! * pi[s * A + b]! * advantage;
      }
    }
  }
  return gradient;
}

/** One step of a batch with its credit. */
export type CreditedStep = {
  readonly t: number;
  readonly state: number;
  readonly action: number;
  readonly credit: number;
};

/** ĝ = 1/B Σ γ^t x (e_a − π(·|s)) at row s: the gradient the credit would give, [states, actions]. */
export function creditGradient(
  steps: readonly CreditedStep[],
  trajectories: number,
  policy: ArrayLike<number>,
  states: number,
  actions: number,
  gamma = 1,
): Float64Array {
  const gradient = new Float64Array(states * actions);
  for (const { t, state, action, credit } of steps) {
    let weight = credit / trajectories;
    for (let k = 0; k < t; k++) weight *= gamma;
    addCreditGradient(gradient, state * actions, policy, state * actions, actions, action, weight);
  }
  return gradient;
}

/** Adds x·(e_a − π(·|s)) to the row of the table that begins at `at`; `policy` holds π(·|s) from `policyAt` on. */
export function addCreditGradient(
  gradient: Float64Array,
  at: number,
  policy: ArrayLike<number>,
  policyAt: number,
  actions: number,
  action: number,
  x: number,
): void {
  for (let b = 0; b < actions; b++) gradient[at + b]! -= x * policy[policyAt + b]!;
  gradient[at + action]! += x;
}
