import type { RowPlan } from '../../../contract/rows.ts';
import { settings } from '../../../core/settings.ts';
import { defineRollout, type RowContext, type RowsSeen } from '../types.ts';

type Seen = RowsSeen<'action' | 'length' | 'outcome'>;

/** Steps at the start of a row that made its plan; 0 where nobody plans. */
function planSteps(seen: Pick<Seen, 'action' | 'length'>, { env, level, T }: RowContext, row: number): number {
  const roles = env.decides?.(level(row));
  let t = 0;
  while (roles && t + 1 < seen.length[row]! && roles[seen.action[row * T + t]!] === 'plan') t++;
  return t;
}

/** Place of a group's rows among its plans for further executions: plan by plan in turn, or all to the first of the best. */
function parentOf(plans: readonly number[], k: number, outcome: ArrayLike<number>, of: string): number {
  if (of === 'every') return plans[k % plans.length]!;
  return plans.reduce((best, row) => (outcome[row]! > outcome[best]! ? row : best));
}

/**
 * HiMAC: each task gets N plans, which are followed once, and the rest of its episodes follow one of them again from its last
 * entry on: every plan in turn (`nested`, this lab’s one-batch form), or all of them the best plan of the task, the first of
 * equal ones. Executions are sampled; the paper executes the plans themselves greedily.
 */
export const blueprints = defineRollout({
  id: 'blueprints',
  title: 'Several executions of a plan (HiMAC)',
  rev: 1,
  source: { title: 'HiMAC', arxiv: '2603.00977', level: 'digest' },
  formula: 'z_1 … z_N ~ π(plan | o);  executions of z_j, or of z* = argmax R',
  look: 'Episodes of one plan begin alike. Plans that differ in success are told apart; so are executions of one plan.',
  also: 'blueprint, macro, micro, planner, executor, hierarchy',
  forks: true,
  wants: 'decides',
  needs: ['action', 'length', 'outcome'],
  params: settings({
    plans: {
      ...{ kind: 'integer', label: 'Plans of a task', default: 4, min: 1, max: 512, formula: 'N' },
      doc: 'The rest of the G episodes of a group follow a plan again.',
    },
    again: {
      kind: 'choice',
      label: 'Followed again',
      default: 'every',
      options: ['every', 'best'],
      optionLabels: ['every plan, in turn (nested)', 'the best plan of the task'],
      doc: 'Nested compares plans by the mean of their executions; the best alone teaches who acts.',
    },
  }),
  fresh: ({ plans }, G) => Math.min(plans, G),
  next(seen, context, { again }): RowPlan[] {
    const { B, P } = context;
    const rows: RowPlan[] = [];
    const groups = Array.from({ length: P }, (_, task) =>
      Array.from({ length: seen.count }, (_row, i) => i).filter((i) => context.tasks[i] === task),
    );
    const missing = Math.floor((B - seen.count) / P);
    groups.forEach((plans, task) => {
      for (let k = 0; k < missing; k++) {
        const parent = parentOf(plans, k, seen.outcome, again);
        rows.push({ task, origin: 'fork', parent, branchStep: planSteps(seen, context, parent) });
      }
    });
    return rows;
  },
});
