import { settings } from '../../core/settings.ts';
import { adaptKlCoefficient } from '../objective/adaptiveKl.ts';
import { defineController, remembered } from './types.ts';

/**
 * β ← β·(1 + clip(KL/target − 1, ±0.2)·min(1, n/horizon)), n trajectories an update. A batch larger than the horizon
 * counts as one horizon, else β could turn negative. The slider still acts: what is remembered is a factor on it.
 */
export const adaptiveKl = defineController({
  id: 'adaptiveKl',
  title: 'Adaptive KL',
  rev: 1,
  source: { title: 'Fine-tuning language models from human preferences', arxiv: '1909.08593', level: 'code' },
  formula: 'β ← β·(1 + clip(KL/target − 1, ±0.2)·min(1, n/horizon))',
  look: 'The weight of the KL term adapts until the measured KL reaches a target.',
  params: settings({
    target: {
      kind: 'number',
      label: 'Adaptive KL target',
      default: 0.05,
      min: 0,
      max: 10,
      unit: 'nats',
      doc: 'Target for the KL to the reference; 0 = the weight stays fixed.',
    },
    horizon: {
      kind: 'integer',
      label: 'KL horizon',
      default: 1000,
      min: 1,
      max: 100000,
      scale: 'log',
      unit: 'episodes',
      doc: 'Episodes over which the weight of the KL term adapts.',
    },
  }),
  turns: 'klCoef',
  metrics: ['klCoef'],
  state: { factor: remembered(1) },
  coefficients: ({ factor }, live) => ({ ...live, klCoef: live.klCoef * factor![0]! }),
  run({ factor }, { live, klRef, trajectories }, { target, horizon }) {
    if (target > 0 && live.klCoef > 0 && !Number.isNaN(klRef))
      factor![0] = adaptKlCoefficient(factor![0]!, klRef, target, Math.min(trajectories, horizon), horizon);
    return false;
  },
});
