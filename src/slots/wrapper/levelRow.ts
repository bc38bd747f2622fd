import { settings } from '../../core/settings.ts';
import { serial } from '../../envs/perturb/serial.ts';
import { defineWrapper, i32, noRoomIn, u32 } from './types.ts';

/**
 * Chains of levels: h levels in a row of which only the end of the last one pays (h1), and where each may ask for what was
 * found in it (R-HORIZON). A policy that solves one with probability p solves independent ones with p^h.
 */
export const levelRow = defineWrapper({
  id: 'levelRow',
  title: 'Levels in a row',
  rev: 1,
  source: { title: 'h1', arxiv: '2510.07312', level: 'digest' },
  formula: 'success = p₁·p₂·…·p_h',
  look: 'Solving one level leads into the next; only the end of the last one pays.',
  loses: 'goals',
  params: settings({
    pieces: {
      ...{ kind: 'integer', label: 'Levels', default: 2, min: 2, max: 8, formula: 'h' },
      doc: 'How many levels there are in a row; the step limit grows with them.',
    },
    growEvery: {
      ...{ kind: 'integer', label: 'Grow every', default: 0, min: 0, max: 10_000, unit: 'updates' },
      doc: 'Updates before another level is added, starting with one; 0 = all of them at once.',
    },
    carries: {
      kind: 'switch',
      label: 'Colors are carried',
      default: false,
      doc: 'In each later level a color is found, which names the door to take at its end.',
    },
    symbols: {
      ...{ kind: 'integer', label: 'Doors', default: 2, min: 2, max: 4, formula: 'M' },
      doc: 'Doors at the end of a level, one of them right; a wrong one ends the episode.',
      when: { setting: 'carries', is: [true] },
    },
    shown: {
      kind: 'choice',
      label: 'The color is seen',
      default: 'always',
      options: ['always', 'once'],
      optionLabels: ['until it is used', 'only when it is found'],
      doc: 'Seen once, it must be remembered: that takes a network with a memory.',
      when: { setting: 'carries', is: [true] },
    },
  }),
  world: (env, { pieces, growEvery, carries, symbols, shown }, rewards) =>
    serial(env, { pieces, growEvery, symbols: carries ? symbols : 0, hides: shown === 'once' }, rewards),
  refuses: (_params, view) => noRoomIn(view),
  wgsl: async () => (await import('./levelRow.wgsl?raw')).default,
  constants: ({ pieces, carries, symbols, shown }, { words, features, levelWords, actions, rewards }) => {
    const M = carries ? symbols : 0;
    return {
      ...{ H: u32(pieces), M: u32(M), HIDES: shown === 'once' ? 'true' : 'false', WORDS: u32(words) },
      ...{ FEATURES: u32(features), SEEN: u32(Math.ceil((features + pieces + (M > 0 ? M + 1 : 0)) / 32)) },
      ...{ LEVEL: u32(levelWords), ACTIONS: u32(actions) },
      ...{ GOAL: i32(Number(rewards['goal'] ?? 1000)), STEP: i32(Number(rewards['step'] ?? 0)) },
    };
  },
});
