import { settings } from '../../core/settings.ts';
import { noiseOf } from '../../envs/perturb/pay.ts';
import { defineWrapper, u32 } from './types.ts';

/** The setting is in rewards, the noise in whole thousandths. */
const milli = (sigma: number): number => Math.floor(1000 * sigma);

/** Adds to each reward a number drawn evenly from −σ … σ. Its mean is 0, so A^π stays what it was. */
export const rewardNoise = defineWrapper({
  id: 'rewardNoise',
  title: 'Reward noise',
  rev: 1,
  source: { title: 'NeoRL-2', arxiv: '2503.19267', level: 'text' },
  formula: 'r ← r + u, u uniform over −σ … σ',
  look: 'Equal episodes get different returns: groups that agreed no longer do, and learn from noise.',
  params: settings({
    rewardNoise: {
      kind: 'number',
      group: 'Perturbations',
      label: 'Reward noise',
      default: 0,
      min: 0,
      max: 2,
      doc: 'Largest random amount added to each reward; its mean is 0.',
      formula: 'r ← r + u, u uniform over −σ … σ',
    },
  }),
  isOff: ({ rewardNoise: sigma }) => milli(sigma) === 0,
  pay: (reward, episodeSeed, t, { rewardNoise: sigma }) => reward + noiseOf(milli(sigma), episodeSeed, t),
  wgsl: async () => (await import('./rewardNoise.wgsl?raw')).default,
  constants: ({ rewardNoise: sigma }) => ({ NOISE: u32(milli(sigma)) }),
});
