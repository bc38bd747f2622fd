import { defineObjective } from '../types.ts';
import { maskPolicy } from '../rollout/maskPolicy.ts';
import { ppoClip } from './ppoClip.ts';
import { unitClip } from '../../core/math/clip.ts';

/**
 * PPO clip on a policy that may choose from a few actions only: the most likely ones of a mask policy (rollout/maskPolicy.ts), a copy
 * of π that is renewed every `maskEvery` updates. The set of a step is chosen when the step is played and stored in the place
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
  params: { ...maskPolicy.params, ...ppoClip.params },
  metrics: [maskPolicy.metric],
  restricts: maskPolicy,
  clips: (values) => unitClip(1 - values.epsLow, 1 + values.epsHigh),
  coefficient: (unit, values, out) => ppoClip.coefficient(unit, values, out),
  wgsl: ppoClip.wgsl,
  uniforms: (values) => ppoClip.uniforms(values),
});
