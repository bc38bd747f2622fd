import { settings } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import { ppoClip } from './ppoClip.ts';
import { unitClip } from '../../core/math/clip.ts';

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
  ...ppoClip.params,
});

/**
 * PPO clip on a policy that may choose from a few actions only: those of `keepSet` (core/math/topSet.ts) under a mask policy, a copy of π
 * that is renewed every `maskEvery` updates. The set of a step is chosen when the step is played and stored in the place
 * of the legal actions, so π, its entropy and its ratios are renormalized over it wherever they are read, and the action
 * that was taken is always a member.
 *
 * ℓ and κ are those of PPO clip.
 */
export const nlpo = defineObjective({
  id: 'nlpo',
  title: 'NLPO',
  rev: 1,
  source: {
    title: 'Is Reinforcement Learning (Not) for Natural Language Processing?',
    arxiv: '2210.01241',
    level: 'code',
  },
  formula: 'PPO clip with π over the smallest action set of probability ≥ p under a π of a few updates ago',
  look: 'The share of masked actions grows as the policy becomes certain; with a small p from the start, entropy and exploration vanish at once.',
  params,
  metrics: ['maskedShare'],
  restricts: (restriction) => restriction,
  clips: (values) => unitClip(1 - values.epsLow, 1 + values.epsHigh),
  coefficient: (unit, values, out) => ppoClip.coefficient(unit, values, out),
  wgsl: ppoClip.wgsl,
  uniforms: (values) => ppoClip.uniforms(values),
});
