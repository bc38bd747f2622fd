import type { RowPlan } from '../../../contract/rows.ts';
import { settings } from '../../../core/settings.ts';
import { STEP_ROLES } from '../../../contract/units.ts';
import { defineRollout, type RowContext, type RowsSeen } from '../types.ts';

type Seen = RowsSeen<'action' | 'length' | 'outcome'>;

/** Steps at the start of a row that made its plan; 0 where nobody plans. */
function planSteps(seen: Pick<Seen, 'action' | 'length'>, { env, level, T }: RowContext, row: number): number {
  const roles = env.decides?.(level(row));
  let t = 0;
  while (roles && t + 1 < seen.length[row]! && roles[seen.action[row * T + t]!] === 'plan') t++;
  return t;
}

/** Bits of the actions of who acts. */
function actedBits({ env, level }: RowContext, row: number): number {
  const roles = env.decides?.(level(row)) ?? [];
  return roles.reduce((bits, role, a) => (role === STEP_ROLES[0] ? bits | (1 << a) : bits), 0) >>> 0;
}

/** Whether an update is one of the executor’s, where planner and executor learn in turns: it begins, as plans fail at first. */
const isExecutors = (update: number): boolean => update % 2 === 0;

/** Place of a group's rows among its plans for further executions: plan by plan in turn, or all to the first of the best. */
function parentOf(plans: readonly number[], k: number, outcome: ArrayLike<number>, of: string): number {
  if (of === 'every') return plans[k % plans.length]!;
  return plans.reduce((best, row) => (outcome[row]! > outcome[best]! ? row : best));
}

/**
 * HiMAC: each task gets N plans, which are followed once, and the rest of its episodes follow one of them again from its last
 * entry on: every plan in turn (`nested`, this lab’s one-batch form), or all of them the best plan of the task, the first of
 * equal ones.
 *
 * At once, both levels learn from every batch and executions are sampled. In turns, as in the paper, plans are followed greedily,
 * so that a return is the plan’s; updates alternate between the planner’s, in which all G episodes are plans, and the
 * executor’s, in which N plans only choose z* and the others follow it. The executor begins, because plans fail while nobody can
 * carry them out.
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
  finePrint: [
    {
      on: 'tasks of the two phases',
      paper: 'Executions follow the best plan that the phase before found for the same task.',
      code: 'None found.',
      lab: 'Tasks are new in every update: N plans, which do not train, choose the best one.',
    },
  ],
  params: settings({
    learn: {
      kind: 'choice',
      label: 'Plans and actions learn',
      default: 'together',
      options: ['together', 'turns'],
      optionLabels: ['in every update', 'in turns (paper)'],
      doc: 'In turns, every other update trains plans alone, followed greedily, and the next one actions.',
    },
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
      when: { setting: 'learn', is: ['together'] },
    },
  }),
  warns: (_params, { decides }) =>
    decides.length > 0 && !decides.includes('plan')
      ? 'finds no plans to follow again: subgoals have to be chosen as a plan, or episodes are only forked at their first step'
      : null,
  fresh: ({ plans }, G) => Math.min(plans, G),
  first(context, { learn }): RowPlan[] {
    const { tasks, update } = context;
    if (learn === 'together') return Array.from(tasks, (task) => ({ task, origin: 'own' }));
    const trains = !isExecutors(update);
    return Array.from(tasks, (task, i) => ({ task, origin: 'own', trains, likely: actedBits(context, i) }));
  },
  next(seen, context, { again, learn }): RowPlan[] {
    const { B, P } = context;
    const rows: RowPlan[] = [];
    const groups = Array.from({ length: P }, (_, task) =>
      Array.from({ length: seen.count }, (_row, i) => i).filter((i) => context.tasks[i] === task),
    );
    const missing = Math.floor((B - seen.count) / P);
    const isPlanners = learn === 'turns' && !isExecutors(context.update);
    groups.forEach((plans, task) => {
      const likely = isPlanners ? actedBits(context, plans[0]!) : 0;
      for (let k = 0; k < missing; k++) {
        if (isPlanners) {
          rows.push({ task, origin: 'late', likely });
          continue;
        }
        const parent = parentOf(plans, k, seen.outcome, learn === 'turns' ? 'best' : again);
        rows.push({ task, origin: 'fork', parent, branchStep: planSteps(seen, context, parent) });
      }
    });
    return rows;
  },
});
