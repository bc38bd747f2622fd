import { topSet } from '../../core/math/topSet.ts';
import wgsl from '../../core/math/topSet.wgsl?raw';
import { settings } from '../../core/settings.ts';
import { defineRestriction } from './types.ts';

const params = settings({
  topP: {
    kind: 'number',
    label: 'Probability kept',
    default: 0.9,
    min: 0,
    max: 1,
    doc: 'The most likely actions are allowed until together they have this much probability under the mask policy.',
    formula: 'p',
  },
  minKeep: {
    kind: 'integer',
    label: 'Actions kept at least',
    default: 1,
    min: 1,
    max: 32,
    doc: 'How many of the most likely actions are always allowed.',
  },
  maskEvery: {
    kind: 'integer',
    label: 'Mask renewed every',
    default: 5,
    min: 1,
    max: 1000,
    scale: 'log',
    doc: 'Updates between two renewals of the mask policy as a copy of the current policy.',
  },
  inTraining: {
    kind: 'switch',
    label: 'Mask in training too',
    default: true,
    doc: 'Turning it off is a mistake worth seeing: data of the masked policy then trains one without a mask.',
  },
});

/** The most likely actions of a policy of a few updates ago: a copy of π that is renewed every `maskEvery` updates. */
export const maskPolicy = defineRestriction({
  id: 'maskPolicy',
  params,
  weights: 'mask',
  // it begins as a copy of θ
  state: { mask: { type: 'f32', per: 'parameter', onFork: 'keep', onDevice: true, start: 'theta' } },
  metric: 'maskedShare',
  isRenewed: (update, { maskEvery }) => update % maskEvery === 0,
  inTraining: (values) => values.inTraining,
  kept: topSet,
  wgsl,
  uniforms: ({ topP, minKeep }) => [topP, minKeep, 0, 0],
});
