import { settings, type ValuesOf } from '../../core/settings.ts';
import { noted, type NoteSettings } from '../../envs/perturb/noted.ts';
import { shelved } from '../../envs/perturb/shelved.ts';
import { defineWrapper, i32, noRoomIn, u32, type WrapperFacts } from './types.ts';

const params = settings({
  mode: {
    kind: 'choice',
    label: 'Written',
    default: 'everyStep',
    options: ['everyStep', 'onLimit', 'indexed'],
    optionLabels: ['before every step (IterResearch)', 'when the context is full (SUPO)', 'into a store (Memex)'],
    doc: 'The note is all that is left of what was seen before; with a longer context fewer are written.',
  },
  symbols: {
    ...{ kind: 'integer', label: 'Symbols of a note', default: 1, min: 1, max: 6, formula: 'K' },
    doc: 'Written one after the other; each is a step for γ, in which the world stands still.',
    when: { setting: 'mode', is: ['everyStep', 'onLimit'] },
  },
  alphabet: {
    ...{ kind: 'integer', label: 'Alphabet', default: 4, min: 2, max: 16, formula: 'M' },
    doc: 'How many different symbols there are: a note holds K·log₂ M bits.',
    when: { setting: 'mode', is: ['everyStep', 'onLimit'] },
  },
  context: {
    ...{ kind: 'integer', label: 'Context', default: 4, min: 2, max: 16, unit: 'observations', formula: 'L' },
    doc: 'Seen at once. Full, it makes room by a note about all of them, or drops the oldest.',
    when: { setting: 'mode', is: ['onLimit', 'indexed'] },
  },
  most: {
    ...{ kind: 'integer', label: 'Most notes', default: 8, min: 0, max: 64, formula: 'S' },
    doc: 'Of an episode; then the oldest observation is dropped. 0: the same view without any.',
    when: { setting: 'mode', is: ['onLimit'] },
  },
  slots: {
    ...{ kind: 'integer', label: 'Slots', default: 2, min: 1, max: 8 },
    doc: 'Each keeps one observation: one action writes it and one reads it, both cost a step.',
    when: { setting: 'mode', is: ['indexed'] },
  },
  dropped: {
    ...{ kind: 'integer', label: 'Cost of forgetting', default: 20, min: 0, max: 1000, per: 1000 },
    doc: 'Paid for a whole context that is dropped without being kept in a slot (lab’s own number).',
    when: { setting: 'mode', is: ['indexed'] },
  },
  repeated: {
    ...{ kind: 'integer', label: 'Cost of repeating', default: 10, min: 0, max: 1000, per: 1000 },
    doc: 'Paid for reading a slot again within 3 steps, and for writing what one holds (own number).',
    when: { setting: 'mode', is: ['indexed'] },
  },
});

type Params = ValuesOf<typeof params>;

const formOf = ({ mode, symbols, alphabet, context, most }: Params): NoteSettings => ({
  ...{ symbols, alphabet },
  ...(mode === 'onLimit' ? { limit: context, most } : { limit: 1, most: 0 }),
});

/** Constants of the WGSL of the store. */
const ofStore = ({ slots, context, dropped, repeated }: Params, facts: WrapperFacts) => ({
  ...{ N: u32(slots), CONTEXT: u32(context), ACTIONS: u32(facts.actions), WORDS: u32(facts.words) },
  ...{ INNER: u32(facts.innerWords), SEEN: u32(Math.ceil(facts.features / 32)), OWN: u32(Math.ceil((9 * slots) / 32)) },
  ...{ PLACE: u32(facts.placeBits >= 32 ? 0xffffffff : 2 ** facts.placeBits - 1), PLACE_AT: u32(facts.placeAt) },
  ...{ WAITING: i32(Number(facts.rewards['step'] ?? 0)), LOST: i32(-Math.round(dropped / context)) },
  REPEATED: i32(-repeated),
});

/**
 * Notes to itself, one mechanism for three ways of working in a context that is too short: the state is rebuilt before every
 * step from the observation and the last note (IterResearch, arXiv 2511.07327), or the context is replaced by a note when it
 * is full (SUPO, arXiv 2510.06727), or observations are kept in a store and read back (Memex, arXiv 2603.04257). A note is K symbols, and each is an action like the others: it has a log-probability and
 * gets the outcome's advantage, so what to write is learned from what came of it.
 */
export const notes = defineWrapper({
  id: 'notes',
  title: 'Notes to itself',
  rev: 2,
  source: { title: 'SUPO', arxiv: '2510.06727', level: 'digest' },
  formula: 'π(note, a | o, note before) = Π_k π(symbol k | o, …)·π(a | o, note)',
  look: 'The note that is written where something is seen is still there where it is needed.',
  also: 'summary, memory, context limit, scratchpad, report, IterResearch, Memex',
  params,
  world: (env, given, rewards) => (given.mode === 'indexed' ? shelved(env, given, rewards) : noted(env, formOf(given))),
  noteSymbols: ({ mode, alphabet }) => (mode === 'indexed' ? 0 : alphabet),
  refuses: (_params, view) => noRoomIn(view),
  wgsl: async ({ mode }) =>
    mode === 'indexed' ? (await import('./notesStore.wgsl?raw')).default : (await import('./notes.wgsl?raw')).default,
  constants(given, facts) {
    if (given.mode === 'indexed') return ofStore(given, facts);
    const { words, features, actions, innerWords } = facts;
    const { limit, most, symbols, alphabet } = formOf(given);
    return {
      ...{ LIMIT: u32(limit), MOST: u32(most), K: u32(symbols), M: u32(alphabet), ACTIONS: u32(actions) },
      ...{ WORDS: u32(words), INNER: u32(innerWords), SEEN: u32(Math.ceil(features / 32)) },
      OWN: u32(Math.ceil((2 * symbols * alphabet + symbols) / 32)),
    };
  },
});
