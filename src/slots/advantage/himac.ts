import { normalize } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { STEP_ROLES } from '../../contract/units.ts';
import { defineEstimator } from '../types.ts';
import { given } from './given.ts';
import { nestedCredit } from './hierarchy/himac.ts';
import type { Batch } from '../../contract/columns.ts';

const PLAN = STEP_ROLES.indexOf('plan');

type Trees = Pick<Batch, 'B' | 'taskIndex' | 'outcome' | 'branchParent'>;

/** The row whose plan each row follows. */
const plansOf = (batch: Trees): Int32Array =>
  given(batch, 'branchParent').map((parent, i) => (parent < 0 ? i : parent));

/**
 * The best plan alone teaches who acts: plans are compared by their first executions, and further executions among those of
 * their plan; the first ones teach nothing about acting.
 */
export function bestCredit(batch: Trees): { readonly macro: Float32Array; readonly micro: Float32Array } {
  const { B, taskIndex, outcome } = batch;
  const parent = given(batch, 'branchParent');
  const [macro, micro] = [new Float32Array(B), new Float32Array(B)];
  const among = (rows: readonly number[], into: Float32Array): void =>
    normalize(
      rows.map((i) => outcome[i]!),
      'std',
    ).forEach((a, k) => (into[rows[k]!] = a));
  const rows = Array.from({ length: B }, (_, i) => i);
  const tasks = new Set(Array.from(taskIndex));
  for (const task of tasks)
    among(
      rows.filter((i) => parent[i]! < 0 && taskIndex[i] === task),
      macro,
    );
  for (const plan of new Set(Array.from(parent)))
    if (plan >= 0)
      among(
        rows.filter((i) => parent[i] === plan),
        micro,
      );
  return { macro, micro };
}

/**
 * HiMAC without a critic: entries of a plan get how good the plan was, actions how good this execution of it was.
 *
 *   nested   plan: Normalise over the plans of the task of the mean R of its executions; actions: R among those of their plan
 *   best     plan: R of its first execution among those of the task; actions: R of further executions of the best plan
 */
export const himac = defineEstimator({
  id: 'himac',
  title: 'HiMAC',
  rev: 1,
  source: { title: 'HiMAC', arxiv: '2603.00977', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'decides', 'branchParent'],
  formula: 'A_macro = normalize(mean R of plan j) over plans;  A_micro = normalize(R) over executions of one plan',
  finePrint: [
    {
      on: 'phases',
      paper: 'Plans are trained in one update and execution in the next, each with the other frozen.',
      code: 'None found.',
      lab: 'Both in one batch, each on its own steps; or in turns, if the rollout says so.',
    },
    {
      on: 'execution of plans while they are compared',
      paper: 'Greedy.',
      code: 'None found.',
      lab: 'Sampled, so that a mean over executions says more than one of them; greedy in turns.',
    },
  ],
  look: 'The plan’s entries share one color; below it, executions of one plan differ.',
  also: 'macro, micro, blueprint, planner, executor, hierarchy, critic-free',
  params: settings({
    acts: {
      kind: 'choice',
      label: 'Who acts learns from',
      default: 'nested',
      options: ['nested', 'best'],
      optionLabels: ['all executions of each plan', 'new executions of a plan'],
      doc: 'Nested uses every episode for both levels; the other keeps plans and actions apart.',
    },
  }),
  alone: () => 'nothing',
  run(batch, { acts }) {
    const { B, T, length, taskIndex, outcome } = batch;
    const decides = given(batch, 'decides');
    const plan = plansOf(batch);
    const { macro, micro } = acts === 'nested' ? nestedCredit({ B, taskIndex, outcome, plan }) : bestCredit(batch);
    const A = new Float32Array(B * T);
    for (let i = 0; i < B; i++)
      for (let k = i * T; k < i * T + length[i]!; k++) A[k] = decides[k] === PLAN ? macro[i]! : micro[i]!;
    return { A };
  },
});
