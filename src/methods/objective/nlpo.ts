import { exp, log } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import type { Row } from './distribution.ts';
import { ppoClip } from './ppoClip.ts';
import { unitClip } from './ratio.ts';

const params = settings({
  topP: {
    kind: 'number',
    label: 'Probability kept',
    default: 0.9,
    min: 0,
    max: 1,
    doc: 'Actions are allowed until the mask policy gives them this much probability together.',
    formula: 'p',
  },
  minKeep: {
    kind: 'integer',
    label: 'Actions kept at least',
    default: 1,
    min: 1,
    max: 32,
    doc: 'So many of the most likely actions are always allowed.',
  },
  maskEvery: {
    kind: 'integer',
    label: 'Mask renewed every',
    default: 5,
    min: 1,
    max: 1000,
    scale: 'log',
    doc: 'Updates after which the mask policy becomes a copy of the present policy.',
  },
  inTraining: {
    kind: 'switch',
    label: 'Mask in training too',
    default: true,
    doc: 'Off is a mistake worth seeing: data of the masked policy train one without a mask.',
  },
  ...ppoClip.params,
});

/**
 * The restricted action set of NLPO (arXiv 2210.01241): the smallest set of legal actions whose probability under the
 * mask policy reaches `topP`, at least `minKeep` of them; ties: the lower index first. Writes 0/1 into `keep`.
 */
export function keepSet(
  mask: Row,
  at: number,
  actions: number,
  topP: number,
  minKeep: number,
  keep: Uint8Array,
  keepAt: number,
): void {
  const order: number[] = [];
  for (let b = 0; b < actions; b++) {
    keep[keepAt + b] = 0;
    if (mask[at + b]! > 0) order.push(b);
  }
  order.sort((x, y) => mask[at + y]! - mask[at + x]! || x - y);
  let reached = 0;
  for (let k = 0; k < order.length && (reached < topP || k < minKeep); k++) {
    keep[keepAt + order[k]!] = 1;
    reached += mask[at + order[k]!]!;
  }
}

/**
 * log π(a) renormalized over the kept actions, from a row of log π; the stored action always belongs to them, however
 * unlikely it is.
 */
export function restrictedLogp(
  logp: Row,
  at: number,
  actions: number,
  action: number,
  keep: Uint8Array,
  keepAt: number,
): number {
  const isIn = (b: number): boolean => keep[keepAt + b] === 1 || b === action;
  let top = -Infinity;
  for (let b = 0; b < actions; b++) if (isIn(b) && logp[at + b]! > top) top = logp[at + b]!;
  let total = 0;
  for (let b = 0; b < actions; b++) if (isIn(b)) total += exp(logp[at + b]! - top);
  return logp[at + action]! - top - log(total);
}

/**
 * PPO clip on a policy that may choose from a few actions only: those of `keepSet` under a mask policy, a copy of π
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
  look: 'The share of masked actions grows as the policy becomes sure; with a small p from the start, entropy and exploration are gone at once.',
  params,
  restricts: (restriction) => restriction,
  clips: (values) => unitClip(1 - values.epsLow, 1 + values.epsHigh),
  coefficient: (unit, values, out) => ppoClip.coefficient(unit, values, out),
  wgsl: ppoClip.wgsl,
  uniforms: (values) => ppoClip.uniforms(values),
});
