import { fillSteps, returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { greedyTerms } from './explainSteps.ts';
import { given } from './given.ts';

const params = settings({
  form: {
    kind: 'choice',
    label: 'Compared return',
    default: 'outcome',
    options: ['outcome', 'toGo'],
    optionLabels: ['of the whole episode', 'from the step on'],
    doc: 'What is compared with the greedy episode; both are equal when only the end pays.',
  },
});

/**
 * The return of a greedy episode of the same task is the baseline.
 *
 *   A[i,t] = R[i] − b[g]                     b[g] = return of the greedy episode of i's task
 *   A[i,t] = Σ_{k≥t} r[i,k] − b[g]           with `toGo`: a partial return against a whole episode
 *
 * Works with one trajectory per task. All trajectories of a task may get negative credit at once.
 */
export const remax = defineEstimator({
  id: 'remax',
  title: 'ReMax',
  rev: 1,
  source: { title: 'ReMax', arxiv: '2310.10505', level: 'code' },
  needs: ['outcome', 'reward', 'taskIndex', 'length', 'greedyReturn'],
  formula: 'A[i,t] = R[i] − return of a greedy episode of the same task',
  look: 'As the policy sharpens, credit shrinks to how much better or worse sampling did than the greedy episode.',
  params,
  alone: () => 'anyway',
  run(batch, { form }) {
    const greedy = given(batch, 'greedyReturn');
    const A = form === 'toGo' ? returnsToGo(batch, 1) : new Float32Array(batch.B * batch.T);
    for (let i = 0; i < batch.B; i++) {
      const b = greedy[batch.taskIndex[i]!]!;
      if (form === 'outcome') fillSteps(A, batch, i, batch.outcome[i]! - b);
      else for (let t = 0; t < batch.length[i]!; t++) A[i * batch.T + t]! -= b;
    }
    return { A };
  },
  explain: (batch, { form }, step) => greedyTerms(batch, given(batch, 'greedyReturn'), form, step),
  scratch: ({ form }) => (form === 'toGo' ? 2 : 1),
  gpu: (ops, { form }) => ({
    A: ops.combine(1, form === 'toGo' ? ops.returnsToGo(ops.reward, 1) : ops.outcome, -1, ops.ofTask('greedyReturn')),
  }),
});
