import { settings } from '../../core/settings.ts';
import { gated } from '../../envs/perturb/gated.ts';
import { defineWrapper, i32, noRoomIn, u32 } from './types.ts';

/**
 * An influence from outside that nobody controls: a gate that opens and shuts by itself (NeoRL-2). Its state is part of the
 * state of the world, so values are exact; hidden, it is not seen, and equal views may be different states.
 */
export const externalChain = defineWrapper({
  id: 'externalChain',
  title: 'Gate that shuts by itself',
  rev: 1,
  source: { title: 'NeoRL-2', arxiv: '2503.19267', level: 'digest' },
  formula: 'P(gate changes after a step) = p',
  look: 'Now and then nothing moves for a while, whatever is chosen.',
  params: settings({
    switching: {
      ...{ kind: 'integer', label: 'Changes', default: 100, min: 1, max: 1000, per: 1000, formula: 'p' },
      doc: 'Chance that the gate opens or shuts after a step.',
    },
    shown: {
      kind: 'switch',
      label: 'Is seen',
      default: true,
      doc: 'The agent sees whether the gate is shut; hidden, equal views are different states.',
    },
  }),
  world: (env, params, rewards) => gated(env, params, rewards),
  refuses: ({ shown }, view) => (shown ? noRoomIn(view) : null),
  wgsl: async () => (await import('./externalChain.wgsl?raw')).default,
  constants: ({ switching, shown }, { words, features, rewards }) => ({
    ...{ SWITCHING: u32(switching), SHOWN: shown ? 'true' : 'false', WORDS: u32(words) },
    ...{ FEATURES: u32(features), WAITING: i32(Number(rewards['step'] ?? 0)) },
  }),
});
