import { settings } from '../../core/settings.ts';
import { defineController, remembered } from './types.ts';

/** Largest entropy coefficient a controller gives. */
const MOST_ENTROPY = 1;

const clamped = (coefficient: number): number => Math.max(0, Math.min(MOST_ENTROPY, coefficient));

/** β_H ← clamp(β_H + k(H₀ − H), 0, 1). The slider still acts: what is remembered is an offset to it. */
export const entropyTarget = defineController({
  id: 'entropyTarget',
  title: 'Entropy target',
  rev: 1,
  formula: 'β_H ← clamp(β_H + k(H₀ − H), 0, 1)',
  look: 'The entropy bonus adapts until the measured entropy reaches a target.',
  params: settings({
    target: {
      kind: 'number',
      label: 'Target entropy',
      default: 0.5,
      min: 0,
      max: 10,
      unit: 'nats',
      doc: 'Entropy of the policy to aim at.',
      formula: 'H₀',
    },
    gain: {
      kind: 'number',
      label: 'Entropy gain',
      default: 0.01,
      min: 0.0001,
      max: 1,
      scale: 'log',
      doc: 'How fast the entropy bonus adapts.',
      formula: 'k',
    },
  }),
  turns: 'entropyCoef',
  metrics: ['entropyCoef'],
  state: { offset: remembered() },
  coefficients: ({ offset }, live) => ({ ...live, entropyCoef: clamped(live.entropyCoef + offset![0]!) }),
  run({ offset }, { live, entropy }, { target, gain }) {
    if (Number.isNaN(entropy)) return false;
    const now = clamped(live.entropyCoef + offset![0]!);
    offset![0] = clamped(now + gain * (target - entropy)) - live.entropyCoef;
    return false;
  },
});
