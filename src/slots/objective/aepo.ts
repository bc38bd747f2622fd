import { quantileSorted } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { clipSettings } from './common.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { LOG_RATIO_LIMIT } from '../../core/math/ratio.ts';
import { CLIPPED_WGSL, clippedTerm } from './ratio.ts';
import { CLIP, unitClip } from '../../core/math/clip.ts';

const params = settings({
  epsLow: clipSettings.epsLow,
  epsHigh: {
    ...clipSettings.epsHigh,
    label: 'Bound above',
    default: 0.28,
    doc: 'Good actions above 1 + ε keep a gradient of this size instead of none.',
  },
  dualC: {
    kind: 'number',
    label: 'Dual clip bound',
    default: 3,
    min: 1.01,
    max: 20,
    doc: 'Ratio above which bad actions get no gradient.',
    formula: 'c',
  },
  gate: {
    kind: 'number',
    label: 'Entropy gate',
    default: 0,
    min: 0,
    max: 0.99,
    doc: 'Share of the decisions, those with the lowest entropy, whose bound passes no gradient; 0 = none.',
    formula: 'H > quantile q of H',
  },
});

/** Entropies this near to each other, in nats, count as equal: a policy that knows nothing has many of them. */
const SAME = 1e-5;

/** Marks with 1 what is not above the q-quantile of the entropies in its minibatch. */
export function closeGate(entropy: Float64Array, q: number, mark: Float64Array): void {
  const least = quantileSorted(Float64Array.from(entropy).sort(), q);
  entropy.forEach((H, u) => (mark[u] = H > least + SAME ? 0 : 1));
}

/**
 * PPO with dual clip whose upper bound lets the gradient through: its value is the bound, its slope that of ρ.
 *
 *   upper bound (1+ε_high)·ρ/sg(ρ)      κ = −A(1+ε_high) if A > 0 and ρ > 1+ε_high, else as PPO with dual clip
 *
 * Where Δ > 20 holds ρ constant the bound is constant too, and κ = 0.
 * The paper speaks of units of high entropy, the code does it for every unit; so does this by default. With a gate q the
 * bound passes the gradient of units above the q-quantile of the entropies in their minibatch, those of the policy that
 * sampled; the mark is 1 for the others.
 */
export const aepo = defineObjective({
  id: 'aepo',
  title: 'AEPO clip',
  rev: 2,
  source: { title: 'Agentic Entropy-Balanced Policy Optimization', arxiv: '2510.14545', level: 'code' },
  formula: 'as PPO with dual clip, but κ = −A(1+ε_high) where A > 0 and ρ > 1+ε_high',
  look: 'Good actions that moved far keep learning at a fixed pace; entropy falls more slowly than with PPO.',
  params,
  clips: ({ epsLow, epsHigh }) => unitClip(1 - epsLow, 1 + epsHigh),
  unused: ({ gate }) => (gate > 0 ? [] : ['survey']),
  readsEntropy: true,
  survey({ entropy }: UnitSet, { gate }, mark) {
    if (gate > 0 && entropy) closeGate(entropy, gate, mark);
  },
  coefficient(unit, { epsLow, epsHigh, dualC }, out) {
    clippedTerm(unit, 1 - epsLow, 1 + epsHigh, dualC, out);
    if (out.clip !== CLIP.high || unit.mark === 1) return;
    const isHeld = unit.delta > LOG_RATIO_LIMIT;
    out.kappa = isHeld ? 0 : -unit.A * (1 + epsHigh);
    out.clip = isHeld ? CLIP.guard : CLIP.none;
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε_low, 1 + ε_high, dual bound, 1 where the gate is closed)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let c = clipped(A, delta, p.x, p.y, p.z);
  if (c.z == 1.0 && p.w != 1.0) { return select(vec3f(c.x, -A * p.y, 0.0), vec3f(c.x, 0.0, 4.0), delta > 20.0); }
  return c;
}
`,
  uniforms: ({ epsLow, epsHigh, dualC }) => [1 - epsLow, 1 + epsHigh, dualC, 0],
});
