/**
 * A tree of checkpoints: leaves are passed or not; a node's score is the mean of its children by weight, and a node is
 * passed where its score is at least `passAt` (1: all of its children must be). Parents stand before their children.
 */
export type CheckpointTree = {
  /** −1 for the root */
  readonly parent: readonly number[];
  readonly weight: readonly number[];
  /** 1 or 0 for a leaf, −1 for a node with children */
  readonly leafPass: readonly number[];
};

/**
 *   score(leaf) = passed or not     score(node) = Σ w_c·score(c) / Σ w_c over its children     passed = score ≥ passAt
 *
 * A node whose children all weigh nothing scores 0.
 */
export function scoreCheckpoints(
  { parent, weight, leafPass }: CheckpointTree,
  passAt: number,
): { score: Float64Array; passed: Uint8Array } {
  const n = parent.length;
  const score = Float64Array.from(leafPass, (pass) => Math.max(0, pass));
  const weights = new Float64Array(n);
  const sums = new Float64Array(n);
  for (let k = n - 1; k >= 0; k--) {
    if (leafPass[k]! < 0) score[k] = weights[k]! > 0 ? sums[k]! / weights[k]! : 0;
    const up = parent[k]!;
    if (up < 0) continue;
    weights[up]! += weight[k]!;
    sums[up]! += weight[k]! * score[k]!;
  }
  // a sum of shares of 1 may miss it by a rounding
  const passed = Uint8Array.from(score, (s) => (s >= passAt - 1e-12 ? 1 : 0));
  return { score, passed };
}
