import { settings } from '../../core/settings.ts';
import { mlp } from '../dense/mlp.ts';
import { later } from '../later.ts';
import { defineNetwork } from '../types.ts';
import { baseOf, residualFloats, residualLayout, residualWeights, type ResidualShape } from './shape.ts';

const { hidden, activation } = mlp.params;

/** A bounded correction of a frozen base: residualNetwork.ts says what it computes. */
export const residual = defineNetwork({
  id: 'residual',
  title: 'Correction of a frozen clone (ResFiT)',
  rev: 1,
  source: {
    title: 'Residual Off-Policy RL for Finetuning Behavior Cloning Policies',
    arxiv: '2509.19301',
    level: 'abstract',
  },
  formula: 'ℓ = ℓ_base + c·tanh(Δ/c), Δ = 0 at the start',
  look: 'Begins exactly as the clone; training can only bend its logits by c.',
  also: 'residual policy, behavior cloning, base, frozen, fine-tuning',
  params: settings({
    bound: {
      kind: 'number',
      label: 'Bound of the correction',
      default: 3,
      min: 0.1,
      max: 20,
      doc: 'No logit moves farther from the clone; what the clone is surer of than that stays.',
      formula: 'c',
    },
    hidden,
    activation,
  }),
  shape: (own, task): ResidualShape => ({ ...task, ...own }),
  layout: residualLayout,
  start: ({ shape }, from, theta, at) => residualWeights(shape, from, theta, at),
  imitates: ({ shape }) => ({ network: mlp, ...baseOf(shape) }),
  make: later(async () => (await import('./residualNetwork.ts')).makeResidual),
  cpuFloats: ({ shape }) => residualFloats(shape),
  gpuFloats: () => ({ perStep: 0, once: 0 }),
  smaller(own) {
    const { setting, steps, at } = mlp.smaller!({ ...own, storage: 'f32' });
    return { setting, steps, at };
  },
});
