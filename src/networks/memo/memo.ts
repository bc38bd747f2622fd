import { settings } from '../../core/settings.ts';
import { later } from '../later.ts';
import { defineNetwork, type NetworkIssue } from '../types.ts';
import { MEMO_STEPS, memoFloats, memoLayout, memoryOf, memoWeights, type MemoShape } from './shape.ts';

/** A transformer that writes summaries of its steps: memoNetwork.ts says what it computes. */
export const memo = defineNetwork({
  id: 'memo',
  title: 'Transformer with summaries (Memo)',
  rev: 1,
  source: {
    title: 'Memo: training memory-efficient embodied agents with reinforcement learning',
    arxiv: '2510.19732',
    level: 'code',
  },
  look: 'Sums up every few steps in a few tokens and reads those later: long episodes stay short to read.',
  formula: 'reads [earlier summaries; steps of the segment], ⌊t/L⌋·S + t mod L + 1 tokens',
  also: 'summary tokens, recurrent memory transformer, RMT, AutoCompressor',
  params: settings({
    width: {
      kind: 'integer',
      label: 'Width',
      default: 32,
      min: 4,
      max: 64,
      doc: 'Numbers per token; a multiple of the heads.',
      formula: 'D',
    },
    layers: {
      kind: 'integer',
      label: 'Layers',
      default: 2,
      min: 1,
      max: 3,
      doc: 'Attention and feed-forward, one after the other.',
    },
    heads: {
      kind: 'choice',
      label: 'Heads',
      default: '2',
      options: ['1', '2', '4'],
      doc: 'Attention heads of a layer: each reads other tokens.',
    },
    hidden: {
      kind: 'integer',
      label: 'Feed-forward width',
      default: 64,
      min: 4,
      max: 256,
      doc: 'Hidden units between two attention layers.',
    },
    segment: {
      kind: 'integer',
      label: 'Segment',
      default: 16,
      min: 4,
      max: 64,
      unit: 'steps',
      doc: 'Steps between two summaries; later steps read the summary in place of them.',
      formula: 'L',
    },
    summary: {
      kind: 'integer',
      label: 'Summary',
      default: 2,
      min: 1,
      max: 4,
      unit: 'tokens',
      doc: 'Tokens of a summary: all that is left of a segment.',
      formula: 'S',
    },
    keep: {
      kind: 'integer',
      label: 'Summaries kept',
      default: 8,
      min: 1,
      max: 32,
      unit: 'segments',
      doc: 'Segments whose summaries are read; 1 = each takes the place of the one before.',
      formula: 'K',
    },
    gate: {
      kind: 'choice',
      label: 'Gate',
      default: 'residual',
      options: ['residual', 'gru', 'output', 'highway', 'sigtanh', 'input'],
      optionLabels: ['plain sum', 'GRU', 'output', 'highway', 'sigmoid-tanh', 'input'],
      doc: 'How a layer joins the stream; all but “input” and the sum start near the identity.',
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
  }),
  mostSteps: MEMO_STEPS,
  shape: ({ gate, heads, ...own }, { features, actions, critic, values }): MemoShape => ({
    ...{ ...own, features, actions, critic, values },
    ...{ heads: Number(heads), gate: gate === 'residual' ? 'none' : gate },
  }),
  layout: memoLayout,
  reads: () => Infinity,
  remembered: memoryOf,
  start: ({ shape }, from, theta, at) => memoWeights(shape, from, theta, at),
  make: later(async () => (await import('./memoNetwork.ts')).makeMemo),
  cpuFloats: ({ shape, layout }) => memoFloats(shape, layout),
  gpuFloats: () => ({ perStep: 0, once: 0 }),
  smaller({ width, heads }) {
    const share = Number(heads);
    const steps = Math.max(0, Math.ceil(width / share) - 1);
    return { setting: 'width', steps, at: (step) => share * (steps - step) };
  },
  issues({ width, heads }): NetworkIssue[] {
    const share = Number(heads);
    if (width % share === 0) return [];
    const value = Math.max(share, Math.round(width / share) * share);
    const message = `is not a multiple of the ${heads} heads, which share it`;
    return [{ severity: 'error', setting: 'width', message, repair: { label: `set ${value}`, value } }];
  },
});
