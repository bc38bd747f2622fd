import { STEP_ROLES } from '../../contract/units.ts';
import { settings } from '../../core/settings.ts';
import { defineReward } from './types.ts';

const [SWITCH, SUBGOAL] = [STEP_ROLES.indexOf('switch'), STEP_ROLES.indexOf('subgoal')];
const ACTION = STEP_ROLES.indexOf('action');

/** What the released code of HiPER takes off so that a language model switches at all: see hierarchy/keepPenalties.ts. */
export const keepCost = defineReward({
  id: 'keepCost',
  title: 'Cost of keeping a subgoal',
  rev: 1,
  kind: 'additive',
  source: { title: 'HiPER', arxiv: '2602.16165', level: 'code' },
  needs: ['decides', 'length'],
  formula: 'r ← r − w where the subgoal is kept;  spread: r ← r − w/T_i',
  look: 'The share of switches rises. Even a hundredth per step can drive it to 1, and success down.',
  also: 'keep penalty, switch, termination, collapse',
  params: settings({
    w: {
      ...{ kind: 'number', label: 'Cost', default: 0.003, min: 0, max: 5, formula: 'w' },
      doc: 'The code takes 0.3 to 3.5, for language models; here 0.01 made every step switch.',
    },
    spread: {
      kind: 'choice',
      label: 'Paid',
      default: 'fixed',
      options: ['fixed', 'normalized'],
      optionLabels: ['by each step that keeps', 'spread over the episode'],
      doc: 'Spread, an episode pays at most w, and one of a single step pays nothing.',
    },
  }),
  run(batch, { w, spread }, out) {
    const { B, T } = batch;
    const { decides, length } = batch;
    out.fill(0);
    for (let i = 0; i < B; i++) {
      const [first, end] = [i * T, i * T + length[i]!];
      let steps = 0;
      for (let k = first; k < end; k++) if (decides![k] === ACTION) steps++;
      const each = spread === 'fixed' ? w : w / Math.max(1, steps);
      for (let k = first; k < end; k++)
        if (decides![k] === SWITCH && k + 1 < end && decides![k + 1] !== SUBGOAL) out[k] = -each;
    }
  },
});
