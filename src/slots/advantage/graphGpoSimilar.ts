import type { Batch } from '../../contract/columns.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { creditOverGraph, graphGpoParams } from './graphGpo.ts';
import { likenessParams, similarHeads, tellsPlaces } from './similarity.ts';
import { stateGraph, type StateGraph } from './stateGraph.ts';

const params = settings({
  ...graphGpoParams,
  ...likenessParams,
});

/**
 * GraphGPO over a graph in which observations that look alike are one node, an option of the recipe (verl-agent,
 * `StateCanonicalizer` of recipe/GraphGPO/core_graph.py, 2026-06-09, which compares texts).
 *
 *   node(s) = the first cluster of its task group whose first member shares enough cells with s, in row order
 *
 * All else is as in `graphGpo`. The last state of an episode has no recorded observation: it is in the cluster of an equal
 * state that a step left, else a node of its own.
 */
export const graphGpoSimilar = defineEstimator({
  id: 'graphGpoSimilar',
  title: 'GraphGPO over similar states',
  rev: 1,
  source: { title: 'Beyond Trajectory-Level Attribution', arxiv: '2605.26684', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length', 'stateKey', 'finalStateKey', 'success', 'obsCells'],
  formula:
    'A = ωₑ · normalize(R over the task group) + ω · normalize(10·w^(steps to the goal) over similar observations)',
  look: 'More steps have a group than with GraphGPO, and ways that no episode went whole become known.',
  params,
  parts: ['episode', 'step'],
  alone: ({ omega, threshold }) => (omega === 0 ? 'nothing' : threshold === 0 ? 'anyway' : 'revisits'),
  comparesStatesAlone: ({ omegaEpisode }) => omegaEpisode === 0,
  hint: (values, cells) => tellsPlaces(values, cells),
  run: (batch, values) => creditOverGraph(batch, similarGraph(batch, values), values),
});

/** The graph of the states with those in one cluster as one node. */
export function similarGraph(batch: Batch, likeness: ValuesOf<typeof likenessParams>): StateGraph {
  const exact = stateGraph(batch);
  const head = similarHeads(batch, likeness);
  // a node below B·T is the first step that left the state
  const merged = (v: number): number => (v >= 0 && v < head.length ? head[v]! : v);
  return { ...exact, from: exact.from.map(merged), to: exact.to.map(merged) };
}
