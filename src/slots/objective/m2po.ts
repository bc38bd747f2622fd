import { settings } from '../../core/settings.ts';
import { CLIP, LEFT_OUT, NEVER } from '../../core/math/clip.ts';
import { secondMoment } from '../../core/math/secondMoment.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { clipSettings } from './common.ts';
import { CLIPPED_WGSL, clippedTerm, unitOf } from './ratio.ts';

const params = settings({
  ...clipSettings,
  limit: {
    kind: 'number',
    label: 'Second moment',
    default: 0.04,
    min: 0.0001,
    max: 10,
    scale: 'log',
    doc: 'The mean squared log-ratio of old data stays below this: the largest ones are left out.',
    formula: 'τ',
  },
});

/**
 * PPO clip around the policy that the update starts with, without the few old units that hold most of the second moment:
 *
 *   M_u = (log π_prox − log π_old)²      left out: the largest, until mean M of the rest < τ
 *   ℓ = max(−Av, −A·clip(v, 1−ε_low, 1+ε_high)),  v = π_θ/π_prox      κ = −Av, or 0 where v is held
 *
 * Over all rows of a minibatch and whatever the credit. The mark is log π_prox − log π_old. Units that are left out still
 * count in the average; AReaL divides by those that are kept.
 */
export const m2po = defineObjective({
  id: 'm2po',
  title: 'M2PO',
  rev: 1,
  source: { title: 'Prosperity before Collapse', arxiv: '2510.01161', level: 'code' },
  formula: 'PPO clip of π_θ/π_prox; κ = 0 for the largest (log π_prox − log π_old)² until the mean of the rest < τ',
  look: 'With staleness a few steps are left out, and the others learn as if they were fresh.',
  params,
  readsProx: true,
  clips: ({ epsLow, epsHigh }) => ({ low: 1 - epsLow, high: 1 + epsHigh, of: [1, -1] }),
  survey({ prox }: UnitSet, { limit }, mark) {
    const kept = secondMoment(prox, limit);
    mark.set(prox.map((x, u) => (kept[u] === 1 ? x : LEFT_OUT)));
  },
  marks: ({ limit }) => ({ of: 'moment', limit, isStill: true }),
  coefficient(unit, { epsLow, epsHigh }, out) {
    const prox = unit.mark ?? 0;
    if (prox !== LEFT_OUT) return clippedTerm(unitOf(unit.A, unit.delta - prox), 1 - epsLow, 1 + epsHigh, NEVER, out);
    out.loss = 0;
    out.kappa = 0;
    out.clip = CLIP.dropped;
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε_low, 1 + ε_high, no bound, log π_prox − log π_old, or LEFT_OUT)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if (p.w == 0x1p100f) { return vec3f(0.0, 0.0, 5.0); }
  return clipped(A, delta - p.w, p.x, p.y, p.z);
}
`,
  uniforms: ({ epsLow, epsHigh }) => [1 - epsLow, 1 + epsHigh, NEVER, 0],
});
