import { settings } from '../../core/settings.ts';
import { filterNeeds, filtersCredit, groupsIn, groupsThatStay } from './dynamicSampling/rounds.ts';
import { defineRollout } from './types.ts';

/** What a task with success p and n episodes so far is worth: hard ones, and those that are little known. */
export const taskValue = (p: number, n: number): number => p * (1 - p) ** 2 * (1 + 1 / Math.sqrt(n));

/** Place in a list of weights of a number u in [0, 1). */
function drawnFrom(weights: readonly number[], u: number): number {
  let left = u * weights.reduce((a, b) => a + b, 0);
  const at = weights.findIndex((w) => (left -= w) < 0);
  // rounding may leave a rest: the last that has a weight
  return at >= 0 ? at : weights.findLastIndex((w) => w > 0);
}

/** Rows of the groups that give up theirs, task by task. */
const deadRows = (groups: ReturnType<typeof groupsIn>, taskIndex: ArrayLike<number>): readonly number[] =>
  groups
    .filter(({ stays }) => !stays)
    .sort((a, b) => taskIndex[a.rows[0]!]! - taskIndex[b.rows[0]!]!)
    .flatMap(({ rows }) => rows);

/**
 * The episodes of groups that agree are played again on other tasks of the same batch, and join their groups:
 *
 *   task ∝ p(1 − p)²·(1 + 1/√n),  p its success in this batch, n its episodes so far
 *
 * One round: at most twice the episodes of a batch. Where no task of the batch is mixed nothing happens. Own rule: of the
 * paper only the abstract was reached, which replaces groups without signal by tasks of high value; its clip is not built.
 */
export const valueResampling = defineRollout({
  id: 'valueResampling',
  title: 'Second tries by value (VSPO)',
  rev: 1,
  source: { title: 'VSPO: value-based sampling; own rule', arxiv: '2512.07478', level: 'abstract' },
  formula: 'task ∝ p(1 − p)²·(1 + 1/√n)',
  look: 'Groups that agree vanish, and groups on hard tasks grow. Steps per update at most double.',
  params: settings({
    filter: {
      ...groupsThatStay,
      doc: 'A group gives up its episodes when this is the same for all of them.',
    },
  }),
  needs: filterNeeds,
  asksCredit: filtersCredit,
  metrics: ['rounds', 'episodesPlayed', 'playedSuccess'],
  round(seen, { P, draw }, { filter }, n) {
    if (n > 1) return [];
    const [rate, size] = [new Float64Array(P), new Float64Array(P)];
    const groups = groupsIn(seen, filter);
    for (const { rows } of groups) {
      const task = seen.taskIndex[rows[0]!]!;
      size[task] = rows.length;
      rate[task] = rows.reduce((wins, i) => wins + seen.success[i]!, 0) / rows.length;
    }
    return deadRows(groups, seen.taskIndex).flatMap((row) => {
      const worth = Array.from(rate, (p, task) => (size[task]! > 0 ? taskValue(p, size[task]!) : 0));
      if (!worth.some((w) => w > 0)) return [];
      const task = drawnFrom(worth, draw(row, 0));
      size[task]!++;
      return [{ task }];
    });
  },
  take(seen, { count: played, taskIndex: joins }, _context, { filter }) {
    const dead = deadRows(groupsIn(seen, filter), seen.taskIndex);
    return dead.slice(0, played).map((row, from) => ({ row, from, task: joins[from]! }));
  },
  mostSteps: (_params, { P, G, T }) => 2 * P * G * T,
  charges: () => 'plays the episodes of groups that agree a second time, on other tasks; both tries are charged',
  warns: (_params, { P, G }) =>
    P === 1 || G === 1 ? 'never plays again: that takes several tasks with several episodes each' : null,
});
