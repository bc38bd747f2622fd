import { exp, log } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { trajectoryMean } from './gspo.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import { CLIPPED_WGSL, clippedTerm } from './ratio.ts';
import { CLIP, unitClip } from '../../core/math/clip.ts';

const bound = { kind: 'number', min: 0.001, max: 10 } as const;
const params = settings({
  deltaSeq: {
    ...bound,
    label: 'Episode tolerance',
    default: 0.02,
    doc: 'Episodes whose mean discrepancy is farther from 1 are left out as a whole.',
    formula: 'δ_seq',
  },
  deltaTok: {
    ...bound,
    label: 'Decision tolerance',
    default: 0.12,
    doc: 'Decisions whose discrepancy is farther from 1 are left out.',
    formula: 'δ_tok',
  },
  posHigh: {
    ...bound,
    label: 'Good, above',
    default: 0.28,
    doc: 'Good actions stop being pushed up once their ratio is above 1 + ε.',
    formula: '1 + ε⁺_high',
  },
  negLow: {
    ...bound,
    max: 1,
    label: 'Bad, below',
    default: 0.2,
    doc: 'Bad actions stop being pushed down once their ratio is below 1 − ε.',
    formula: '1 − ε⁻_low',
  },
  negHigh: {
    ...bound,
    label: 'Bad, above',
    default: 2,
    doc: 'Bad actions whose ratio is above 1 + ε get no gradient.',
    formula: '1 + ε⁻_high',
  },
});

/** |exp(x) − 1| < δ as bounds on x itself, so that no exponential is rounded; exponents within ±20 as everywhere. */
function within(x: string, delta: number): string {
  const below = `${x} < f32(${log(1 + delta)})`;
  return delta > 1 - exp(-LOG_RATIO_LIMIT) ? below : `${below} && ${x} > f32(${log(1 - delta)})`;
}

/**
 * Clip with three bounds, and a mask for data whose sampler and trainer disagree. d: probability of the action under
 * the policy as the trainer evaluates it, over the one that sampled it; r = π_θ over the one that sampled.
 *
 *   H = [ |exp(mean log d) − 1| < δ_seq ] · [ |d − 1| < δ_tok ]        mean over the trajectory
 *   A > 0: ℓ = −A·min(r, 1+ε⁺_high)     A < 0: ℓ = −A·min(max(r, 1−ε⁻_low), 1+ε⁻_high)     κ = −A·r where no bound holds r
 *
 * The mark is H. A minimum alone would ignore ε⁻_high; the report cites the dual clip for it.
 */
export const hispo = defineObjective({
  id: 'hispo',
  title: 'HisPO',
  rev: 1,
  source: { title: 'LongCat-Flash-Prover', arxiv: '2603.21065', level: 'text' },
  formula: 'ℓ = H·(−A·clip(r)),  H = [episode and decision agree between sampler and trainer]',
  look: 'Data on which trainer and sampler disagree is left out; the rest is clipped on three sides.',
  params,
  readsProx: true,
  average: () => 'constant',
  clips: ({ posHigh, negLow }) => unitClip(1 - negLow, 1 + posHigh),
  survey({ prox, trajectory }: UnitSet, { deltaSeq, deltaTok }, mark) {
    trajectoryMean(prox, trajectory, mark);
    for (let u = 0; u < mark.length; u++) {
      const agrees = Math.abs(ratioOf(mark[u]!) - 1) < deltaSeq && Math.abs(ratioOf(prox[u]!) - 1) < deltaTok;
      mark[u] = agrees ? 1 : 0;
    }
  },
  marks: ({ deltaSeq, deltaTok }) => ({
    of: 'start',
    wgsl: `fn termOf(A: f32, delta: f32) -> vec2f { return vec2f(delta, 0.0); }
fn markOf(sum: vec2f, n: f32, A: f32, delta: f32) -> f32 {
  let mean = sum.x / n;
  return select(0.0, 1.0, ${within('mean', deltaSeq)} && ${within('delta', deltaTok)});
}
`,
  }),
  coefficient(unit, { posHigh, negLow, negHigh }, out) {
    clippedTerm(unit, 1 - negLow, 1 + posHigh, 1 + negHigh, out);
    if (unit.mark === 1) return;
    out.loss = 0;
    out.kappa = 0;
    out.clip = CLIP.dropped;
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε⁻_low, 1 + ε⁺_high, 1 + ε⁻_high, H)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if (p.w != 1.0) { return vec3f(0.0, 0.0, 5.0); }
  return clipped(A, delta, p.x, p.y, p.z);
}
`,
  uniforms: ({ posHigh, negLow, negHigh }) => [1 - negLow, 1 + posHigh, 1 + negHigh, 0],
});
