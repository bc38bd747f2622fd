/** Episodes of a task in the order in which they were played. */
export type SearchedRows = {
  /** steps, success, and mean entropy of an episode as a share of ln|A| */
  length(row: number): number;
  isCorrect(row: number): boolean;
  meanEntropy(row: number): number;
  /** entropy before a step, as a share of ln|A| */
  entropy(row: number, t: number): number;
};

export type SearchRule = {
  readonly width: number;
  readonly maxDepth: number;
  readonly wValue: number;
  readonly wEntropy: number;
  readonly wDepth: number;
};

/** Where to go on: before this step of this episode; null: nothing is left but the start. */
export type Frontier = { readonly row: number; readonly step: number } | null;

/** Sum of a node after another value was backed up into it. */
export function backedUp(sum: number, value: number): number {
  // a success takes the place of failures; a failure never lowers what led to a success
  if (sum * value >= 0) return sum + value;
  return value > 0 ? value : sum;
}

/**
 * The search tree of one task. A node is a prefix: the state after a step, named by the episode that sampled the step.
 */
export class SearchTree {
  private readonly rows: SearchedRows;
  private readonly rule: SearchRule;
  /** episodes, and from where each went on */
  private readonly from: Frontier[] = [];
  private readonly value = new Map<string, number>();
  private readonly visits = new Map<string, number>();
  private readonly full = new Set<string>();

  constructor(rows: SearchedRows, rule: SearchRule) {
    this.rows = rows;
    this.rule = rule;
  }

  /** Name of the node before step t of an episode; the start is one for all. */
  private nodeAt(row: number, t: number): string {
    if (t === 0) return 'start';
    const from = this.from[row]!;
    return from && t <= from.step ? this.nodeAt(from.row, t) : `${row} ${t}`;
  }

  /** q of the node before step t of an episode: 0 where nothing was backed up. */
  q(row: number, t: number): number {
    const node = this.nodeAt(row, t);
    const n = this.visits.get(node) ?? 0;
    return n > 0 ? this.value.get(node)! / n : 0;
  }

  /** Episodes count … count + n − 1 went on from here; of those that were played, one is backed up. */
  expand(from: Frontier, n: number): void {
    const first = this.from.length;
    this.full.add(from ? this.nodeAt(from.row, from.step) : 'start');
    for (let k = 0; k < n; k++) this.from.push(from);
    const all = Array.from({ length: n }, (_, k) => first + k);
    const correct = all.filter((row) => this.rows.isCorrect(row));
    // of several, the one that was most sure of itself
    const [chosen] = (correct.length > 0 ? correct : all).toSorted(
      (a, b) => this.rows.meanEntropy(a) - this.rows.meanEntropy(b) || a - b,
    );
    if (chosen !== undefined) this.backUp(chosen, correct.length > 0 ? 1 : -1);
  }

  private backUp(row: number, outcome: 1 | -1): void {
    const n = this.rows.length(row);
    for (let t = n; t >= 0; t--) {
      const node = this.nodeAt(row, t);
      this.value.set(node, backedUp(this.value.get(node) ?? 0, outcome * Math.max(t / n, 0.1)));
      this.visits.set(node, (this.visits.get(node) ?? 0) + 1);
    }
  }

  /** F of the node before step t of an episode. */
  score(row: number, t: number): number {
    const { wValue, wEntropy, wDepth, maxDepth } = this.rule;
    return (
      wValue * Math.tanh(this.q(row, t - 1)) +
      wEntropy * this.rows.entropy(row, t) +
      wDepth * Math.sqrt(Math.min(1, t / maxDepth))
    );
  }

  /** The node of the largest F among all that were not expanded, the oldest of equal ones. */
  frontier(): Frontier {
    let best: Frontier = null;
    let most = -Infinity;
    for (let row = 0; row < this.from.length; row++) {
      const own = this.from[row]?.step ?? 0;
      // nodes of a shared prefix are asked about once, where they were sampled
      for (let t = own + 1; t < this.rows.length(row) && t <= this.rule.maxDepth; t++) {
        if (this.full.has(this.nodeAt(row, t))) continue;
        const F = this.score(row, t);
        if (F > most) [best, most] = [{ row, step: t }, F];
      }
    }
    return best;
  }
}

/** The tree of episodes that were expanded `width` at a time, each time where F was largest. */
export function grownTree(rows: SearchedRows, count: number, rule: SearchRule): SearchTree {
  const tree = new SearchTree(rows, rule);
  for (let played = 0; played < count; played += rule.width)
    tree.expand(played === 0 ? null : tree.frontier(), Math.min(rule.width, count - played));
  return tree;
}
