import { settings } from '../../core/settings.ts';
import { later } from '../later.ts';
import { defineNetwork } from '../types.ts';
import { GRU_STEP, GRU_STEPS, gruFloats, gruLayout, gruWeights, type GruShape } from './shape.ts';

/** A gated recurrent unit over the bits of the observations: gruNetwork.ts says what it computes. */
export const gru = defineNetwork({
  id: 'gru',
  title: 'Recurrent network (GRU)',
  rev: 1,
  source: {
    title: 'Learning phrase representations using RNN encoder-decoder',
    arxiv: '1406.1078',
    level: 'textbook',
  },
  look: 'Remembers what it saw: for tasks where one observation is not enough.',
  params: settings({
    hidden: {
      kind: 'integer',
      label: 'Memory',
      default: 32,
      min: 1,
      max: 128,
      doc: 'Numbers that the agent remembers from step to step; cleared at the start of an episode.',
      formula: 'H',
    },
    unroll: {
      kind: 'integer',
      label: 'Gradient reaches back',
      default: 0,
      min: 0,
      max: 128,
      unit: 'steps',
      doc: 'Steps after which the gradient through the memory is cut; 0 = never.',
    },
  }),
  isListed: true,
  mostSteps: GRU_STEPS,
  shape: (own, task): GruShape => ({ ...task, ...own }),
  layout: gruLayout,
  reads: () => Infinity,
  remembered: ({ hidden }) => hidden,
  start: ({ shape }, { seed, activeInputs }, theta, at) => gruWeights(shape, seed, activeInputs, theta, at),
  make: later(async () => (await import('./gruNetwork.ts')).makeGru),
  cpuFloats: ({ shape, layout }) => gruFloats(shape, layout),
  gpuFloats: ({ shape: { hidden } }) => ({ perStep: GRU_STEP * hidden, once: 0 }),
  smaller: ({ hidden }) => ({ setting: 'hidden', steps: hidden - 1, at: (step) => hidden - 1 - step }),
  gpu: async () => (await import('./gruOnGpu.ts')).gruOnGpu,
});
