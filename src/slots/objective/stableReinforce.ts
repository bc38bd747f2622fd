import { settings } from '../../core/settings.ts';
import { isDegenerate, mean, SPREAD, std } from '../../core/stats.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { CLIPPED_WGSL, clippedTerm, unitOf } from './ratio.ts';
import { CLIP, NEVER, unitClip } from '../../core/math/clip.ts';

/** log 1000: ratios are held between 1/1000 and 1000 before anything else. */
const PRE_CLIP = 6.907755278982137;

const params = settings({
  eps: {
    kind: 'number',
    label: 'Clip',
    default: 0.2,
    min: 0.001,
    max: 1,
    doc: 'Ratios farther from 1 stop moving the policy.',
    formula: '1 ± ε',
  },
  sigma: {
    kind: 'number',
    label: 'Credit filter',
    default: 3,
    min: 0.5,
    max: 20,
    doc: 'Credit farther from its mean than this many standard deviations counts as 0.',
    formula: 'σ',
  },
});

/**
 * z = (A − Ā)/std over all units, population std without an ε, which would shrink small credit; 0 where |z| > σ. Equal
 * credit everywhere gives 0.
 */
export function filteredCredit(A: Float64Array, sigma: number, z: Float64Array): void {
  if (isDegenerate(A)) {
    z.set(A.map((a) => a - a)); // 0, and NaN stays NaN
    return;
  }
  const center = mean(A);
  const scale = std(A, true);
  for (let u = 0; u < A.length; u++) {
    const x = (A[u]! - center) / scale;
    z[u] = Math.abs(x) > sigma ? 0 : x;
  }
}

/**
 * PPO clip on ratios held to [1/1000, 1000] and on standardized credit without outliers.
 *
 *   z = (A − Ā)/std, 0 where |z| > σ      Δ ← clamp(Δ, ±log 1000)      then PPO clip; κ = 0 where Δ is held
 *
 * The released code compares z with mean A ± 3; this file, as the specification, with ±σ. The mark is z.
 */
export const stableReinforce = defineObjective({
  id: 'stableReinforce',
  title: 'StableReinforce',
  rev: 2,
  source: { title: 'R1-Reward', arxiv: '2505.02835', level: 'code' },
  formula: 'PPO clip on z = (A − Ā)/std with |z| ≤ σ and ρ in [1/1000, 1000]',
  look: 'Single extreme credits and ratios no longer show up in the gradient norm.',
  params,
  average: () => 'seqMeanUnitMean',
  clips: ({ eps }) => unitClip(1 - eps, 1 + eps),
  survey: ({ A }: UnitSet, { sigma }, mark) => filteredCredit(A, sigma, mark),
  marks: ({ sigma }) => ({
    of: 'batch',
    isStill: true,
    // all = Ā, mean (A − Ā)² once Ā is known, largest A, largest −A
    wgsl: `const ROUNDS = 2u;
fn termOf(u: Unit) -> f32 { return 0.0; }
fn partOf(u: Unit, all: vec4f) -> vec4f { return vec4f(u.A - all.x, (u.A - all.x) * (u.A - all.x), u.A, -u.A); }
fn markOf(u: Unit, all: vec4f) -> vec2f {
  if ((bitcast<u32>(u.A) & 0x7fffffffu) > 0x7f800000u) { return vec2f(u.A); }
  if (all.z + all.w <= f32(${SPREAD}) * max(1.0, max(all.z, all.w))) { return vec2f(); }
  let z = (u.A - all.x) / sqrt(all.y);
  return vec2f(select(z, 0.0, abs(z) > f32(${sigma})), 0.0);
}
`,
  }),
  coefficient(unit, { eps }, out) {
    const { delta } = unit;
    const isHeld = delta > PRE_CLIP || delta < -PRE_CLIP;
    const A = unit.mark ?? 0;
    clippedTerm(unitOf(A, isHeld ? Math.sign(delta) * PRE_CLIP : delta), 1 - eps, 1 + eps, NEVER, out);
    if (!isHeld || A === 0) return;
    out.kappa = 0;
    if (out.clip === CLIP.none) out.clip = CLIP.guard;
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε, 1 + ε, log of the largest ratio, z)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  let c = clipped(p.w, clamp(delta, -p.z, p.z), p.x, p.y, ${NEVER});
  if (abs(delta) <= p.z || p.w == 0.0) { return c; }
  return vec3f(c.x, 0.0, select(c.z, 4.0, c.z == 0.0));
}
`,
  uniforms: ({ eps }) => [1 - eps, 1 + eps, PRE_CLIP, 0],
});
