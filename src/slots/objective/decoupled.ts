import { settings } from '../../core/settings.ts';
import { toldOf, WEIGHT_METRICS } from './behaviorWeights.ts';
import { clipSettings } from './common.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { ratioOf } from '../../core/math/ratio.ts';
import { CLIPPED_WGSL, clippedTerm, unitOf } from './ratio.ts';
import { CLIP, NEVER } from '../../core/math/clip.ts';

const params = settings({
  epsLow: { ...clipSettings.epsLow, doc: 'Bound on the ratio to the policy at the start of the update.' },
  epsHigh: { ...clipSettings.epsHigh, doc: 'Bound on the ratio to the policy at the start of the update.' },
  cap: {
    kind: 'number',
    label: 'Cap on age',
    default: 5,
    min: 1,
    max: 1000,
    scale: 'log',
    doc: 'Largest weight for the distance between the policy that sampled and the one that learns.',
  },
  beyond: {
    kind: 'choice',
    label: 'Beyond the cap',
    default: 'clamp',
    options: ['clamp', 'mask'],
    optionLabels: ['use the cap', 'leave out'],
    doc: 'What happens to decisions whose weight is above the cap.',
  },
  prox: {
    kind: 'choice',
    label: 'Policy in between',
    default: 'recomputed',
    options: ['recomputed', 'loglinear'],
    optionLabels: ['evaluated', 'estimated from the ages'],
    doc: 'Evaluate the policy at the start of the update, or interpolate between the sampling policy and the current one.',
    formula: 'log π_old + α(log π − log π_old)',
  },
});

/** b = exp(clamp(log π_prox − log π_old)) with the cap: the weight of a unit, 0 where it is left out. */
export function behaviorWeight(prox: number, cap: number, beyond: 'clamp' | 'mask'): number {
  const b = ratioOf(prox);
  if (b > cap) return beyond === 'clamp' ? cap : 0;
  return b;
}

/** log π_prox without a forward pass: log π_old + α(log π_θ − log π_old), α by policy versions. */
export function proxLogLinear(logp: number, logpOld: number, alpha: number): number {
  return logpOld + alpha * (logp - logpOld);
}

/** α = (v_prox − v_old)/(v_θ − v_old); in AReaL's code the version that learns is the one after v_prox. */
const proxShare = (age: number): number => age / (age + 1);

/**
 * Three policies: π_old sampled, π_prox is where the update starts, π_θ learns. The trust region lies around π_prox.
 *
 *   v = π_θ/π_prox     b = π_prox/π_old, at most `cap` (or left out beyond)
 *   ℓ = b·max(−Av, −A·clip(v, 1−ε_low, 1+ε_high))      κ = −A·b·v, or 0 where v is held
 *
 * The mark is log b before the cap. On fresh data b = 1 and this is PPO clip. π_prox is evaluated at the start of the
 * update, or estimated log-linearly from the ages of the data: then the trust region moves with the steps of an update.
 */
export const decoupled = defineObjective({
  id: 'decoupled',
  title: 'Decoupled PPO',
  rev: 1,
  source: { title: 'AReaL', arxiv: '2505.24298', level: 'code' },
  formula: 'ℓ = b·max(−Av, −A·clip(v, 1−ε, 1+ε)),  v = π_θ/π_prox,  b = min(π_prox/π_old, cap)',
  look: 'Old data is not clipped just for being old; compare with PPO clip at the same staleness.',
  params,
  metrics: WEIGHT_METRICS,
  readsProx: true,
  clips: ({ epsLow, epsHigh }) => ({ low: 1 - epsLow, high: 1 + epsHigh, of: [1, -1] }),
  readsAges: true,
  // ages are known to the CPU alone
  unused: ({ prox }) => (prox === 'loglinear' ? ['readsProx', 'marks'] : ['readsAges']),
  survey({ prox, ages, delta }: UnitSet, { cap, prox: form }, mark) {
    const isGuessed = form === 'loglinear' && ages;
    mark.set(isGuessed ? ages.map((age, u) => proxLogLinear(delta[u]!, 0, proxShare(age))) : prox);
    return toldOf(mark.map(ratioOf), cap);
  },
  marks: () => ({
    of: 'start',
    wgsl: `fn termOf(A: f32, delta: f32) -> vec2f { return vec2f(); }
fn markOf(sum: vec2f, n: f32, A: f32, delta: f32) -> f32 { return delta; }
`,
  }),
  tells: (marks, { cap }) => toldOf(marks.map(ratioOf), cap),
  coefficient(unit, { epsLow, epsHigh, cap, beyond }, out) {
    const prox = unit.mark ?? 0;
    const b = behaviorWeight(prox, cap, beyond);
    clippedTerm(unitOf(unit.A, unit.delta - prox), 1 - epsLow, 1 + epsHigh, NEVER, out);
    out.loss *= b;
    out.kappa *= b;
    if (b === 0) out.clip = CLIP.dropped;
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε_low, 1 + ε_high, cap, negative to leave units beyond it out, log π_prox − log π_old)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let c = clipped(A, delta - p.w, p.x, p.y, ${NEVER});
  let b = exp(clamp(p.w, -20.0, 20.0));
  if (b > abs(p.z) && p.z < 0.0) { return vec3f(0.0, 0.0, 5.0); }
  return vec3f(c.xy * min(b, abs(p.z)), c.z);
}
`,
  uniforms: ({ epsLow, epsHigh, cap, beyond }) => [1 - epsLow, 1 + epsHigh, beyond === 'mask' ? -cap : cap, 0],
});
