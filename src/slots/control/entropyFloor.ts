import { settings } from '../../core/settings.ts';
import { defineController, remembered } from './types.ts';

/**
 * The one-sided form of the entropy target: the bonus rises while the entropy is below a floor, the faster the lower it is,
 * and falls back to its own value while it is not.
 *
 *   β_H ← β_H + η·(H₀ − H) if H < H₀, else β₀ + d·(β_H − β₀)     β₀: the slider
 *
 * It is never below the slider, and equals it as long as the entropy stays above the floor. “Entropy floor in steps” (TRL)
 * moves in equal steps and has no bonus at all above the floor.
 */
export const entropyFloor = defineController({
  id: 'entropyFloor',
  title: 'One-sided entropy floor',
  rev: 1,
  formula: 'β_H ← β_H + η(H₀ − H) while H < H₀, else back to its own value',
  look: 'The entropy bonus rises only while the entropy is below a floor, and falls back after it.',
  also: 'exploration bonus',
  params: settings({
    floor: {
      kind: 'number',
      label: 'Floor',
      default: 0.2,
      min: 0,
      max: 10,
      unit: 'nats',
      doc: 'Entropy below which the bonus rises.',
      formula: 'H₀',
    },
    rate: {
      kind: 'number',
      label: 'Rate',
      default: 0.01,
      min: 0.0001,
      max: 1,
      scale: 'log',
      doc: 'How fast the bonus rises for each nat that is missing.',
      formula: 'η',
    },
    decay: {
      kind: 'number',
      label: 'What stays',
      default: 0.9,
      min: 0,
      max: 1,
      doc: 'Share of what was added that an update above the floor leaves.',
      formula: 'd',
    },
  }),
  turns: 'entropyCoef',
  metrics: ['entropyCoef'],
  state: { added: remembered() },
  coefficients: ({ added }, live) => ({ ...live, entropyCoef: live.entropyCoef + added![0]! }),
  run({ added }, { entropy }, { floor, rate, decay }) {
    if (Number.isNaN(entropy)) return false;
    added![0] = entropy < floor ? added![0]! + rate * (floor - entropy) : decay * added![0]!;
    return false;
  },
});
