import { labelBook, BOOK_ROWS, ROW_WORDS, rowOfMessage } from '../../contract/labelBook.ts';
import type { Batch } from '../../contract/columns.ts';
import { random } from '../../core/random.ts';
import { settings } from '../../core/settings.ts';
import { given } from '../advantage/given.ts';
import { defineReward } from './types.ts';

/** What an interesting message pays the N-th time that it occurs in an episode, by N^−exponent; 0 for all others. */
export function messageReward(
  messages: ArrayLike<number>,
  isInteresting: (message: number) => boolean,
  { size, exponent }: { readonly size: number; readonly exponent: number },
): Float64Array {
  const times = new Map<number, number>();
  return Float64Array.from({ length: messages.length }, (_, t) => {
    const message = messages[t]!;
    const N = (times.get(message) ?? 0) + 1;
    times.set(message, N);
    return isInteresting(message) ? size * N ** -exponent : 0;
  });
}

/**
 * Rewards from labeled messages (ONI). m[t]: the message of a step, N: times that it occurred in this episode, now included.
 *
 *   r[t] ← c_ext·r[t] + c_int·1[m[t] is interesting]·N(m[t])^−n
 *
 * In the paper a language model labels; here a rule does (messages of steps that reach a milestone), the rule with a share
 * of wrong answers, or whoever looks at the run: labels by click are events of the run, so that its link repeats them.
 * Messages that were never seen wait in a queue, at most so many are answered after each batch, and until then they pay
 * nothing. With n = 0 an interesting message can be farmed (open, close, open), with n = 3 it pays about once per episode.
 */
export const oni = defineReward({
  id: 'oni',
  title: 'Labeled messages (ONI)',
  rev: 1,
  kind: 'additive',
  source: {
    title: 'Online Intrinsic Rewards for Decision Making Agents from LLM Feedback',
    arxiv: '2410.23022',
    level: 'code',
  },
  needs: ['message', 'milestoneStep', 'length', 'reward'],
  formula: 'r ← c_ext·r + c_int·label(m)·N(m)^−n',
  look: 'Mark a message as interesting: within a few updates the agent looks for it.',
  also: 'human feedback, RLHF, annotate, click, intrinsic reward',
  params: settings({
    annotator: {
      kind: 'choice',
      label: 'Who labels',
      default: 'rule',
      options: ['rule', 'noisy', 'click'],
      optionLabels: ['a rule: milestones', 'the rule, sometimes wrong', 'you, during the run'],
      doc: 'Who says which messages are interesting.',
    },
    flip: {
      ...{ kind: 'number', label: 'Wrong answers', default: 0.2, min: 0, max: 1, unit: 'share' },
      doc: 'Chance that the answer about a message is the wrong one; it stays as it was given.',
      formula: 'ε',
      when: { setting: 'annotator', is: ['noisy'] },
    },
    perUpdate: {
      ...{ kind: 'integer', label: 'Answers per update', default: 2, min: 1, max: 64 },
      doc: 'Messages that are labeled after each batch, the longest waiting first.',
      when: { setting: 'annotator', is: ['rule', 'noisy'] },
    },
    ext: {
      ...{ kind: 'number', label: 'Weight of the world', default: 1, min: 0, max: 10 },
      doc: 'Size of the reward of the world; the released code has 0.1 or 10, by task.',
      formula: 'c_ext',
    },
    int: {
      ...{ kind: 'number', label: 'Interesting message', default: 0.2, min: 0, max: 10 },
      doc: 'Reward for the first time in an episode; the released code has 0.4.',
      formula: 'c_int',
    },
    exponent: {
      ...{ kind: 'number', label: 'Decay with repetition', default: 3, min: 0, max: 10 },
      doc: 'How fast a repeated message pays less; with 0 it can be farmed.',
      formula: 'n',
    },
  }),
  mostPerStep: ({ int, exponent }) => (exponent < 1 ? int : 0),
  state: { book: labelBook },
  run(batch, { annotator, flip, perUpdate, ext, int, exponent }, out, memory) {
    const { B, T, length, reward } = batch;
    const book = memory['book'] as Uint32Array;
    const message = given(batch, 'message');
    const labels = new Map<number, number>();
    for (let at = 0; at < book.length; at += ROW_WORDS) labels.set(book[at]! - 1, book[at + 1]!);
    const pays = { size: int, exponent };
    for (let i = 0; i < B; i++) {
      const own = message.subarray(i * T, i * T + length[i]!);
      messageReward(own, (m) => labels.get(m) === 2, pays).forEach((r, t) => {
        out[i * T + t] = (ext - 1) * reward[i * T + t]! + r;
      });
    }
    note(batch, book);
    if (annotator !== 'click') annotate(book, perUpdate, annotator === 'noisy' ? flip : 0);
  },
  scratch: () => 2,
  gpu(ops, { annotator, flip, perUpdate, ext, int, exponent }) {
    const worth = Float32Array.from({ length: ops.limit }, (_, n) => int * (n + 1) ** -exponent);
    const by = { answers: annotator === 'click' ? 0 : perUpdate, flip: annotator === 'noisy' ? flip : 0 };
    return ops.combine(ext - 1, ops.paid, 1, ops.labeled('book', worth, by));
  },
});

/** Writes messages that were never seen into the book, in the order of rows and steps, and which came with a milestone. */
function note(batch: Batch, book: Uint32Array): void {
  const { B, T, length } = batch;
  const [message, steps] = [given(batch, 'message'), given(batch, 'milestoneStep')];
  const width = steps.length / B;
  for (let i = 0; i < B; i++) {
    const reached = new Set(steps.subarray(i * width, (i + 1) * width));
    for (let t = 0; t < length[i]!; t++) {
      const at = rowOfMessage(book, message[i * T + t]!);
      if (at >= 0 && reached.has(t)) book[at + 2] = 1;
    }
  }
}

/** Answers the messages that wait longest, `most` of them; each answer is wrong by chance, the same in every run. */
function annotate(book: Uint32Array, most: number, flip: number): void {
  let answers = 0;
  for (let row = 0; row < BOOK_ROWS && answers < most; row++) {
    const at = row * ROW_WORDS;
    if (book[at] === 0) return;
    if (book[at + 1] !== 0) continue;
    const isWrong = random(0x6f6e69, 0, book[at]!, 0, 0) / 2 ** 32 < flip;
    book[at + 1] = (book[at + 2] === 1) === !isWrong ? 2 : 1;
    answers++;
  }
}
