import type { Batch } from '../../contract/columns.ts';
import { TAGS, type News } from '../../contract/tags.ts';
import { settings } from '../../core/settings.ts';
import { tagRewards, validTags } from '../reward/earnedTags.ts';
import { newsSetting, TAG_COLUMNS, THOUGHT_PRINT } from '../reward/tagReward.ts';
import { defineEstimator, type Term } from '../types.ts';
import { common } from './common.ts';
import { comparedTerm, outcomeTerm, stepsLike } from './explain.ts';
import { headsBy, normalizeHeads, type Heads } from './segments.ts';
import { outcomeCredit, sumOfParts } from './trajectoryCredit.ts';

/** Steps of a task group with the same tag form one set; refused steps are among those without one. */
function tagHeads(batch: Batch): Heads {
  const tag = validTags(batch);
  return headsBy(
    batch,
    (i) => batch.taskIndex[i]!,
    (_i, _t, k) => tag[k]!,
  );
}

/**
 * Thoughts that can be checked: the episode among those of its task, and the tag reward of the step among the steps of the
 * task with the same tag.
 *
 *   A[i,t] = Normalize over the group of R[i]  +  α·Normalize over {steps of i's task group with the same tag} of r_tag[i,t]
 *
 * r_tag says whether a step was what its tag says (`tagRewards`). Compared within a tag, no tag pays for being chosen; a tag
 * whose steps all earn the same adds 0. The paper and the released code differ in what is new (`news`), and the code also
 * pays a reflection at step 0, where nothing came before: here it earns 0. The cost of 0.1 for a refused action is the
 * reward module of refusals.
 */
export const rlvmr = defineEstimator({
  id: 'rlvmr',
  title: 'RLVMR',
  rev: 1,
  source: { title: 'RLVMR', arxiv: '2507.22844', level: 'code' },
  needs: [...TAG_COLUMNS, 'outcome', 'taskIndex'],
  finePrint: THOUGHT_PRINT,
  formula: 'A = normalize(R) over the task + α · normalize(r_tag) over steps of the task with this tag',
  look: 'A step that explores and finds nothing new is dark even in an episode that succeeds.',
  also: 'thinking, reasoning, meta-reasoning, process reward',
  params: settings({
    alpha: {
      kind: 'number',
      label: 'Weight of thoughts',
      default: 0.5,
      min: 0,
      max: 10,
      doc: 'Weight of the tag part; the released config has 0.5, its script 1.',
      formula: 'α',
    },
    mode: common.mode,
    news: newsSetting,
    outcomes: {
      kind: 'switch',
      label: 'Compare outcomes',
      default: true,
      doc: 'Off, only thoughts count: what is earned without reaching the goal shows.',
    },
    rows: common.rows,
  }),
  // a single episode still compares its steps
  alone: ({ alpha }) => (alpha > 0 ? 'anyway' : 'nothing'),
  parts: ['episode', 'step'],
  run(batch, { alpha, mode, news, outcomes, rows }) {
    const earned = tagRewards(batch, news as News);
    const parts = {
      episode: outcomes ? outcomeCredit(batch, mode, rows) : new Float32Array(batch.B * batch.T),
      step: normalizeHeads(earned, tagHeads(batch), mode).map((x) => alpha * x),
    };
    return { A: sumOfParts(parts), parts };
  },
  explain(batch, { alpha, mode, news, outcomes, rows }, step) {
    const heads = tagHeads(batch);
    const earned = tagRewards(batch, news as News);
    const tag = TAGS[validTags(batch)[step]!]!;
    const weight = { symbol: 'α', value: alpha, what: 'weight of the tag part' };
    const compared = {
      ...stepsLike(heads, earned, step),
      ...{
        letter: 'r',
        what: `1 if the step was what its tag (${tag}) says`,
        others: `steps of this task tagged ${tag}`,
      },
      rule: mode,
    };
    const value = Math.fround(alpha * normalizeHeads(earned, heads, mode)[step]!);
    const terms: Term[] = outcomes ? [outcomeTerm('episode', batch, step, { rule: mode, rows })] : [];
    return { terms: [...terms, comparedTerm('step', value, compared, weight)] };
  },
  scratch: () => 10,
  gpu(ops, { alpha, mode, news, outcomes, rows }) {
    const earned = ops.earnedTags(news as News);
    const compared = ops.normalizeSets(
      earned,
      ops.setsBy(ops.zip('keepUnless', ops.column('invalid'), ops.column('tag'))),
      mode,
    );
    const episode = ops.normalize(ops.outcome, 'task', mode, rows);
    const parts = {
      episode: ops.combine(outcomes ? 1 : 0, episode, 0, episode),
      step: ops.combine(alpha, compared, 0, compared),
    };
    return { A: ops.combine(1, parts.episode, 1, parts.step), parts };
  },
});
