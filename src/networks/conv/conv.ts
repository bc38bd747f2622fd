import { settings } from '../../core/settings.ts';
import { later } from '../later.ts';
import { defineNetwork } from '../types.ts';
import { convFloats, convLayout, convStep, convWeights, type ConvShape } from './shape.ts';

/** Convolutions over the board that an observation shows: convNetwork.ts says what it computes. */
export const conv = defineNetwork({
  id: 'conv',
  title: 'Convolution network',
  rev: 1,
  source: {
    title: 'Gradient-based learning applied to document recognition',
    level: 'textbook',
  },
  look: 'Looks at every cell and its neighbors with the same weights: what it learns in one place counts everywhere.',
  also: 'CNN, ConvNet, filters, board, image',
  params: settings({
    layers: {
      kind: 'integer',
      label: 'Layers over the board',
      default: 2,
      min: 1,
      max: 4,
      doc: 'Each lets a cell see one cell farther.',
    },
    channels: {
      kind: 'integer',
      label: 'Channels',
      default: 16,
      min: 1,
      max: 64,
      doc: 'Numbers that each layer computes for every cell.',
      formula: 'C',
    },
    skip: {
      kind: 'switch',
      label: 'Skip connections',
      default: false,
      doc: 'Later layers add to what they read instead of replacing it.',
    },
    hidden: {
      kind: 'integer',
      label: 'Dense layer',
      default: 64,
      min: 1,
      max: 512,
      doc: 'Width of the layer that sums up the board; most weights are here.',
      formula: 'H',
    },
  }),
  readsBoard: true,
  isListed: true,
  shape: (own, { board, ...task }): ConvShape => ({ ...task, ...own, board: board! }),
  layout: convLayout,
  start: ({ shape }, { seed, activeInputs }, theta, at) => convWeights(shape, seed, activeInputs, theta, at),
  make: later(async () => (await import('./convNetwork.ts')).makeConv),
  cpuFloats: ({ shape, layout }) => convFloats(shape, layout),
  gpuFloats: ({ shape }) => ({ perStep: convStep(shape), once: 0 }),
  // most floats are the weights behind the board
  smaller: ({ hidden }) => ({ setting: 'hidden', steps: hidden - 1, at: (step) => hidden - 1 - step }),
  issues: ({ layers, skip }) =>
    skip && layers === 1
      ? [{ severity: 'hint', setting: 'skip', message: 'has no effect with one layer over the board' }]
      : [],
  gpu: async () => (await import('./convOnGpu.ts')).convOnGpu,
});
