import { settings } from '../../core/settings.ts';
import { given } from '../advantage/given.ts';
import { defineReward } from './types.ts';

/**
 * Pay for the subgoals of a teacher (Words as Beacons), each once.
 *
 *   r[t] ← r[t] + w/K where the step reached the subgoal that was told     K: subgoals of the level
 *
 * A wrong subgoal pays as well: the student cannot know. So all of them pay w together, below what the goal pays. The formula
 * is this lab's, made from the abstract of the paper.
 */
export const beacons = defineReward({
  id: 'beacons',
  title: 'Pay for subgoals (Words as Beacons)',
  rev: 1,
  kind: 'additive',
  source: { title: 'Words as Beacons', arxiv: '2410.08632', level: 'abstract' },
  needs: ['taught', 'length'],
  formula: 'r ← r + w/K where the subgoal that was told is reached',
  look: 'Key and door are found long before the goal; raise “Wrong subgoals” and the lead is lost.',
  also: 'subgoals, curriculum, guidance by a language model',
  params: settings({
    w: {
      ...{ kind: 'number', label: 'Pay', default: 0.2, min: 0, max: 10, formula: 'w' },
      doc: 'What all subgoals of a level pay together.',
    },
  }),
  run(batch, { w }, out) {
    const { B, T, length } = batch;
    const reached = given(batch, 'taught');
    for (let i = 0; i < B; i++)
      for (let t = 0; t < length[i]!; t++) {
        const at = i * (T + 1) + t;
        out[i * T + t] = w * (reached[at + 1]! - reached[at]!);
      }
  },
  scratch: () => 3,
  gpu: (ops, { w }) => ops.combine(w, ops.after('taught', 'keep'), -w, ops.before('taught')),
});
