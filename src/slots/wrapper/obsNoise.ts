import { settings } from '../../core/settings.ts';
import { blank } from '../../envs/perturb/sight.ts';
import { blankConstants, defineWrapper } from './types.ts';

/** Each part of an observation is blanked by itself with chance n / 256, independently at every step; never the agent's own cell. */
export const obsNoise = defineWrapper({
  id: 'obsNoise',
  title: 'Blanked observation',
  rev: 1,
  source: { title: 'NeoRL-2', arxiv: '2503.19267', level: 'text' },
  look: 'The same place looks different from step to step, and the policy has to act on what is left.',
  params: settings({
    obsNoise: {
      kind: 'integer',
      group: 'Perturbations',
      label: 'Blanked observation',
      default: 0,
      min: 0,
      max: 255,
      unit: '/ 256',
      doc: 'Chance that a cell, a word or a feature is not seen at a step; never the agent’s cell.',
    },
  }),
  isOff: ({ obsNoise: n }) => n === 0,
  see: ({ sight, episodeSeed, t, obs, obsAt }, { obsNoise: n }) => blank(sight, n, episodeSeed, t, obs, obsAt),
  inexact: () => 'What the policy sees depends on chance, not on the state alone.',
  refuses: (_params, view) =>
    view === 'index' ? 'has nothing to blank where the policy sees the number of the state' : null,
  wgsl: async () => (await import('./blank.wgsl?raw')).default,
  constants: ({ obsNoise: n }, { sight }) => blankConstants(n, 0, sight),
});
