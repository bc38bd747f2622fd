import { settings } from '../../core/settings.ts';
import { defineController, remembered } from './types.ts';

/**
 * The bonus grows while the entropy is too low and shrinks while it is not, in equal steps, and counts only while it is
 * too low:
 *
 *   β_H ← clamp(β_H + δ, β_min, β_max) if H ≤ H₀, else clamp(β_H − δ, β_min, β_max);   in force: β_H if H ≤ H₀, else 0
 *
 * H is that of the last update, and 0 before there is one. The slider still acts: what is remembered is an offset to it.
 */
export const entropyStep = defineController({
  id: 'entropyStep',
  title: 'Entropy floor in steps (TRL)',
  rev: 1,
  formula: 'β_H ← β_H ± δ,  in force while H ≤ H₀',
  look: 'The entropy bonus comes on when the entropy falls below a floor, and goes when it is back.',
  params: settings({
    target: {
      kind: 'number',
      label: 'Entropy to keep',
      default: 0.2,
      min: 0,
      max: 10,
      unit: 'nats',
      doc: 'The bonus counts while the entropy is at most this.',
      formula: 'H₀',
    },
    step: {
      kind: 'number',
      label: 'Step of the bonus',
      default: 0.005,
      min: 0.00001,
      max: 1,
      scale: 'log',
      doc: 'What each update adds to the bonus or takes away from it.',
      formula: 'δ',
    },
    least: { kind: 'number', label: 'Least bonus', default: 0, min: 0, max: 1, doc: 'The bonus stays above this.' },
    most: { kind: 'number', label: 'Largest bonus', default: 1, min: 0, max: 1, doc: 'The bonus stays below this.' },
  }),
  turns: 'entropyCoef',
  metrics: ['entropyCoef'],
  state: { offset: remembered(), last: remembered() },
  coefficients: ({ offset, last }, live, { target }) => ({
    ...live,
    entropyCoef: last![0]! <= target ? Math.max(0, live.entropyCoef + offset![0]!) : 0,
  }),
  run({ offset, last }, { live, entropy }, { target, step, least, most }) {
    if (Number.isNaN(entropy)) return false;
    const now = live.entropyCoef + offset![0]! + (entropy <= target ? step : -step);
    offset![0] = Math.max(least, Math.min(most, now)) - live.entropyCoef;
    last![0] = entropy;
    return false;
  },
});
