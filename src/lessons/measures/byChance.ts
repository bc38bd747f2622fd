import { backwardInduction } from '../../core/dp.ts';
import { panelLevels } from '../../engine/plan.ts';
import { Grounds } from '../../lab/creditGround.ts';
import { measure } from './types.ts';

export const byChance = measure({
  id: 'byChance',
  doc: 'byChance(arm): chance that a policy that chooses evenly among the legal actions reaches the goal of the first level of an arm, computed over all states.',
  takes: ['arm'],
  of: ({ run: { plan } }) => {
    const level = panelLevels(plan, 0, 1)[0]!;
    const all = new Grounds(plan).of(level)?.all;
    if (!all) throw new Error('Chance is not computed here: the task has too many states.');
    const { states, actions } = all.model;
    const probs = new Float64Array(states * actions);
    for (let s = 0; s < states; s++) {
      const legal = plan.env.legal(plan.level(level), all.states, s * plan.env.words);
      const may = Array.from({ length: actions }, (_, a) => ((legal >>> a) & 1) === 1);
      const each = 1 / may.filter(Boolean).length;
      may.forEach((isLegal, a) => (probs[s * actions + a] = isLegal ? each : 0));
    }
    return backwardInduction(all.model, probs, plan.T, 1, 'success').V[0]!;
  },
});
