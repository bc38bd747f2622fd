import { expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { slots } from '../../config/slots.ts';
import { searchFields } from './search.ts';

const pathsOf = (query: string): string[] => searchFields(query, defaultConfig()).map(({ field }) => field.path);

/** What people type who have an idea in mind, and not its name in the lab. */
const WORDS: readonly (readonly [string, readonly string[]])[] = [
  ['curiosity', ['reward.countBonus.on', 'reward.rlsp.on']],
  ['novelty', ['reward.countBonus.on', 'reward.rlsp.on']],
  ['exploration bonus', ['reward.countBonus.on', 'reward.rlsp.on', 'control.entropyFloor.on']],
  ['intrinsic reward', ['reward.countBonus.on', 'reward.oni.on']],
  [
    'reward hacking',
    ['reward.gra.on', 'reward.progress.on', 'reward.ladder.on', 'reward.spa.on', 'reward.tagReward.on'],
  ],
  ['d-ra', ['reward.gra.on']],
  ['dense reward', ['reward.pbrs.on', 'reward.mira.on', 'reward.milestones.on']],
  ['subgoal', ['reward.milestones.on', 'reward.mira.on']],
  ['process reward', ['reward.spa.on', 'reward.mira.on', 'advantage.dual.score']],
  ['prm', ['reward.spa.on', 'advantage.dual.score']],
  ['prorag', ['advantage.dual.score']],
  ['format reward', ['reward.ladder.on', 'reward.refusals.on']],
  ['hrm', ['reward.ladder.on']],
  ['length penalty', ['reward.overlong.on', 'reward.hbpo.on']],
  ['token budget', ['reward.hbpo.on', 'task.stepBudget.on']],
  ['preference', ['reward.heron.on']],
  ['rlhf', ['reward.heron.on', 'reward.oni.on']],
  ['human feedback', ['reward.oni.on']],
  ['annotate', ['reward.oni.on']],
  ['submodular', ['reward.subpo.on']],
  ['information gain', ['advantage.igpo.credit', 'task.question.on']],
  ['thinking', ['task.thoughts.on', 'reward.tagReward.on', 'advantage.rlvmr.alpha']],
  ['safety', ['reward.carl.on']],
  ['efficiency', ['reward.eapo.on', 'reward.hbpo.on']],
  ['2510.14967', ['advantage.igpo.credit']],
];

test.each(WORDS)('who looks for “%s” finds what it is called here', (query, paths) => {
  expect(pathsOf(query)).toEqual(expect.arrayContaining([...paths]));
});

test('every module of a reward is the first that a search for its name finds', () => {
  for (const { title, id } of slots.find((slot) => slot.id === 'reward')!.stack!)
    expect(pathsOf(title.replace(/[()]/g, ' ')).slice(0, 2), title).toContain(`reward.${id}.on`);
});

test('what a word is the name of comes before what only has it inside: IGPO before GiGPO', () => {
  const found = pathsOf('igpo');
  expect(found.indexOf('advantage.igpo.credit')).toBeLessThan(found.indexOf('advantage.gigpo.omega'));
  expect(found.indexOf('advantage.igpo.credit')).toBeGreaterThanOrEqual(0);
});
