import { settings } from '../../core/settings.ts';
import { later } from '../later.ts';
import { gateSettings, headIssues, layerSettings, smallerWidth } from '../transformer/overSteps.ts';
import { defineNetwork } from '../types.ts';
import { gtrxlFloats, gtrxlGpuFloats, gtrxlLayout, gtrxlWeights, memoryOf, type GtrxlShape } from './shape.ts';

/** A gated transformer over the steps of an episode: gtrxlNetwork.ts says what it computes. */
export const gtrxl = defineNetwork({
  id: 'gtrxl',
  title: 'Transformer with a memory (GTrXL)',
  rev: 2,
  source: {
    title: 'Stabilizing transformers for reinforcement learning',
    arxiv: '1910.06764',
    level: 'digest',
  },
  look: 'Looks back at single earlier steps, and learns which: for tasks where one observation is not enough.',
  formula: 'y = g₁(x, ReLU(MHA(LN[m; x]))), x′ = g₂(y, ReLU(MLP(LN(y))))',
  params: settings({
    ...layerSettings,
    memory: {
      kind: 'integer',
      label: 'Memory',
      default: 32,
      min: 0,
      max: 448,
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
    ...gateSettings,
  }),
  shape: ({ gate, heads, ...own }, { features, actions, critic, values }): GtrxlShape => ({
    ...{ ...own, features, actions, critic, values },
    ...{ heads: Number(heads), gate: gate === 'residual' ? 'none' : gate },
  }),
  isListed: true,
  layout: gtrxlLayout,
  reads: () => Infinity,
  remembered: memoryOf,
  start: ({ shape }, from, theta, at) => gtrxlWeights(shape, from, theta, at),
  make: later(async () => (await import('./gtrxlNetwork.ts')).makeGtrxl),
  cpuFloats: ({ shape, layout }) => gtrxlFloats(shape, layout),
  gpuFloats: ({ shape }) => gtrxlGpuFloats(shape),
  smaller: smallerWidth,
  issues: headIssues,
  gpu: async () => (await import('./gtrxlOnGpu.ts')).gtrxlOnGpu,
});
