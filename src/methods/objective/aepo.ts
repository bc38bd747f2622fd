import { settings } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import { CLIP, CLIPPED_WGSL, clippedTerm, LOG_RATIO_LIMIT, unitClip } from './ratio.ts';

const params = settings({
  epsLow: {
    kind: 'number',
    label: 'Clip below',
    default: 0.2,
    min: 0.001,
    max: 1,
    doc: 'Bad actions stop being pushed down once their ratio is below 1 − ε.',
    formula: '1 − ε_low',
  },
  epsHigh: {
    kind: 'number',
    label: 'Bound above',
    default: 0.28,
    min: 0.001,
    max: 10,
    doc: 'Good actions above 1 + ε keep a gradient of this size instead of none.',
    formula: '1 + ε_high',
  },
  dualC: {
    kind: 'number',
    label: 'Dual clip bound',
    default: 3,
    min: 1.01,
    max: 20,
    doc: 'Ratio above which bad actions earn no gradient.',
    formula: 'c',
  },
});

/**
 * PPO with dual clip whose upper bound lets the gradient through: its value is the bound, its slope that of ρ.
 *
 *   upper bound (1+ε_high)·ρ/sg(ρ)      κ = −A(1+ε_high) if A > 0 and ρ > 1+ε_high, else as PPO with dual clip
 *
 * Where Δ > 20 holds ρ constant the bound is constant too, and κ = 0.
 * The paper speaks of units of high entropy, the code does it for every unit; so does this.
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
  coefficient(unit, { epsLow, epsHigh, dualC }, out) {
    clippedTerm(unit.A, unit.delta, 1 - epsLow, 1 + epsHigh, dualC, out);
    if (out.clip !== CLIP.high) return;
    const isHeld = unit.delta > LOG_RATIO_LIMIT;
    out.kappa = isHeld ? 0 : -unit.A * (1 + epsHigh);
    out.clip = isHeld ? CLIP.guard : CLIP.none;
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε_low, 1 + ε_high, dual bound, unused)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let c = clipped(A, delta, p.x, p.y, p.z);
  if (c.z == 1.0) { return select(vec3f(c.x, -A * p.y, 0.0), vec3f(c.x, 0.0, 4.0), delta > 20.0); }
  return c;
}
`,
  uniforms: ({ epsLow, epsHigh, dualC }) => [1 - epsLow, 1 + epsHigh, dualC, 0],
});
