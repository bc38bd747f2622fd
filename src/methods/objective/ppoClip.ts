import { settings } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import { CLIP, clipOf, ratioOf } from './ratio.ts';

/** Stands for "no bound"; small enough that A times it stays finite in f32. */
const NEVER = 1e30;

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
    label: 'Clip above',
    default: 0.2,
    min: 0.001,
    max: 10,
    doc: 'Good actions stop being pushed up once their ratio is above 1 + ε; DAPO uses 0.28.',
    formula: '1 + ε_high',
  },
  dual: {
    kind: 'switch',
    label: 'Dual clip',
    default: false,
    doc: 'Also stop bad actions whose ratio exploded: one of them can own the whole gradient.',
  },
  dualC: {
    kind: 'number',
    label: 'Dual clip bound',
    default: 3,
    min: 1.01,
    max: 20,
    doc: 'Ratio above which bad actions earn no gradient.',
    formula: 'c',
    when: { setting: 'dual', is: [true] },
  },
});

/**
 * Clipped importance ratio with separate bounds, ρ = exp(clamp(Δ, ±20)).
 *
 *   ℓ = max(−Aρ, −A·clip(ρ, 1−ε_low, 1+ε_high)),   with dual clip and A < 0: ℓ ← min(ℓ, −A·c)
 *   κ = −Aρ, or 0 where the clip (or the guard at |Δ| = 20) holds ρ constant
 *
 * Clip-higher (DAPO, arXiv 2503.14476) is ε_high = 0.28; dual clip is arXiv 1912.09729.
 */
export const ppoClip = defineObjective({
  id: 'ppoClip',
  title: 'PPO clip',
  rev: 1,
  source: { title: 'Proximal Policy Optimization', arxiv: '1707.06347', level: 'code' },
  formula: 'ℓ = max(−Aρ, −A·clip(ρ, 1−ε_low, 1+ε_high))',
  look: 'Ratios stay near the bounds over several epochs; the clip fraction shows how often they were reached.',
  params,
  coefficient(unit, { epsLow, epsHigh, dual, dualC }, out) {
    const ratio = ratioOf(unit.delta);
    const low = 1 - epsLow;
    const high = 1 + epsHigh;
    const held = ratio < low ? low : ratio > high ? high : ratio;
    let loss = -unit.A * ratio;
    if (-unit.A * held > loss) loss = -unit.A * held;
    if (dual && unit.A < 0 && -unit.A * dualC < loss) loss = -unit.A * dualC;
    const clip = clipOf(unit.A, unit.delta, low, high, dual ? dualC : NEVER);
    out.loss = loss;
    out.kappa = clip === CLIP.none ? -unit.A * ratio : 0;
    out.clip = clip;
  },
  wgsl: `// p = (1 − ε_low, 1 + ε_high, dual bound, unused)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  // clamp would turn a NaN into a number and hide it
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  let ratio = exp(clamp(delta, -20.0, 20.0));
  var loss = max(-A * ratio, -A * clamp(ratio, p.x, p.y));
  if (A < 0.0) { loss = min(loss, -A * p.z); }
  var clip = 0.0;
  if (A > 0.0 && ratio > p.y) { clip = 1.0; }
  else if (A < 0.0 && ratio < p.x) { clip = 2.0; }
  else if (A < 0.0 && ratio > p.z) { clip = 3.0; }
  else if (A != 0.0 && abs(delta) > 20.0) { clip = 4.0; }
  return vec3f(loss, select(0.0, -A * ratio, clip == 0.0), clip);
}
`,
  uniforms: ({ epsLow, epsHigh, dual, dualC }) => [1 - epsLow, 1 + epsHigh, dual ? dualC : NEVER, 0],
});
