import { settings } from '../../core/settings.ts';
import { later } from '../later.ts';
import { defineNetwork, type NetworkIssue } from '../types.ts';
import { floatsOfChunk, SLICES } from './chunk.ts';
import { transformerFloats, transformerRows } from './floats.ts';
import { countPrefixes, grammarOf, MOST_PREFIXES } from './grammar.ts';
import { transformerLayout, transformerWeights, type TransformerShape } from './shape.ts';

const error = (setting: string, message: string, label: string, value: number | boolean): NetworkIssue => ({
  ...{ severity: 'error', setting, message, repair: { label, value } },
});

/** A decoder over words: transformer.ts says what it computes. */
export const transformer = defineNetwork({
  id: 'transformer',
  title: 'Transformer (reads and writes words)',
  rev: 2,
  look: 'Reads what the agent sees as words and writes its action as a command, word by word.',
  metrics: ['entropyToken'],
  view: 'tokens',
  params: settings({
    width: {
      kind: 'integer',
      label: 'Width',
      default: 32,
      min: 8,
      max: 64,
      doc: 'Numbers per word; a multiple of the heads.',
      formula: 'D',
    },
    layers: {
      kind: 'integer',
      label: 'Layers',
      default: 1,
      min: 1,
      max: 3,
      doc: 'Attention and feed-forward, one after the other.',
    },
    heads: {
      kind: 'choice',
      label: 'Heads',
      default: '2',
      options: ['1', '2', '4'],
      doc: 'Attention heads of a layer; they share the width.',
    },
    hidden: {
      kind: 'integer',
      label: 'Feed-forward width',
      default: 64,
      min: 8,
      max: 256,
      doc: 'Hidden units between two attention layers.',
    },
    gate: {
      kind: 'choice',
      label: 'Gate',
      default: 'none',
      options: ['none', 'gru', 'output', 'highway', 'sigtanh', 'input'],
      optionLabels: ['plain sum', 'GRU (GTrXL)', 'output', 'highway', 'sigmoid-tanh', 'input'],
      doc: 'How a layer joins the stream; all GTrXL gates but “input” start near the identity.',
    },
    gateBias: {
      kind: 'number',
      label: 'Gate bias',
      default: 2,
      min: 0,
      max: 6,
      doc: 'The larger it is, the less a fresh layer changes the stream.',
      formula: 'b',
      when: { setting: 'gate', is: ['gru', 'output', 'highway', 'sigtanh'] },
    },
    history: {
      kind: 'integer',
      label: 'Last commands read',
      default: 2,
      min: 0,
      max: 120,
      doc: 'How many of its last commands are read again before each observation; nothing else is remembered.',
    },
    grammar: {
      kind: 'switch',
      label: 'Grammar mask',
      default: true,
      doc: 'Only words that continue a command can be written.',
    },
    tied: {
      kind: 'switch',
      label: 'Tied words',
      default: false,
      doc: 'Write words with the same vectors they are read with.',
    },
  }),
  shape: (own, task): TransformerShape => ({
    ...{ ...task, ...own, heads: Number(own.heads) },
    grammar: grammarOf(task.commands, task.vocabulary, own.grammar),
  }),
  unfit: ({ grammar }, { commands }) =>
    countPrefixes(commands, grammar) > MOST_PREFIXES
      ? {
          setting: 'grammar',
          message: `is off: the words that could follow are too many here, as commands have more than ${MOST_PREFIXES} beginnings`,
          repair: { label: 'switch it on', value: true },
        }
      : null,
  layout: transformerLayout,
  words: ({ grammar }) => grammar,
  // its own last commands
  reads: ({ history }) => history,
  start: ({ shape }, { seed }, theta, at) => transformerWeights(shape, seed, theta, at),
  make: later(async () => (await import('./transformerNetwork.ts')).makeTransformer),
  cpuFloats: ({ shape, layout }) => transformerFloats(shape, layout, transformerRows(shape)),
  // words and their values; the rest passes through in chunks, and so do slices of the gradient
  gpuFloats: ({ shape, layout }) => ({
    perStep: 2 + 2 * shape.grammar.decisions,
    once: floatsOfChunk(shape, layout) + SLICES * layout.size,
  }),
  smaller({ width, heads }) {
    const share = Number(heads);
    const top = Math.ceil(width / share) - 1;
    const steps = Math.max(0, top - Math.ceil(8 / share) + 1);
    return { setting: 'width', steps, at: (step) => share * (top - step) };
  },
  issues({ width, heads, grammar }, { narrows }) {
    const share = Number(heads);
    const value = Math.round(width / share) * share;
    const message = `is not a multiple of the ${heads} heads, which share it`;
    const odd = error('width', message, `set ${value}`, value);
    const open = error('grammar', 'is off: a mask of actions needs it', 'switch it on', true);
    return [...(width % share === 0 ? [] : [odd]), ...(narrows && !grammar ? [open] : [])];
  },
  reading: later(async () => (await import('./transformerNetwork.ts')).readingOf),
  gpu: async () => (await import('./transformerOnGpu.ts')).transformerOnGpu,
});
