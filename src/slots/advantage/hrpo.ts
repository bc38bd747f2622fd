import type { Batch } from '../../contract/columns.ts';
import { segmentsIn } from '../../contract/followed.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { aloneAsGiven, common } from './common.ts';
import { outcomeTerm } from './explain.ts';
import { outcomeCredit } from './trajectoryCredit.ts';

/** Was choosing a subgoal rational? [B, T] +1 where it was reached before the next choice, −1 where it held already, else 0. */
export function rationality(batch: Batch): Float32Array {
  const u = new Float32Array(batch.B * batch.T);
  for (const { row, chosenAt, held, reached } of segmentsIn(batch))
    if (chosenAt >= 0) u[row * batch.T + chosenAt] = held ? -1 : Number(reached);
  return u;
}

/**
 * The outcome compared in the group, and for the choice of a subgoal an absolute reward on top:
 *
 *   A[i,t] = Normalise_group(R)[i] + μ·u[i,t]     u = +1 reached before the next choice, −1 held when it was chosen, 0 else
 *
 * u is not compared with the group, so it changes how much the policy likes to choose at all. Restated from the abstract of
 * HRPO (MasHost), where a decision adds a role to a team of agents: the formula is this lab's.
 */
export const hrpo = defineEstimator({
  id: 'hrpo',
  title: 'HRPO',
  rev: 1,
  source: { title: 'MasHost', arxiv: '2506.08507', level: 'restated' },
  needs: ['outcome', 'taskIndex', 'length', 'decides', 'subgoal', 'subgoalHeld'],
  formula: 'A[i,t] = (R[i] − mean R)/std R + μ·u[i,t]',
  look: 'Where a subgoal is chosen that soon holds, its step is more orange than the rest of its episode.',
  also: 'hierarchical relative policy optimization, subgoal, rational, MasHost',
  parts: ['episode', 'choice'],
  params: settings({
    mu: {
      ...{ kind: 'number', label: 'Weight of the choice', default: 0.5, min: 0, max: 10, formula: 'μ' },
      doc: 'How much a subgoal that is reached counts beside the outcome.',
    },
    rows: common.rows,
    singleton: common.singleton,
  }),
  alone: ({ mu, rows, singleton }) => (mu > 0 ? 'anyway' : aloneAsGiven({ rows, singleton })),
  run(batch, { mu, rows, singleton }) {
    const episode = outcomeCredit(batch, 'std', rows, singleton);
    const choice = rationality(batch).map((u) => mu * u);
    return { A: episode.map((a, k) => a + choice[k]!), parts: { episode, choice } };
  },
  explain(batch, { mu, rows, singleton }, step) {
    const u = rationality(batch)[step]!;
    return {
      terms: [
        outcomeTerm('episode', batch, step, { rule: 'std', rows, singleton }),
        {
          ...{ name: 'choice', value: Math.fround(mu * u), formula: 'μ·u', filled: `${mu}·${u} = ${mu * u}` },
          quantities: [
            { symbol: 'μ', value: mu, what: 'weight of the choice' },
            { symbol: 'u', value: u, what: '1: reached before the next choice, −1: it held already' },
          ],
        },
      ],
    };
  },
});
