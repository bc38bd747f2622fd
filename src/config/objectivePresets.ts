import type { Preset } from './presets.ts';

/** Several passes over one batch, and what holds the policy back meanwhile. */
export const objectivePresets: readonly Preset[] = [
  {
    id: 'key-door-mhpo',
    title: 'Key and door · GiGPO, MHPO',
    look: 'Four passes over every batch: single ratios pass 3 in the first updates, where the soft bound holds them, and success nears 1 within ten.',
    changes: {
      'objective.method': 'mhpo',
      'objective.epochs': 4,
      'objective.minibatches': 4,
      'run.updates': 60,
    },
  },
  {
    id: 'key-door-capo',
    title: 'Key and door · GiGPO, CAPO',
    look: 'Two passes over every batch, without the few steps whose own gradient would bend the policy most: fewer than one in a hundred. Success nears 1 within 40 updates.',
    changes: { 'objective.method': 'capo', 'objective.epochs': 2, 'run.updates': 60 },
  },
];
