import { settings } from '../core/settings.ts';

/** Order here is the order in menus. `network.ts` turns a choice into a chain of layers. */
export const policies = [
  {
    id: 'mlp',
    title: 'Neural network (MLP)',
    doc: 'Dense layers over what the agent sees; similar sights share what they learned.',
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
    }),
  },
  {
    id: 'tabular',
    title: 'Table of logits',
    doc: 'One row of logits per state: nothing is shared, everything can be read off.',
    params: settings({}),
  },
] as const;
