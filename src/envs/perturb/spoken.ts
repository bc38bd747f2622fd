import { tokenIds } from '../vocabulary.ts';

/** What wrappers say in the language of token views, index = number; apart from their rules, as recordings name them, too. */

/** What an answer is called: the color behind which the treasure is. */
export const ANSWERS = ['red', 'blue', 'green', 'yellow'] as const;
export const ANSWER_WORDS = tokenIds(ANSWERS);

/** Words of the language that stand for the tags, as its vocabulary is frozen; and for a refusal. */
export const TAG_WORDS = tokenIds(['none', 'plan', 'what', 'not', 'here']);
export const REFUSED_WORD = tokenIds(['no'])[0]!;

/** Words of instructions; a told word names them by place + 1. */
export const TOLD_WORDS = [
  ...'take unlock reach bring key door goal red blue green yellow lamp coin cup cell:box'.split(' '),
  ...Array.from({ length: 9 }, (_, k) => `cell:${k + 1}`),
];
export const TOLD_TOKENS = tokenIds(TOLD_WORDS);
