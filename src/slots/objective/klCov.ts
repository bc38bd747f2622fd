import { settings } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { covarianceTerms, shareCount } from './covariance.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import { CLIP } from '../../core/math/clip.ts';

const params = settings({
  share: {
    kind: 'number',
    label: 'Held share',
    default: 0.02,
    min: 0.0001,
    max: 0.5,
    scale: 'log',
    doc: 'Share of all decisions that are held back: those with the largest covariance.',
    formula: 'r',
  },
  beta: {
    kind: 'number',
    label: 'Penalty',
    default: 1,
    min: 0,
    max: 100,
    doc: 'How strongly they are pulled back to their old probability.',
    formula: 'β',
  },
});

/**
 * Log-ratios smaller than this, and than a thousandth of log π itself, are rounding: the action is where it was. Log π of
 * an action that is nearly certain is as small itself, and does move; there κ is multiplied by 1 − π, and rounding does
 * no harm.
 */
const STILL = 1e-6;
const STILL_SHARE = 1e-3;

/**
 * No ratio clip; the units that burn most entropy are held near their old probability.
 *
 *   ℓ = −Aρ, and + β|Δ| for the max(1, ⌊r·units⌋) largest c_u = (A_u − Ā)(log π_u − mean log π)
 *   κ = −Aρ, and + β·sign Δ there; Δ is held at ±20 in ρ alone: the penalty is what brings such a unit back.
 *
 * Ties: the earlier unit.
 *
 * |Δ| has slope 0 at Δ = 0, and where Δ is only rounding: on fresh data with one minibatch the penalty does nothing.
 */
export const klCov = defineObjective({
  id: 'klCov',
  title: 'KL-Cov',
  rev: 4,
  source: { title: 'The Entropy Mechanism of Reinforcement Learning', arxiv: '2505.22617', level: 'code' },
  formula: 'ℓ = −Aρ, + β|Δ| for the share r of units with the largest (A−Ā)(log π − mean log π)',
  look: 'Acts from the second minibatch on; entropy stays higher, ratios are no longer bounded.',
  params,
  restsAtOne: 'penalty',
  survey(set: UnitSet, { share }, mark) {
    const c = covarianceTerms(set.A, set.logp);
    const order = Array.from(c.keys()).sort((u, w) => c[w]! - c[u]! || u - w);
    mark.fill(0);
    for (const u of order.slice(0, shareCount(share, c.length))) mark[u] = 1;
  },
  marks: ({ share }) => ({ of: 'covariance', wgsl: null, counts: (n) => [shareCount(share, n), 0] }),
  coefficient(unit, { beta }, out) {
    const { A, delta, logp } = unit;
    const isStill = Math.abs(delta) < Math.min(STILL, STILL_SHARE * Math.abs(logp));
    const isHeld = delta > LOG_RATIO_LIMIT || delta < -LOG_RATIO_LIMIT;
    const ratio = ratioOf(delta);
    const penalty = unit.mark === 1 ? beta : 0;
    out.loss = -A * ratio + penalty * Math.abs(delta);
    out.kappa = (isHeld ? 0 : -A * ratio) + (isStill ? 0 : penalty * Math.sign(delta));
    out.clip = isHeld && A !== 0 ? CLIP.guard : CLIP.none;
  },
  wgsl: `// p = (β, unused, unused, 1 if the unit is held back)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  // clamp would turn a NaN into a number and hide it
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  let ratio = exp(clamp(delta, -20.0, 20.0));
  let penalty = select(0.0, p.x, p.w == 1.0);
  let isHeld = abs(delta) > 20.0;
  let isStill = abs(delta) < min(${STILL}, ${STILL_SHARE} * abs(logp));
  let kappa = select(-A * ratio, 0.0, isHeld) + select(penalty * sign(delta), 0.0, isStill);
  return vec3f(-A * ratio + penalty * abs(delta), kappa, select(0.0, 4.0, isHeld && A != 0.0));
}
`,
  uniforms: ({ beta }) => [beta, 0, 0, 0],
});
