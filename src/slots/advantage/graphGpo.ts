import type { Batch } from '../../contract/columns.ts';
import { mostOf } from '../../core/batch.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineEstimator, type Credit } from '../types.ts';
import { common } from './common.ts';
import { normalizeHeads } from './segments.ts';
import { GOAL, stateGraph, stepsToGoal, type StateGraph } from './stateGraph.ts';
import { outcomeCredit, sumOfParts } from './trajectoryCredit.ts';

/** What a step that ends at the goal earns. */
const AT_GOAL = 10;

export const graphGpoParams = settings({
  omega: common.omega,
  omegaEpisode: {
    kind: 'number',
    label: 'Episode weight',
    default: 1,
    min: 0,
    max: 10,
    doc: 'Weight of the episode part; at 0 only the graph counts (recipe option).',
    formula: 'ωₑ',
  },
  decay: {
    kind: 'number',
    label: 'Distance decay',
    default: 0.8,
    min: 0.01,
    max: 0.99,
    doc: 'Share of the step reward left per further step to the goal; at 0.1, nothing after 6.',
    formula: 'w',
  },
  mode: common.mode,
  pays: {
    kind: 'choice',
    label: 'A step is paid for',
    default: 'distance',
    options: ['distance', 'progress'],
    optionLabels: ['the distance it leads to', 'the distance it gains (recipe option)'],
    doc: 'Pay for where a step leads, or for how much closer that is than where it started.',
  },
  rows: common.rows,
});

/**
 * How far from the goal a step leads, whatever became of its own episode.
 *
 *   d(s)   = steps from s to the goal in the graph of all episodes of the task group; the largest plus 1 if no way is known
 *   r̃[i,t] = 10·w^d(s′)     with `progress` 10·w^(d(s′) − d(s) + 1)
 *   A[i,t] = ωₑ·Normalize(R over the task group) + ω·Normalize(r̃ over the steps that start in the same state)
 *
 * Scale and default as released: a success pays 10, and w is 0.8 in the authors' Sokoban script (0.2 in WebShop, 0.1 in
 * ALFWorld). The scale matters, because ε and the rule for sets that agree are absolute: from the d on at which
 * 10·w^d·(1 − w) ≤ 1e-5, steps that lead to d and to d + 1 count as equal. That is d = 55 at w = 0.8, 9 at 0.2 and 6 at 0.1.
 * A task that nobody solved has no step part. The recipe counts a trajectory once for each of its steps in the episode
 * part (`rows`).
 */
export const graphGpo = defineEstimator({
  id: 'graphGpo',
  title: 'GraphGPO',
  rev: 2,
  source: { title: 'Beyond Trajectory-Level Attribution', arxiv: '2605.26684', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length', 'stateKey', 'finalStateKey', 'success'],
  formula:
    'A = ωₑ · normalize(R over the task group) + ω · normalize(10·w^(steps from s′ to the goal) over equal states)',
  look: 'Steps of failed episodes that led closer to a goal which others reached turn positive.',
  params: graphGpoParams,
  parts: ['episode', 'step'],
  alone: ({ omega }) => (omega > 0 ? 'revisits' : 'nothing'),
  comparesStatesAlone: ({ omegaEpisode }) => omegaEpisode === 0,
  run: (batch, values) => creditOverGraph(batch, stateGraph(batch), values),
});

/** The credit of a graph whose nodes are the states that count as equal. */
export function creditOverGraph(batch: Batch, graph: StateGraph, values: ValuesOf<typeof graphGpoParams>): Credit {
  const { omega, omegaEpisode, decay, mode, pays, rows } = values;
  const reward = graphReward(batch, graph, decay, pays);
  const parts = {
    episode: outcomeCredit(batch, mode, rows).map((x) => omegaEpisode * x),
    step: normalizeHeads(reward, graph.from, mode).map((x) => omega * x),
  };
  return { A: sumOfParts(parts), parts };
}

/** r̃ of every step, [B, T]. */
export function graphReward(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex'>,
  graph: StateGraph,
  decay: number,
  pays: 'distance' | 'progress' = 'distance',
): Float64Array {
  const { before, after } = distances(batch, graph);
  // a step gains at most 1, and at most loses what a node without a known way counts more than the farthest
  const power = new Float64Array(batch.B * batch.T + 3).fill(AT_GOAL);
  for (let d = 1; d < power.length; d++) power[d] = power[d - 1]! * decay;
  const reward = new Float64Array(graph.from.length);
  for (let k = 0; k < reward.length; k++) {
    if (graph.from[k]! < 0) continue;
    reward[k] = power[pays === 'progress' ? after[k]! - before[k]! + 1 : after[k]!]!;
  }
  return reward;
}

/** d of the state before and after each step; a state without a known way is one step farther than the farthest. */
export function distances(
  { B, T, length, taskIndex }: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex'>,
  graph: StateGraph,
): { before: Float64Array; after: Float64Array } {
  const { from, to } = graph;
  const distance = stepsToGoal(graph);
  const farthest = new Float64Array(1 + mostOf(taskIndex));
  for (let i = 0; i < B; i++) {
    for (let k = i * T; k < i * T + length[i]!; k++) {
      const d = distance[from[k]!]!;
      if (d < Infinity && d > farthest[taskIndex[i]!]!) farthest[taskIndex[i]!] = d;
    }
  }
  const known = (k: number, d: number): number => Math.min(d, farthest[taskIndex[Math.floor(k / T)]!]! + 1);
  const isReal = (k: number): boolean => from[k]! >= 0;
  return {
    before: Float64Array.from(from, (s, k) => (isReal(k) ? known(k, distance[s]!) : 0)),
    after: Float64Array.from(to, (v, k) => (!isReal(k) || v === GOAL ? 0 : known(k, distance[v]!))),
  };
}
