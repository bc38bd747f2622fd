import { settings } from '../../core/settings.ts';
import { questioned } from '../../envs/perturb/questioned.ts';
import { ANSWER_WORDS } from '../../envs/perturb/spoken.ts';
import { defineWrapper, i32, u32 } from './types.ts';

/**
 * Where is the treasure? M colors are possible answers, signs in the world each exclude a wrong one, and answering ends the
 * episode (the information-seeking tasks of IGPO). The goal of the world itself pays nothing and ends nothing.
 */
export const question = defineWrapper({
  id: 'question',
  title: 'Question',
  rev: 1,
  source: { title: 'IGPO', arxiv: '2510.14967', level: 'abstract' },
  look: 'Signs exclude wrong answers; the agent has to find them before it answers.',
  also: 'information gain, cues, hidden information',
  params: settings({
    answers: {
      ...{ kind: 'integer', label: 'Answers', default: 4, min: 2, max: 4, formula: 'M' },
      doc: 'Colors behind which the treasure may be; one is true in each episode.',
    },
    signs: {
      ...{ kind: 'integer', label: 'Signs', default: 3, min: 1, max: 3 },
      doc: 'Places that each exclude one wrong answer; with one less than answers, all can be known.',
    },
  }),
  hides: true,
  world: (env, params, rewards) => questioned(env, params, rewards),
  wgsl: async () => (await import('./question.wgsl?raw')).default,
  constants: ({ answers, signs }, { words, rewards, features, actions, speaks, levelWords, placeBits }) => ({
    ...{ M: u32(answers), K: u32(signs), WORDS: u32(words), ACTIONS: u32(actions) },
    ...{ GOAL: i32(Number(rewards['goal'] ?? 1000)), STEP: i32(Number(rewards['step'] ?? 0)) },
    ...{ AT: u32(Math.ceil(features / 32)), SPEAKS: speaks ? 'true' : 'false', LEVEL: u32(levelWords) },
    PLACE: u32(placeBits >= 32 ? 0xffffffff : 2 ** placeBits - 1),
    WORD: `array<u32, 4>(${ANSWER_WORDS.map(u32).join(', ')})`,
  }),
});
