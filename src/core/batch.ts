/** Which group each of B rows belongs to. */
export type Grouped = { readonly B: number; readonly taskIndex: Uint32Array };
/** Real steps of each row, row-major [B, T]. */
export type Stepped = { readonly T: number; readonly length: Uint32Array };

/** Trajectory indices of each task group, in order of first appearance. */
export function groupsOf(batch: Grouped): number[][] {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < batch.B; i++) {
    const g = batch.taskIndex[i]!;
    const members = groups.get(g);
    if (members) members.push(i);
    else groups.set(g, [i]);
  }
  return [...groups.values()];
}

/** Largest of many numbers that are no less than 0: too many to be handed to one call. */
export function mostOf(values: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < values.length; k++) most = Math.max(most, values[k]!);
  return most;
}

/** Writes one value to every real step of trajectory i. */
export function fillSteps(A: Float32Array, batch: Stepped, i: number, value: number): void {
  A.fill(value, i * batch.T, i * batch.T + batch.length[i]!);
}

/** Flat indices of the real steps of the given trajectories, in order. */
export function stepsOf(batch: Stepped, trajectories: Iterable<number>): number[] {
  const steps: number[] = [];
  for (const i of trajectories) {
    for (let t = 0; t < batch.length[i]!; t++) steps.push(i * batch.T + t);
  }
  return steps;
}

/** Returns-to-go G[i,t] = Σ_{k≥t} γ^{k−t} r[i,k]; stops at a cut without bootstrap. */
export function returnsToGo(
  batch: Stepped & { readonly B: number; readonly reward: Float32Array },
  gamma: number,
): Float32Array {
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

/**
 * Root of each row: the episode from the start that it was forked from, directly or through other forks; itself where it is
 * no fork. A root and its forks are one family. A parent that is no row of the same task, or a circle of parents, is none.
 */
export function rootsOf({ B, taskIndex, branchParent }: Grouped & { readonly branchParent: Int32Array }): Int32Array {
  const root = new Int32Array(B).fill(-1);
  for (let first = 0; first < B; first++) {
    const path: number[] = [];
    let i = first;
    for (;;) {
      path.push(i);
      const p = branchParent[i]!;
      if (root[i]! >= 0 || p < 0 || p >= B || taskIndex[p] !== taskIndex[i] || path.includes(p)) break;
      i = p;
    }
    const top = root[i]! >= 0 ? root[i]! : i;
    for (const j of path) root[j] = top;
  }
  return root;
}

/**
 * Share of some rows that is independent as far as common beginnings go: with n rows of each family, (Σn)² / Σn² of Σn. 1
 * without forks; 1/2 where each root has one fork.
 */
export function independentShare(root: ArrayLike<number>): number {
  const sizes = new Map<number, number>();
  for (let i = 0; i < root.length; i++) sizes.set(root[i]!, (sizes.get(root[i]!) ?? 0) + 1);
  let squares = 0;
  for (const n of sizes.values()) squares += n * n;
  return root.length / squares;
}
