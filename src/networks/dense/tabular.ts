import { settings } from '../../core/settings.ts';
import { defineNetwork } from '../types.ts';
import { chain } from './chain.ts';
import type { NetworkShape } from './shape.ts';

/** A chain without hidden layers and without bias over the number of the state: row s of its weights has the logits of state s. */
export const tabular = defineNetwork({
  ...chain,
  id: 'tabular',
  title: 'Table of logits',
  rev: 1,
  look: 'One row of logits per state: nothing is shared, and everything can be read directly.',
  view: 'index',
  isTable: true,
  params: settings({}),
  shape: (_, task): NetworkShape => ({ ...task, hidden: [], activation: 'tanh', bias: false }),
});
