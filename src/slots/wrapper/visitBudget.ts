import { settings } from '../../core/settings.ts';
import { budgeted } from '../../envs/perturb/budgeted.ts';
import { defineWrapper, i32, noRoomIn, u32 } from './types.ts';

/**
 * A constraint on the whole episode (NeoRL-2): some places should be left alone, and success allows few visits of them. The
 * count is part of the state of the world, so values are exact; the agent never sees it, and learns of it at the end.
 */
export const visitBudget = defineWrapper({
  id: 'visitBudget',
  title: 'Forbidden places',
  rev: 1,
  source: { title: 'NeoRL-2', arxiv: '2503.19267', level: 'digest' },
  formula: 'success = goal reached ∧ visits ≤ C',
  look: 'The goal is reached, and still nothing is paid: too many forbidden places on the way.',
  params: settings({
    budget: {
      ...{ kind: 'integer', label: 'Visits allowed', default: 0, min: 0, max: 100, formula: 'C' },
      doc: 'Reaching the goal after more arrivals at forbidden places is no success.',
    },
    share: {
      ...{ kind: 'integer', label: 'Forbidden', default: 250, min: 0, max: 1000, per: 1000, unit: 'of the places' },
      doc: 'Drawn with the level; a shortest way to the goal always stays within the budget.',
    },
    shown: {
      kind: 'switch',
      label: 'Is seen',
      default: false,
      doc: 'The agent sees whether it stands on a forbidden place; never how many visits there were.',
    },
  }),
  world: (env, params, rewards) => budgeted(env, params, rewards),
  refuses: ({ shown }, view) => (shown ? noRoomIn(view) : null),
  wgsl: async () => (await import('./visitBudget.wgsl?raw')).default,
  constants: ({ budget, shown }, { words, features, levelWords, placeBits, placeAt, rewards }) => ({
    ...{ BUDGET: u32(budget), SHOWN: shown ? 'true' : 'false', WORDS: u32(words), FEATURES: u32(features) },
    ...{ SET: u32(levelWords), AT: u32(placeAt), CELL: u32(placeBits >= 32 ? 0xffffffff : 2 ** placeBits - 1) },
    WAITING: i32(Number(rewards['step'] ?? 0)),
  }),
});
