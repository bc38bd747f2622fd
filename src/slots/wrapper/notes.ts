import { settings, type ValuesOf } from '../../core/settings.ts';
import { noted, type NoteSettings } from '../../envs/perturb/noted.ts';
import { defineWrapper, noRoomIn, u32 } from './types.ts';

const params = settings({
  mode: {
    kind: 'choice',
    label: 'Written',
    default: 'everyStep',
    options: ['everyStep', 'onLimit'],
    optionLabels: ['before every step (IterResearch)', 'when the context is full (SUPO)'],
    doc: 'The note is all that is left of what was seen before; with a longer context fewer are written.',
  },
  symbols: {
    ...{ kind: 'integer', label: 'Symbols of a note', default: 1, min: 1, max: 6, formula: 'K' },
    doc: 'Written one after the other, each in a step that does not move the world.',
  },
  alphabet: {
    ...{ kind: 'integer', label: 'Alphabet', default: 4, min: 2, max: 16, formula: 'M' },
    doc: 'How many different symbols there are: a note holds K·log₂ M bits.',
  },
  context: {
    ...{ kind: 'integer', label: 'Context', default: 4, min: 2, max: 16, unit: 'observations', formula: 'L' },
    doc: 'Observations that are seen at once; when it is full a note is written and it begins again.',
    when: { setting: 'mode', is: ['onLimit'] },
  },
  most: {
    ...{ kind: 'integer', label: 'Most notes', default: 8, min: 1, max: 64, formula: 'S' },
    doc: 'Notes of an episode at most; then the oldest observation is dropped.',
    when: { setting: 'mode', is: ['onLimit'] },
  },
});

const formOf = ({ mode, symbols, alphabet, context, most }: ValuesOf<typeof params>): NoteSettings => ({
  ...{ symbols, alphabet },
  ...(mode === 'onLimit' ? { limit: context, most } : { limit: 1, most: 0 }),
});

/**
 * Notes to itself, one mechanism for two ways of working in a context that is too short: the state is rebuilt before every
 * step from the observation and the last note (IterResearch, arXiv 2511.07327), or the context is replaced by a note when it
 * is full (SUPO, arXiv 2510.06727). A note is K symbols, and each is an action like the others: it has a log-probability and
 * gets the outcome's advantage, so what to write is learned from what came of it.
 */
export const notes = defineWrapper({
  id: 'notes',
  title: 'Notes to itself',
  rev: 1,
  source: { title: 'SUPO', arxiv: '2510.06727', level: 'digest' },
  formula: 'π(note, a | o, note before) = Π_k π(symbol k | o, …)·π(a | o, note)',
  look: 'The note that is written where something is seen is still there where it is needed.',
  also: 'summary, memory, context limit, scratchpad, report, IterResearch',
  params,
  world: (env, given) => noted(env, formOf(given)),
  noteSymbols: ({ alphabet }) => alphabet,
  refuses: (_params, view) => noRoomIn(view),
  wgsl: async () => (await import('./notes.wgsl?raw')).default,
  constants(given, { words, features, actions, innerWords }) {
    const { limit, most, symbols, alphabet } = formOf(given);
    return {
      ...{ LIMIT: u32(limit), MOST: u32(most), K: u32(symbols), M: u32(alphabet), ACTIONS: u32(actions) },
      ...{ WORDS: u32(words), INNER: u32(innerWords), SEEN: u32(Math.ceil(features / 32)) },
      OWN: u32(Math.ceil((2 * symbols * alphabet + symbols) / 32)),
    };
  },
});
