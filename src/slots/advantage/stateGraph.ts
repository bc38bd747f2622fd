import type { Batch } from '../../contract/columns.ts';
import { headsOfWords, realSteps } from './segments.ts';

/** Instead of a node: the episode reached its goal with this step. */
export const GOAL = -2;

/**
 * All episodes of a task group merged into one graph: equal states are one node, every step is an edge (arXiv 2605.26684,
 * 2606.22995, 2609.28963). Nodes are numbers below `nodes`; the graphs of different tasks share no node.
 */
export type StateGraph = {
  readonly nodes: number;
  /** [B, T] node before the step; −1 on padding and on steps that write */
  readonly from: Int32Array;
  /** [B, T] node after the step, `GOAL` after the last step of a success; −1 where `from` is */
  readonly to: Int32Array;
  /** [B, T] 1 = last step of an episode that did not reach the goal, whether it ended by itself or was cut */
  readonly failed: Uint8Array;
};

/**
 * The graph of the states that the episodes went through; final states of failures are nodes too. Steps in which the world
 * stands still while something is written are on no edge: a step leads to the state after what was written behind it.
 */
export function stateGraph(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'finalStateKey' | 'success' | 'apart'>,
): StateGraph {
  const { B, T, length, taskIndex, apart } = batch;
  const n = B * T;
  const words = new Uint32Array((n + B) * 3);
  const isNode = new Uint8Array(n + B);
  isNode.set(realSteps(batch));
  apart?.forEach((isApart, k) => {
    if (isApart === 1) isNode[k] = 0;
  });
  for (let i = 0; i < B; i++) {
    for (let t = 0; t < length[i]!; t++) {
      const k = i * T + t;
      words.set([taskIndex[i]!, batch.stateKey[2 * k]!, batch.stateKey[2 * k + 1]!], 3 * k);
    }
    words.set([taskIndex[i]!, batch.finalStateKey[2 * i]!, batch.finalStateKey[2 * i + 1]!], 3 * (n + i));
    isNode[n + i] = 1 - batch.success[i]!;
  }
  const node = headsOfWords(words, 3, isNode);
  const to = new Int32Array(n).fill(-1);
  const failed = new Uint8Array(n);
  for (let i = 0; i < B; i++) {
    let after = batch.success[i] === 1 ? GOAL : node[n + i]!;
    let isLast = true;
    for (let k = i * T + length[i]! - 1; k >= i * T; k--) {
      if (isNode[k] === 0) continue;
      to[k] = after;
      if (isLast) failed[k] = 1 - batch.success[i]!;
      isLast = false;
      after = node[k]!;
    }
  }
  return { nodes: n + B, from: node.subarray(0, n), to, failed };
}

/**
 * Steps from each node to the goal along edges that some episode took; Infinity where no episode shows a way.
 * Breadth first from the goal, against the edges.
 */
export function stepsToGoal({ nodes, from, to }: StateGraph): Float64Array {
  const distance = new Float64Array(nodes).fill(Infinity);
  const into = edgesBy(nodes, to);
  const queue: number[] = [];
  const reach = (k: number, d: number): void => {
    if (distance[from[k]!]! < Infinity) return;
    distance[from[k]!] = d;
    queue.push(from[k]!);
  };
  for (let k = 0; k < to.length; k++) if (to[k] === GOAL) reach(k, 1);
  for (let at = 0; at < queue.length; at++) {
    const v = queue[at]!;
    for (let e = into.start[v]!; e < into.start[v + 1]!; e++) reach(into.edge[e]!, distance[v]! + 1);
  }
  return distance;
}

/** The edges of each node when `end[k]` is the node of edge k: `edge[start[v] … start[v + 1])`; other ends are left out. */
export function edgesBy(nodes: number, end: Int32Array): { start: Uint32Array; edge: Uint32Array } {
  const start = new Uint32Array(nodes + 1);
  for (const v of end) if (v >= 0) start[v + 1]!++;
  for (let v = 0; v < nodes; v++) start[v + 1]! += start[v]!;
  const free = start.slice();
  const edge = new Uint32Array(start[nodes]!);
  end.forEach((v, k) => {
    if (v >= 0) edge[free[v]!++] = k;
  });
  return { start, edge };
}
