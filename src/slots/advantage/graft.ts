import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { anchorHeads, countHeads, headsOfWords, normalizeHeads } from './segments.ts';
import { edgesBy, GOAL, stateGraph, type StateGraph } from './stateGraph.ts';

/** The iteration stops when no value moves by more than this: then it is within STILL·γ/(1 − γ) of the solution. */
const STILL = 1e-10;

const params = settings({
  gamma: {
    ...common.gamma,
    default: 0.99,
    max: 0.99,
    doc: 'How much of the goal’s value is left per step before it.',
  },
});

/**
 * The exact advantage on the graph that the episodes of a task group drew.
 *
 *   V(s)   = mean over the steps out of s of γ·V(s′),   V = 1 after a success and 0 after any other end
 *   A[i,t] = Normalize(γ·V(s′) − V(s)) over the steps that start in the same state
 *
 * The mean over steps is the empirical policy and the empirical world at once. A state with one way out has A = 0 (the
 * paper divides its difference by its own size instead). Only the one-step form: how the paper's graph form of GAE averages
 * later edges was not reached.
 */
export const graft = defineEstimator({
  id: 'graft',
  title: 'GRAFT (one step)',
  rev: 1,
  source: { title: 'Back to the Definition', arxiv: '2609.28963', level: 'text' },
  needs: ['taskIndex', 'length', 'stateKey', 'finalStateKey', 'success'],
  formula: 'A = normalize(γV(s′) − V(s)) over equal states, V solved on the graph of all episodes',
  look: 'Like the exact advantage wherever the episodes went; gray where they never disagreed.',
  params,
  alone: ({ gamma }) => (gamma > 0 ? 'revisits' : 'nothing'),
  comparesStatesAlone: () => true,
  run(batch, { gamma }) {
    const { now, next } = graphValues(stateGraph(batch), gamma);
    const delta = next.map((v, k) => gamma * v - now[k]!);
    return { A: normalizeHeads(delta, anchorHeads(batch), 'std') };
  },
});

/** V of the state before and after each step. */
export function graphValues(graph: StateGraph, gamma: number): { now: Float64Array; next: Float64Array } {
  const V = solveValues(graph, gamma);
  return {
    now: Float64Array.from(graph.from, (s) => (s < 0 ? 0 : V[s]!)),
    next: Float64Array.from(graph.to, (v, k) => (v === GOAL ? 1 : v < 0 || graph.failed[k] === 1 ? 0 : V[v]!)),
  };
}

/**
 * Bellman iteration in place, last nodes first. Steps between the same two nodes are one edge with their number as its
 * weight: V(s) = γ·(number of goals + Σ number·V(s′)) / visits of s.
 */
function solveValues({ nodes, from, to, failed }: StateGraph, gamma: number): Float64Array {
  const words = new Uint32Array(2 * from.length);
  const isInner = new Uint8Array(from.length);
  const visits = new Uint32Array(nodes);
  const goals = new Uint32Array(nodes);
  from.forEach((s, k) => {
    if (s < 0) return;
    visits[s]!++;
    if (to[k] === GOAL) goals[s]!++;
    else if (failed[k] === 0) isInner[k] = 1;
    words.set([s, isInner[k] === 1 ? to[k]! : 0], 2 * k);
  });
  const edges = headsOfWords(words, 2, isInner);
  const times = countHeads(edges);
  const out = edgesBy(
    nodes,
    edges.map((e, k) => (e === k ? from[k]! : -1)),
  );
  const target = out.edge.map((k) => to[k]!);
  const weight = Float64Array.from(out.edge, (k) => times[k]!);
  const V = new Float64Array(nodes);
  for (let moved = Infinity; moved > STILL;) {
    moved = 0;
    for (let s = nodes - 1; s >= 0; s--) {
      if (visits[s] === 0) continue;
      let total = goals[s]!;
      for (let e = out.start[s]!; e < out.start[s + 1]!; e++) total += weight[e]! * V[target[e]!]!;
      const value = (gamma * total) / visits[s]!;
      moved = Math.max(moved, Math.abs(value - V[s]!));
      V[s] = value;
    }
  }
  return V;
}
