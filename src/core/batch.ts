/**
 * A finished batch of one replica: struct of arrays, row-major `[B, T]` (index = i*T + t), names of spec notation.
 * Steps past `length[i]` are padding: 0, and without influence on any statistic.
 */
export type Batch = {
  /** Tasks per batch, nominal group size, trajectories, step limit. `taskIndex` is the truth about groups. */
  readonly P: number;
  readonly G: number;
  readonly B: number;
  readonly T: number;
  /** [B] real steps T_i of each trajectory, 1 ≤ T_i ≤ T */
  readonly length: Uint32Array;
  /** [B] group of each trajectory, 0 ≤ g < P */
  readonly taskIndex: Uint32Array;
  /** [B, T, 2] 64-bit key of the state before each step as (high, low) */
  readonly stateKey: Uint32Array;
  /** [B, 2] key of the state after the last step */
  readonly finalStateKey: Uint32Array;
  /** [B, T] */
  readonly action: Uint32Array;
  /** [B, T] environment reward */
  readonly reward: Float32Array;
  /** [B] R_i = Σ_t r_{i,t}, undiscounted */
  readonly outcome: Float32Array;
  /** [B] 1 = reached the goal; 1 = ended by itself (0 = cut at the step limit) */
  readonly success: Uint32Array;
  readonly terminated: Uint32Array;
  /** [B, T] log π_old(a|o) and entropy of π_old in nats, stored at sampling time */
  readonly logp: Float32Array;
  readonly entropy: Float32Array;
  /** [B, T] and [B]: critic's V before each step and after the last; zeros without a critic */
  readonly value: Float32Array;
  readonly valueFinal: Float32Array;

  // Only some rollouts and environments produce what follows; a method that reads it says so in `needs`.

  /** [P] return of one greedy episode of each task, played with the same step limit */
  readonly greedyReturn?: Float32Array;
  /** [B, T] 1 = the action belongs to a plan, as the action format says */
  readonly planMask?: Uint8Array;
  /** [B] 1 = a demonstration: the solver chose the actions, `logp` is what the policy would have given them */
  readonly demo?: Uint8Array;
  /** [B] player that the trajectory belongs to; without it all are one player */
  readonly role?: Uint32Array;
  /** [B] trajectory it was forked from (−1: none) and its first own step; the shared steps are repeated in the child */
  readonly branchParent?: Int32Array;
  readonly branchStep?: Uint32Array;
  /** [B, T] log π_φ(a|o) of the process model φ, before this batch trains it */
  readonly logpPhi?: Float32Array;
  /** [B, T, C] cells of the observation before each step; C follows from the size */
  readonly obsCells?: Uint8Array;
};

/** Names of the arrays an estimator may say it `needs`. */
export type BatchField = Exclude<keyof Batch, 'P' | 'G' | 'B' | 'T'>;

/** Trajectory indices of each task group, in order of first appearance. */
export function groupsOf(batch: Pick<Batch, 'B' | 'taskIndex'>): number[][] {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < batch.B; i++) {
    const g = batch.taskIndex[i]!;
    const members = groups.get(g);
    if (members) members.push(i);
    else groups.set(g, [i]);
  }
  return [...groups.values()];
}

/** Writes one value to every real step of trajectory i. */
export function fillSteps(A: Float32Array, batch: Pick<Batch, 'T' | 'length'>, i: number, value: number): void {
  A.fill(value, i * batch.T, i * batch.T + batch.length[i]!);
}

/** Flat indices of the real steps of the given trajectories, in order. */
export function stepsOf(batch: Pick<Batch, 'T' | 'length'>, trajectories: Iterable<number>): number[] {
  const steps: number[] = [];
  for (const i of trajectories) {
    for (let t = 0; t < batch.length[i]!; t++) steps.push(i * batch.T + t);
  }
  return steps;
}

/** Returns-to-go G[i,t] = Σ_{k≥t} γ^{k−t} r[i,k]; stops at a cut without bootstrap. */
export function returnsToGo(batch: Pick<Batch, 'B' | 'T' | 'length' | 'reward'>, gamma: number): Float32Array {
  const G = new Float32Array(batch.B * batch.T);
  for (let i = 0; i < batch.B; i++) {
    let carry = 0;
    for (let t = batch.length[i]! - 1; t >= 0; t--) {
      carry = batch.reward[i * batch.T + t]! + gamma * carry;
      G[i * batch.T + t] = carry;
    }
  }
  return G;
}
