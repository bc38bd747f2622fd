import { settings } from '../../core/settings.ts';
import { defineRollout, type RowsSeen } from './types.ts';

/** Hints that a world has at most. */
const MOST = 12;

/** Rows of each group of a replica, by its number. */
function groupsIn({ count, taskIndex }: RowsSeen<'taskIndex'>): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < count; i++) groups.set(taskIndex[i]!, [...(groups.get(taskIndex[i]!) ?? []), i]);
  return groups;
}

/**
 * A task whose whole group fails is played once more with hint 1, 2, … until an episode succeeds, which then replaces one
 * failure of the group:
 *
 *   outcomes 0, …, 0  →  1, 0, …, 0      A = (G − 1)/√G, −1/√G, … with GRPO
 *
 * The hinted episode stays on-policy: it trains π(a|o, h), and a policy without hints gains by the weights that both share.
 * `trains: bare` (an option of the released code) takes the hint out of what was seen, and keeps the log π_old with it: the
 * episode is then off-policy. What the hints tell is this lab's; the rule is that of the released code.
 */
export const scafGrpo = defineRollout({
  id: 'scafGrpo',
  title: 'Hints for tasks that fail (Scaf-GRPO)',
  rev: 1,
  source: { title: 'Scaf-GRPO', arxiv: '2510.19807', level: 'code' },
  formula: 'no success in a group: hints 1, 2, … until one; it replaces one failure',
  look: 'Tasks that always failed get a success each; hints become weaker, then nobody needs one.',
  params: settings({
    warmup: {
      ...{ kind: 'integer', label: 'Without hints', default: 10, min: 0, max: 1000, unit: 'updates' },
      doc: 'Updates before the first hint, in which the policy tries alone; the paper’s script has 50.',
    },
    most: {
      ...{ kind: 'integer', label: 'Strongest hint', default: MOST, min: 1, max: MOST },
      doc: '1–4 tell what comes next, 5–8 the direction, 9–12 more and more of a solution.',
    },
    trains: {
      kind: 'choice',
      label: 'A hinted episode trains',
      default: 'hinted',
      options: ['hinted', 'bare'],
      optionLabels: ['with its hint', 'as if it had none'],
      doc: 'Without its hint it is off-policy, but teaches what is needed once nobody helps.',
    },
  }),
  needs: ['taskIndex', 'success'],
  wants: 'hints',
  metrics: ['rounds', 'episodesPlayed', 'playedSuccess'],
  round(seen, { update, env, level }, { warmup, most }, n) {
    const failed = [...groupsIn(seen)].filter(([, rows]) => rows.every((i) => seen.success[i] === 0));
    const hints = env.deal?.help;
    if (update < warmup || !hints || n > Math.min(most, hints.count)) return [];
    // what nobody can solve in time has no hint
    return failed.flatMap(([task, rows]) => (hints.solves(level(rows[0]!)) ? [{ task, hint: n }] : []));
  },
  take(seen, played, _context, { trains }) {
    const groups = groupsIn(seen);
    return Array.from({ length: played.count }, (_, from) => from)
      .filter((from) => played.success[from] !== 0)
      .map((from) => {
        const task = played.taskIndex[from]!;
        return { row: groups.get(task)![0]!, from, task, ...(trains === 'bare' ? { isBare: true } : {}) };
      });
  },
  mostSteps: ({ most }, { P, G, T }) => P * (G + most) * T,
  charges: ({ most }) => `plays up to ${most} more episodes for a task that fails; all of them are charged`,
  warns: (_params, { G }) =>
    G === 1 ? 'has nothing to compare a hinted success with: that takes groups of several episodes' : null,
});
