import { settings } from '../../core/settings.ts';
import { later } from '../later.ts';
import { gateSettings, headIssues, layerSettings, smallerWidth } from '../transformer/overSteps.ts';
import { defineNetwork } from '../types.ts';
import { MEMO_STEPS, memoFloats, memoGpuFloats, memoLayout, memoryOf, memoWeights, type MemoShape } from './shape.ts';

/** A transformer that writes summaries of its steps: memoNetwork.ts says what it computes. */
export const memo = defineNetwork({
  id: 'memo',
  title: 'Transformer with summaries (Memo)',
  rev: 2,
  source: {
    title: 'Memo: training memory-efficient embodied agents with reinforcement learning',
    arxiv: '2510.19732',
    level: 'code',
  },
  look: 'Sums up every few steps in a few tokens and reads those later: long episodes stay short to read.',
  formula: 'reads [earlier summaries; steps of the segment], ⌊t/L⌋·S + t mod L + 1 tokens',
  also: 'summary tokens, recurrent memory transformer, RMT, AutoCompressor',
  params: settings({
    ...layerSettings,
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
    ...gateSettings,
    gate: { ...gateSettings.gate, default: 'residual' },
  }),
  mostSteps: MEMO_STEPS,
  shape: ({ gate, heads, ...own }, { features, actions, critic, values }): MemoShape => ({
    ...{ ...own, features, actions, critic, values },
    ...{ heads: Number(heads), gate: gate === 'residual' ? 'none' : gate },
  }),
  isListed: true,
  layout: memoLayout,
  reads: () => Infinity,
  remembered: memoryOf,
  start: ({ shape }, from, theta, at) => memoWeights(shape, from, theta, at),
  make: later(async () => (await import('./memoNetwork.ts')).makeMemo),
  cpuFloats: ({ shape, layout }) => memoFloats(shape, layout),
  gpuFloats: ({ shape }, T) => ({ perStep: memoGpuFloats(shape, T) / T, once: 0 }),
  smaller: smallerWidth,
  issues: headIssues,
  gpu: async () => (await import('./memoOnGpu.ts')).memoOnGpu,
});
