import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { anchorHeads, countHeads, normalizeHeads } from './segments.ts';
import { GOAL, stateGraph, type StateGraph } from './stateGraph.ts';

/** The iteration stops when no value moves by more than this; it needs about ln(1e12)/(1 − γ) sweeps at most. */
const STILL = 1e-12;

const params = settings({
  gamma: {
    kind: 'number',
    label: 'Discount',
    default: 0.99,
    min: 0,
    max: 0.99,
    doc: 'What each step on the way leaves of the value of the goal.',
    formula: 'γ',
  },
});

/**
 * The exact advantage on the graph that the episodes of a task group drew.
 *
 *   V(s)   = mean over the steps out of s of γ·V(s′),   V = 1 after a success and 0 after any other end
 *   A[i,t] = Normalize(γ·V(s′) − V(s)) over the steps that start in the same state
 *
 * The mean over steps is the empirical policy and the empirical world at once. A state with one way out has A = 0. Only the
 * one-step form: how the paper's graph form of GAE averages later edges was not reached.
 */
export const graft = defineEstimator({
  id: 'graft',
  title: 'GRAFT (one step)',
  rev: 1,
  source: { title: 'Back to the Definition', arxiv: '2609.28963', level: 'text' },
  needs: ['taskIndex', 'length', 'stateKey', 'finalStateKey', 'success'],
  formula: 'A = normalize(γV(s′) − V(s)) over equal states, V solved on the graph of all episodes',
  look: 'Like the exact advantage where the episodes went; gray where they never disagreed.',
  params,
  run(batch, { gamma }) {
    const { now, next } = graphValues(stateGraph(batch), gamma);
    const delta = next.map((v, k) => gamma * v - now[k]!);
    return { A: normalizeHeads(delta, anchorHeads(batch), 'std') };
  },
});

/** V of the state before and after each step, by Bellman iteration over all edges. */
export function graphValues(
  { nodes, from, to, failed }: StateGraph,
  gamma: number,
): { now: Float64Array; next: Float64Array } {
  const visits = countHeads(from);
  let V = new Float64Array(nodes);
  const after = (k: number): number => {
    if (to[k] === GOAL) return 1;
    return to[k]! < 0 || failed[k] === 1 ? 0 : V[to[k]!]!;
  };
  for (let moved = Infinity; moved > STILL;) {
    const total = new Float64Array(nodes);
    for (let k = 0; k < from.length; k++) if (from[k]! >= 0) total[from[k]!]! += gamma * after(k);
    moved = 0;
    for (let s = 0; s < from.length; s++) {
      if (visits[s] === 0) continue;
      total[s]! /= visits[s]!;
      moved = Math.max(moved, Math.abs(total[s]! - V[s]!));
    }
    V = total;
  }
  return {
    now: Float64Array.from(from, (s) => (s < 0 ? 0 : V[s]!)),
    next: Float64Array.from(to, (_, k) => (from[k]! < 0 ? 0 : after(k))),
  };
}
