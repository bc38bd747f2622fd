import { settings } from '../../core/settings.ts';
import { intrinsicWeight } from '../rollout/spear/rules.ts';
import { defineReward } from './types.ts';

/**
 * A bonus for states that are new in their episode, which fades over the run (SPEAR pays for tool calls in this way):
 *
 *   r[t] ← r[t] + b·μ(u) if s[t+1] was not met before in the episode, at most `cap`·μ(u) in all
 *   μ(u) = (1 + cos(πu/U_down))/2 before U_down, then 0
 */
export const newStates = defineReward({
  id: 'newStates',
  title: 'Fading bonus for news',
  rev: 1,
  kind: 'additive',
  source: { title: 'SPEAR: self-imitation with progressive exploration', arxiv: '2509.22601', level: 'code' },
  needs: ['stateKey', 'finalStateKey', 'length'],
  formula: 'r ← r + b·(1 + cos(πu/U_down))/2 for a new s′',
  look: 'Entropy first rises as everything new pays; the bonus is gone when the task is learned.',
  also: 'novelty, curiosity, exploration bonus, intrinsic reward',
  params: settings({
    bonus: {
      kind: 'number',
      label: 'Size of the bonus',
      default: 0.1,
      min: 0,
      max: 10,
      scale: 'log',
      doc: 'For each state that the episode had not met before, in the first update.',
      formula: 'b',
    },
    cap: {
      kind: 'number',
      label: 'Most per episode',
      default: 1,
      min: 0,
      max: 100,
      doc: 'What an episode can earn in this way in the first update; it fades like the bonus.',
    },
    fade: {
      kind: 'integer',
      label: 'Fades over',
      default: 200,
      min: 1,
      max: 10_000,
      scale: 'log',
      unit: 'updates',
      doc: 'From this update on nothing new pays any more.',
      formula: 'U_down',
    },
  }),
  // batches paid so far
  state: { updates: { type: 'u32', per: 'replica', onFork: 'keep' } },
  mostPerStep: ({ bonus }) => bonus,
  run({ B, T, length, stateKey, finalStateKey }, { bonus, cap, fade }, out, memory) {
    const updates = memory['updates'] as Uint32Array;
    const left = intrinsicWeight(updates[0]!++, fade);
    for (let i = 0; i < B; i++) {
      const met = new Set<string>();
      let paid = 0;
      for (let t = 0; t <= length[i]!; t++) {
        const [keys, at] = t === length[i]! ? [finalStateKey, 2 * i] : [stateKey, 2 * (i * T + t)];
        const isNew = met.size < met.add(`${keys[at]} ${keys[at + 1]}`).size;
        if (t === 0 || !isNew) continue;
        const pay = Math.min(bonus, cap - paid);
        paid += pay;
        out[i * T + t - 1] = left * pay;
      }
    }
  },
  forget(_, memory) {
    (memory['updates'] as Uint32Array)[0]!--;
  },
});
