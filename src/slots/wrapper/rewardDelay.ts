import { settings } from '../../core/settings.ts';
import { payLate } from '../../envs/perturb/pay.ts';
import { defineWrapper, u32 } from './types.ts';

/** r[t] ← r[t − d], and in the last step all that is still due: the sum stays what it was. */
export const rewardDelay = defineWrapper({
  id: 'rewardDelay',
  title: 'Reward delay',
  rev: 1,
  source: { title: 'NeoRL-2', arxiv: '2503.19267', level: 'text' },
  formula: 'r[t] ← r[t − d], the rest at the end',
  look: 'Step credit points to steps after the one that earned it; outcomes stay the same.',
  params: settings({
    rewardDelay: {
      kind: 'integer',
      group: 'Perturbations',
      label: 'Reward delay',
      default: 0,
      min: 0,
      max: 8,
      unit: 'steps',
      doc: 'Steps by which each reward is late; what is left is paid at the end, so the sum stays the same.',
    },
  }),
  isOff: ({ rewardDelay: d }) => d === 0,
  settle: (reward, at, length, { rewardDelay: d }) => payLate(reward, at, length, d),
  inexact: () => 'Rewards are paid late, and what is still due is not part of the state.',
  wgsl: async () => (await import('./rewardDelay.wgsl?raw')).default,
  constants: ({ rewardDelay: d }) => ({ DELAY: u32(d) }),
});
