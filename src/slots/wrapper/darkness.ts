import { settings } from '../../core/settings.ts';
import { blank } from '../../envs/perturb/sight.ts';
import { blankConstants, defineWrapper } from './types.ts';

/** Chances of `blank` are in 256ths: all of it. */
const ALL = 256;

/** At the first steps everything is seen; from then on nothing but, on a map, the agent's own cell. */
export const darkness = defineWrapper({
  id: 'darkness',
  title: 'The light goes out',
  rev: 1,
  source: { title: 'First frame only, a view for agents with a memory', level: 'textbook' },
  look: 'Who remembers the map walks on in the dark; who does not walks by chance.',
  also: 'dark, first frame, memory, blind, partial observability',
  params: settings({
    seenSteps: {
      kind: 'integer',
      group: 'Perturbations',
      label: 'Light at first',
      default: 0,
      min: 0,
      max: 255,
      unit: 'steps',
      doc: 'Steps at which something is seen; then only the agent’s own cell is; 0 = always.',
    },
  }),
  isOff: ({ seenSteps }) => seenSteps === 0,
  see({ sight, episodeSeed, t, obs, obsAt }, { seenSteps }) {
    if (t >= seenSteps) blank(sight, ALL, episodeSeed, t, obs, obsAt);
  },
  inexact: () => 'What the policy sees depends on how many steps have passed, not on the state alone.',
  refuses: (_params, view) =>
    view === 'index' ? 'has nothing to hide where the policy sees the number of the state' : null,
  wgsl: async () => (await import('./blank.wgsl?raw')).default,
  constants: ({ seenSteps }, { sight }) => blankConstants(ALL, seenSteps, sight),
});
