import { settings } from '../../core/settings.ts';
import { later } from '../later.ts';
import { defineNetwork, type NetworkIssue } from '../types.ts';
import { gtrxlFloats, gtrxlLayout, gtrxlWeights, memoryOf, type GtrxlShape } from './shape.ts';

/** A gated transformer over the steps of an episode: gtrxlNetwork.ts says what it computes. */
export const gtrxl = defineNetwork({
  id: 'gtrxl',
  title: 'Transformer with a memory (GTrXL)',
  rev: 1,
  source: {
    title: 'Stabilizing transformers for reinforcement learning',
    arxiv: '1910.06764',
    level: 'digest',
  },
  look: 'Looks back at single earlier steps, and learns which: for tasks where one observation is not enough.',
  formula: 'y = g₁(x, ReLU(MHA(LN[m; x]))), x′ = g₂(y, ReLU(MLP(LN(y))))',
  params: settings({
    width: {
      kind: 'integer',
      label: 'Width',
      default: 32,
      min: 4,
      max: 64,
      doc: 'Numbers per step; a multiple of the heads.',
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
      doc: 'Attention heads of a layer: each looks back at other steps.',
    },
    hidden: {
      kind: 'integer',
      label: 'Feed-forward width',
      default: 64,
      min: 4,
      max: 256,
      doc: 'Hidden units between two attention layers.',
    },
    memory: {
      kind: 'integer',
      label: 'Memory',
      default: 32,
      min: 0,
      max: 64,
      unit: 'steps',
      doc: 'Steps before a segment that are read too, without a gradient; 0 = the segment alone.',
      formula: 'M',
    },
    segment: {
      kind: 'integer',
      label: 'Segment',
      default: 16,
      min: 1,
      max: 64,
      unit: 'steps',
      doc: 'Gradients go back to its first step: what a cue teaches must be at most this far away.',
      formula: 'L',
    },
    gate: {
      kind: 'choice',
      label: 'Gate',
      default: 'gru',
      options: ['gru', 'output', 'highway', 'sigtanh', 'input', 'residual'],
      optionLabels: ['GRU', 'output', 'highway', 'sigmoid-tanh', 'input', 'plain sum'],
      doc: 'How a layer joins the stream; all but “input” and the sum start near the identity.',
    },
    gateBias: {
      kind: 'number',
      label: 'Gate bias',
      default: 2,
      min: 0,
      max: 6,
      doc: 'The larger it is, the less a fresh layer changes the stream, and the less it remembers.',
      formula: 'b',
      when: { setting: 'gate', is: ['gru', 'output', 'highway', 'sigtanh'] },
    },
  }),
  shape: ({ gate, heads, ...own }, { features, actions, critic, values }): GtrxlShape => ({
    ...{ ...own, features, actions, critic, values },
    ...{ heads: Number(heads), gate: gate === 'residual' ? 'none' : gate },
  }),
  layout: gtrxlLayout,
  reads: () => Infinity,
  remembered: memoryOf,
  start: ({ shape }, from, theta, at) => gtrxlWeights(shape, from, theta, at),
  make: later(async () => (await import('./gtrxlNetwork.ts')).makeGtrxl),
  cpuFloats: ({ shape, layout }) => gtrxlFloats(shape, layout),
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
