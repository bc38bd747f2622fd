import { settings } from '../../core/settings.ts';
import { given } from '../advantage/given.ts';
import { defineReward } from './types.ts';

/**
 * Diminishing returns (SubPO): what is covered already pays nothing any more. F(τ) = weight of the union of what the states
 * of τ cover: cells in view, cells where boxes stood, rooms and objects seen.
 *
 *   gain:     r[t] = F(τ_{0:t+1}) − F(τ_{0:t})     marginal gain, as in the paper
 *   modular:  r[t] = F(s_{t+1}) alone              the control (SRL): covering again counts again, so standing still pays
 *   prefix:   r[t] = F(τ_{0:t+1})                  covered so far, by which the released code weighs each step
 *
 * The credit of the paper is “SubPO, above its step”. What is paid depends on the history, so a policy without a
 * memory cannot always know what to do; one that remembers (a GRU) can. Success and the reward of the world do not count.
 */
export const subpo = defineReward({
  id: 'subpo',
  title: 'Coverage (SubPO)',
  rev: 1,
  kind: 'replacing',
  source: { title: 'Submodular Reinforcement Learning', arxiv: '2307.13372', level: 'code' },
  needs: ['covered', 'cover', 'length'],
  goal: 'See what was not seen before: that pays, and the goal of the task does not.',
  finePrint: [
    {
      on: 'What a step is worth',
      paper: 'What is newly covered from here on.',
      code: 'All that was covered so far.',
      lab: 'As the paper; the other is a choice of “What is paid”.',
    },
  ],
  formula: 'r ← w·(F(τ up to s′) − F(τ up to s)), F: all that was covered, each thing once',
  look: 'New things pay, old ones do not: the agent sweeps. Modular, it stays where most is in view.',
  also: 'submodular, exploration',
  params: settings({
    pays: {
      kind: 'choice',
      label: 'What is paid',
      default: 'gain',
      options: ['gain', 'modular', 'prefix'],
      optionLabels: [
        'what is newly covered',
        'what is in view, again and again (modular)',
        'all covered so far (code)',
      ],
      doc: 'The paper pays what is new. Its released code weighs each step by all that was covered so far.',
    },
    radius: {
      ...{ kind: 'integer', label: 'View', default: 1, min: 0, max: 5, unit: 'cells' },
      doc: 'How far a state covers in the grid-world, up to walls; other worlds cover boxes, or rooms and objects.',
    },
    w: {
      ...{ kind: 'number', label: 'Weight', default: 0.01, min: 0, max: 10 },
      doc: 'Pay for each thing that is covered.',
      formula: 'w',
    },
  }),
  mostPerStep: ({ pays, w }) => (pays === 'gain' ? 0 : w),
  coverRadius: ({ radius }) => radius,
  run(batch, { pays, w }, out) {
    const { B, T, length } = batch;
    const [covered, cover] = [given(batch, 'covered'), given(batch, 'cover')];
    for (let i = 0; i < B; i++)
      for (let t = 0; t < length[i]!; t++) {
        const at = i * (T + 1) + t;
        out[i * T + t] =
          w * (pays === 'modular' ? cover[at + 1]! : covered[at + 1]! - (pays === 'gain' ? covered[at]! : 0));
      }
  },
  scratch: () => 3,
  gpu(ops, { pays, w }) {
    const to = ops.after(pays === 'modular' ? 'cover' : 'covered', 'keep');
    return ops.combine(w, to, pays === 'gain' ? -w : 0, ops.before('covered'));
  },
});
