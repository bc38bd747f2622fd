import { settings, type ValuesOf } from '../../../core/settings.ts';
import type { RowPlan } from '../../../contract/rows.ts';
import { solve } from '../demonstrations/solver.ts';
import { defineRollout, type RowContext, type RowsSeen } from '../types.ts';
import { judgeOf } from './mistakes.ts';

const params = settings({
  repairs: {
    ...{ kind: 'number', label: 'Repairs', default: 0.5, min: 0, max: 1, unit: 'of a group' },
    doc: 'Share of each group that continues from failures; without a failure, fresh episodes.',
  },
  loss: {
    ...{ kind: 'number', label: 'A mistake loses', default: 0.02, min: 0, max: 1 },
    doc: 'A step is a mistake if the exact optimum loses more than this by it.',
    formula: '−A*',
  },
  gamma: {
    ...{ kind: 'number', label: 'Discount of the optimum', default: 0.95, min: 0.5, max: 0.999, formula: 'γ' },
    doc: 'Small: every detour is a mistake. Near 1: only what can hardly be made good again.',
  },
  tail: {
    kind: 'choice',
    label: 'After the repair',
    default: 'policy',
    options: ['policy', 'oracle'],
    optionLabels: ['the policy continues', 'the solver continues'],
    doc: 'The first stays close to what the policy does; where chance acts, it always continues.',
  },
});

type Seen = RowsSeen<'taskIndex' | 'length' | 'success' | 'state' | 'action'>;

/** The repair of a failed row: a fork at its first mistake, which begins with the best action; null: it made none. */
function repairOf(
  row: number,
  { taskIndex, length, state, action }: Seen,
  context: RowContext,
  { loss, gamma, tail }: ValuesOf<typeof params>,
): RowPlan | null {
  const { env, T } = context;
  const level = context.level(row);
  const judge = judgeOf(env, level, gamma);
  if (!judge) return null;
  const stateAt = (t: number): number => (row * (T + 1) + t) * env.words;
  let t = 0;
  while (t < length[row]! && judge.loss(state, stateAt(t), action[row * T + t]!) <= loss) t++;
  if (t === length[row]!) return null;
  const best = judge.best(state, stateAt(t));
  if (best === null) return null;
  const begins = state.slice(stateAt(t), stateAt(t + 1));
  const whole = tail === 'oracle' && env.chances(level) === 1 ? solve({ env, T: T - t, begins }, level, 0) : null;
  // before the mistake nothing is chosen: these steps are the parent's
  const actions = [...Array.from({ length: t }, () => -1), ...(whole ?? [best])];
  return { task: taskIndex[row]!, origin: 'fork', parent: row, branchStep: t, actions, measured: false };
}

/**
 * Failed episodes are repaired at their first mistake, and continue from there:
 *
 *   first t with A*(s_t, a_t) < −loss,  A* by the discounted chance of success under the best policy
 *   a_t ← argmax A*(s_t, ·), then the policy (or the solver) continues
 *
 * The repaired action trains as if the policy had chosen it, with the log π that it gave. Success does not count repairs. Levels
 * with more than 5,000 states are not judged: there all episodes are the policy’s own. Own rule: of the paper, in which a model
 * finds the mistake and a teacher rewrites the rest, only the abstract was reached.
 */
export const oracleRepair = defineRollout({
  id: 'oracleRepair',
  title: 'Repaired failures (SCOPE)',
  rev: 2,
  source: { title: 'SCOPE; own rule', arxiv: '2602.24110', level: 'abstract' },
  formula: 'first t with A*(s_t, a_t) < −loss: a_t ← argmax A*(s_t, ·)',
  look: 'Failures part from a repaired twin at their first mistake, which moves later as the policy learns.',
  params,
  needs: ['taskIndex', 'length', 'success', 'state', 'action'],
  forks: true,
  onGpu: () => false,
  fresh: ({ repairs }, groupSize) => Math.max(1, groupSize - Math.round(repairs * groupSize)),
  next(seen, context, values) {
    const { count, taskIndex, success } = seen;
    return [...new Set(Array.from(context.tasks))].flatMap((task) => {
      const rows = Array.from({ length: count }, (_, row) => row).filter((row) => taskIndex[row] === task);
      const found = rows
        .filter((row) => success[row] === 0)
        .flatMap((row) => repairOf(row, seen, context, values) ?? []);
      return Array.from(
        { length: context.G - rows.length },
        (_, k): RowPlan => found[k % found.length] ?? { task, origin: 'late' },
      );
    });
  },
});
