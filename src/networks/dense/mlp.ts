import { settings } from '../../core/settings.ts';
import { defineNetwork } from '../types.ts';
import { chain } from './chain.ts';
import { halfLayers, type NetworkShape } from './shape.ts';

/** Dense layers over the bits of the observation. */
export const mlp = defineNetwork({
  ...chain,
  id: 'mlp',
  title: 'Neural network (MLP)',
  rev: 1,
  look: 'Dense layers over what the agent sees; similar observations share what was learned.',
  params: settings({
    hidden: {
      kind: 'integers',
      label: 'Hidden layers',
      default: [64],
      min: 1,
      max: 512,
      minItems: 1,
      maxItems: 6,
      doc: 'Width of each hidden layer.',
    },
    activation: {
      kind: 'choice',
      label: 'Activation',
      default: 'tanh',
      options: ['tanh', 'relu', 'gelu'],
      doc: 'Nonlinearity between the layers.',
    },
    storage: {
      kind: 'choice',
      label: 'Stored on a GPU as',
      default: 'f32',
      options: ['f32', 'f16'],
      optionLabels: ['floats', 'half floats'],
      doc: 'Precision in which hidden layers read each other while learning; sums stay in floats.',
    },
  }),
  shape: (own, task): NetworkShape => ({ ...task, ...own, bias: true }),
  smaller({ hidden }) {
    const widest = Math.max(...hidden);
    const at = (step: number): number[] => hidden.map((width) => Math.min(width, widest - 1 - step));
    return { setting: 'hidden', steps: widest - 1, at };
  },
  issues({ storage }, { backend, shape }) {
    const hint = (message: string) => [{ severity: 'hint', setting: 'storage', message } as const];
    if (storage !== 'f16') return [];
    if (backend === 'cpu') return hint('has no effect on the CPU');
    if (!shape || halfLayers(shape).length > 0) return [];
    return hint('has no effect without two hidden layers in a row of widths 8, 12, 16, …');
  },
});
