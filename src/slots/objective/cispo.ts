import { settings } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import { ratioOf } from '../../core/math/ratio.ts';
import { CLIP } from '../../core/math/clip.ts';

const params = settings({
  epsLow: {
    kind: 'number',
    label: 'Bound below',
    default: 1,
    min: 0.001,
    max: 1,
    doc: 'The weight of old data never falls below 1 − ε; 1 means no lower bound.',
    formula: '1 − ε_low',
  },
  epsHigh: {
    kind: 'number',
    label: 'Bound above',
    default: 1,
    min: 0.001,
    max: 20,
    doc: 'The weight of old data never rises above 1 + ε.',
    formula: '1 + ε_high',
  },
});

/**
 * Truncated importance weight: no unit ever loses its gradient, only its weight is bounded.
 *
 *   ℓ = −sg(w)·A·log π_θ(a),   w = clip(ρ, 1−ε_low, 1+ε_high)        κ = −A·w
 */
export const cispo = defineObjective({
  id: 'cispo',
  title: 'CISPO',
  rev: 1,
  source: { title: 'MiniMax-M1', arxiv: '2506.13585', level: 'code' },
  formula: 'ℓ = −sg(clip(ρ, 1−ε_low, 1+ε_high))·A·log π(a)',
  look: 'Unlikely good actions keep learning where PPO has already dropped them.',
  params,
  restsAtOne: 'bound',
  coefficient(unit, { epsLow, epsHigh }, out) {
    const ratio = ratioOf(unit.delta);
    const weight = ratio < 1 - epsLow ? 1 - epsLow : ratio > 1 + epsHigh ? 1 + epsHigh : ratio;
    out.kappa = -unit.A * weight;
    out.loss = out.kappa * unit.logp;
    out.clip = CLIP.none;
  },
  wgsl: `// p = (1 − ε_low, 1 + ε_high, unused, unused)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  // clamp would turn a NaN into a number and hide it
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  let kappa = -A * clamp(exp(clamp(delta, -20.0, 20.0)), p.x, p.y);
  return vec3f(kappa * logp, kappa, 0.0);
}
`,
  uniforms: ({ epsLow, epsHigh }) => [1 - epsLow, 1 + epsHigh, 0, 0],
});
