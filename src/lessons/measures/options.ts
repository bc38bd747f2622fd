import { mean } from '../../core/stats.ts';
import { judgedBatches, type Judged } from './exactCredit.ts';
import { measure } from './types.ts';

/** What options change: where something is chosen, what credit such steps get, and how many steps of the world it took. */

/** True where the policy could have done something else. */
function isChoice({ view }: Judged, step: number): boolean {
  const actions = view.probs.length / (view.batch.B * view.batch.T);
  return view.probs.subarray(step * actions, (step + 1) * actions).every((p) => p < 1);
}

export const choiceShare = measure({
  id: 'choiceShare',
  doc: 'choiceShare(arm): share of the steps of the newest batch in which more than one action could be chosen, per seed.',
  takes: ['arm'],
  of: async (arm) =>
    (await judgedBatches(arm)).map((judged) => mean(judged.steps.map((k) => Number(isChoice(judged, k))))),
});

export const creditOf = measure({
  id: 'creditOf',
  doc: 'creditOf(arm, steps, whose): mean size of the credit of the newest batch, per seed; steps is choices (an action was chosen there) or inside (an option was running); whose is exact (the exact advantage) or own (what the arm trained on).',
  takes: ['arm', 'word', 'word'],
  of: async (arm, steps, whose) => {
    if (!['choices', 'inside'].includes(steps) || !['exact', 'own'].includes(whose))
      throw new Error('creditOf asks for choices or inside, and for exact or own credit.');
    return (await judgedBatches(arm)).map((judged) => {
      const credit = whose === 'exact' ? judged.exact : judged.view.A;
      const asked = judged.steps.filter((k) => isChoice(judged, k) === (steps === 'choices'));
      return mean(asked.map((k) => Math.abs(credit[k]!)));
    });
  },
});

export const stepsTo = measure({
  id: 'stepsTo',
  doc: 'stepsTo(arm, level, window): steps of the world, in thousands, that training was charged until the mean success of the last window updates was at least the level, per seed; ∞ where it never was.',
  takes: ['arm', 'number', 'number'],
  of: (arm, level, window) =>
    arm.perSeed((seed) => {
      const success = arm.curve('success', seed);
      let steps = 0;
      for (let u = 0; u < success.length; u++) {
        steps += arm.charged[u]![seed]!;
        if (u + 1 >= window && mean(success.slice(u + 1 - window, u + 1)) >= level) return steps / 1000;
      }
      return Infinity;
    }),
});
