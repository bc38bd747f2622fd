import type { Batch } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { normalizeHeads } from './segments.ts';
import { GOAL, stateGraph, stepsToGoal, type StateGraph } from './stateGraph.ts';
import { outcomeCredit, sumOfParts } from './trajectoryCredit.ts';

const params = settings({
  omega: common.omega,
  decay: {
    kind: 'number',
    label: 'Distance decay',
    default: 0.1,
    min: 0.01,
    max: 0.99,
    doc: 'What each further step to the goal leaves of the step reward.',
    formula: 'w',
  },
});

/**
 * How far from the goal a step leads, whatever became of its own episode.
 *
 *   d(s)   = steps from s to the goal in the graph of all episodes of the task group; the largest plus 1 if no way is known
 *   A[i,t] = Normalize(R over the task group) + ω·Normalize(w^d(s′) over the steps that start in the same state)
 *
 * The released recipe and the description differ by one factor w, which the spread cancels. A task that nobody solved has
 * no step part.
 */
export const graphGpo = defineEstimator({
  id: 'graphGpo',
  title: 'GraphGPO',
  rev: 1,
  source: { title: 'Beyond Trajectory-Level Attribution', arxiv: '2605.26684', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'stateKey', 'finalStateKey', 'success'],
  formula: 'A = normalize(R over the task group) + ω · normalize(w^(steps from s′ to the goal) over equal states)',
  look: 'Steps of failed episodes that led closer to a goal which others reached turn positive.',
  params,
  parts: ['episode', 'step'],
  run(batch, { omega, decay }) {
    const graph = stateGraph(batch);
    const parts = {
      episode: outcomeCredit(batch, 'std', 'trajectories'),
      // equal states are one node
      step: normalizeHeads(nearness(batch, graph, decay), graph.from, 'std').map((x) => omega * x),
    };
    return { A: sumOfParts(parts), parts };
  },
});

/** w^d of the state after each step. */
function nearness({ B, T, length, taskIndex }: Batch, graph: StateGraph, decay: number): Float64Array {
  const { from, to } = graph;
  const distance = stepsToGoal(graph);
  const farthest = new Float64Array(Math.max(0, ...taskIndex) + 1);
  for (let i = 0; i < B; i++) {
    for (let k = i * T; k < i * T + length[i]!; k++) {
      const d = distance[from[k]!]!;
      if (d < Infinity && d > farthest[taskIndex[i]!]!) farthest[taskIndex[i]!] = d;
    }
  }
  const power = new Float64Array(B * T + 2).fill(1);
  for (let d = 1; d < power.length; d++) power[d] = power[d - 1]! * decay;
  const near = new Float64Array(B * T);
  for (let i = 0; i < B; i++) {
    const unknown = power[farthest[taskIndex[i]!]! + 1]!;
    for (let k = i * T; k < i * T + length[i]!; k++) {
      const d = to[k] === GOAL ? 0 : distance[to[k]!]!;
      near[k] = d < Infinity ? power[d]! : unknown;
    }
  }
  return near;
}
