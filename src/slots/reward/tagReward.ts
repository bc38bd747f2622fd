import type { FinePrint } from '../../contract/module.ts';
import type { News } from '../../contract/tags.ts';
import { settings } from '../../core/settings.ts';
import { tagRewards } from './earnedTags.ts';
import { defineReward } from './types.ts';

/** Columns that the rules read. */
export const TAG_COLUMNS = ['tag', 'did', 'invalid', 'novel', 'length', 'success'] as const;

/** Setting of everyone who applies these rules. */
export const newsSetting = {
  kind: 'choice',
  label: 'Explore earns for',
  default: 'state',
  options: ['state', 'action'],
  optionLabels: ['a new state (paper)', 'a new action (released code)'],
  doc: 'Primitive moves repeat always, so a new action is rare where actions name no objects.',
} as const;

/** Where paper and code of RLVMR disagree on these rules. */
export const THOUGHT_PRINT: readonly FinePrint[] = [
  {
    on: 'Explore',
    paper: 'Earns for a new state or object.',
    code: 'Earns for an action that was not done before.',
    lab: 'A new state; the other is a setting.',
  },
  {
    on: 'Reflect',
    paper: 'Earns after a failure.',
    code: 'Also at the first step.',
    lab: 'Not at the first step.',
  },
];

/**
 * Pay for thoughts that were what they say (RLVMR's rules as a reward that is added up).
 *
 *   r[t] ← r[t] + w·1[the tag of step t was earned]
 *
 * In RLVMR the same rules are compared among steps with the same tag, and credit goes to the step alone. Added to the reward,
 * what follows counts too: with w·T above the success reward it pays to bump into a wall and reflect on it, again and again.
 */
export const tagReward = defineReward({
  id: 'tagReward',
  title: 'Pay for thoughts',
  rev: 1,
  kind: 'additive',
  source: { title: 'RLVMR', arxiv: '2507.22844', level: 'code' },
  needs: TAG_COLUMNS,
  finePrint: THOUGHT_PRINT,
  formula: 'r ← r + w where the tag of the step was earned',
  look: 'Large, it is farmed: the agent bumps into walls in order to reflect on it.',
  also: 'thinking, reasoning, meta-reasoning, reward hacking',
  params: settings({
    w: {
      ...{ kind: 'number', label: 'Pay', default: 0.01, min: 0, max: 10, formula: 'w' },
      doc: 'What an earned tag pays; times the steps of an episode it should stay below the goal.',
    },
    news: newsSetting,
  }),
  mostPerStep: ({ w }) => w,
  run(batch, { w, news }, out) {
    tagRewards(batch, news as News).forEach((earned, k) => (out[k] = w * earned));
  },
  scratch: () => 2,
  gpu(ops, { w, news }) {
    const earned = ops.earnedTags(news as News);
    return ops.combine(w, earned, 0, earned);
  },
});
