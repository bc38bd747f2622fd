import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { aloneAsGiven, common } from './common.ts';
import { outcomeTerm } from './explain.ts';
import { familyCredit, familyTerm } from './families.ts';
import { outcomeCredit, outcomeOnGpu } from './trajectoryCredit.ts';

const params = settings({
  rows: common.rows,
  singleton: common.singleton,
  leaveFamilyOut: {
    kind: 'switch',
    label: 'Leave families out',
    default: false,
    doc: 'Compare a forked episode with other families only: forks share steps with their roots.',
  },
});

const needs = ['outcome', 'taskIndex', 'length'] as const;

/**
 * Leave-one-out baseline.
 *
 *   A[i,t] = R[i] − 1/(n−1) · Σ R[j]   over the other members j of i's task group of n
 *
 * Every step of a trajectory gets the same number. A group whose members agree, or a group of one, gets 0. With `rows`
 * 'steps' (verl-agent) members are steps: A = (R[i] − mean)·N/(N−1) over the N = Σ T_j steps of the group, and the others
 * of a step hold the other steps of its own trajectory.
 *
 * With `leaveFamilyOut` the others are those of other families, a root and all of its forks being one. Forks share steps with
 * each other, so that a baseline from the own family is not independent of these steps: RLOO stays unbiased only without it.
 */
export const rloo = defineEstimator({
  id: 'rloo',
  title: 'RLOO',
  rev: 1,
  source: { title: 'Back to Basics', arxiv: '2402.14740', level: 'code' },
  needs,
  formula: 'A[i,t] = R[i] − mean of R over the other members of the task group',
  look: 'One color per trajectory, n/(n−1) times as strong as Dr. GRPO. Gray rows are groups that agree.',
  params,
  // by families, steps of its own are no others
  alone: ({ rows, singleton, leaveFamilyOut }) =>
    aloneAsGiven({ singleton, rows: leaveFamilyOut ? 'trajectories' : rows }),
  made: ({ leaveFamilyOut }) => ({ ok: true, facts: leaveFamilyOut ? { needs: [...needs, 'branchParent'] } : {} }),
  run: (batch, { rows, singleton, leaveFamilyOut }) => ({
    A: leaveFamilyOut ? familyCredit(batch, rows, singleton) : outcomeCredit(batch, 'leaveOneOut', rows, singleton),
  }),
  scratch: () => 1,
  // no operation compares with those of other families
  onGpu: ({ leaveFamilyOut }) => !leaveFamilyOut,
  gpu: (ops, { rows, singleton }) => ({ A: outcomeOnGpu(ops, 'leaveOneOut', rows, singleton) }),
  explain: (batch, { rows, singleton, leaveFamilyOut }, step) => ({
    terms: [
      leaveFamilyOut
        ? familyTerm(batch, step, rows, singleton)
        : outcomeTerm('outcome', batch, step, { rule: 'leaveOneOut', rows, singleton }),
    ],
  }),
});
