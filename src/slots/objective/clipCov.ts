import { quantileSorted } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { clipSettings } from './common.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { covarianceTerms, shareCount } from './covariance.ts';
import { CLIPPED_WGSL, clippedTerm } from './ratio.ts';
import { CLIP, clipOf, NEVER, unitClip, type ClipBounds } from '../../core/math/clip.ts';

const params = settings({
  ...clipSettings,
  share: {
    kind: 'number',
    label: 'Dropped share',
    default: 0.02,
    min: 0.0001,
    max: 0.5,
    scale: 'log',
    doc: 'Share of all decisions that is drawn from the candidates and left out.',
    formula: 'r',
  },
  bounds: {
    kind: 'choice',
    label: 'Candidates',
    default: 'percentile',
    options: ['percentile', 'absolute'],
    optionLabels: ['the largest covariances', 'covariances between two bounds'],
    doc: 'Which decisions may be left out; absolute bounds depend on the scale of the credit.',
  },
  percentile: {
    kind: 'number',
    label: 'Above percentile',
    default: 98,
    min: 0,
    max: 99.99,
    doc: 'Decisions with a covariance above this percentile of the minibatch are candidates.',
    when: { setting: 'bounds', is: ['percentile'] },
  },
  low: {
    kind: 'number',
    label: 'Lower bound',
    default: 1,
    min: -100,
    max: 100,
    doc: 'Candidates have a covariance above this.',
    formula: 'c_low',
    when: { setting: 'bounds', is: ['absolute'] },
  },
  high: {
    kind: 'number',
    label: 'Upper bound',
    default: 5,
    min: -100,
    max: 1000,
    doc: 'Candidates have a covariance below this.',
    formula: 'c_high',
    when: { setting: 'bounds', is: ['absolute'] },
  },
});

/** 1 for units with low < c < high that a clip with the bounds `ratio` leaves a gradient. */
export function covarianceCandidates(
  { A, delta }: Pick<UnitSet, 'A' | 'delta'>,
  c: Float64Array,
  { low, high }: { readonly low: number; readonly high: number },
  ratio: ClipBounds,
): Uint8Array {
  return Uint8Array.from(c, (x, u) => {
    const clip = clipOf(A[u]!, delta[u]!, ratio.low, ratio.high, NEVER);
    return x > low && x < high && clip !== CLIP.high && clip !== CLIP.low ? 1 : 0;
  });
}

/**
 * PPO clip without a few of the units that burn most entropy.
 *
 *   c_u = (A_u − Ā)(log π_u − mean log π)      candidates: c_low < c < c_high, not held by the ratio clip
 *   max(1, ⌊r·units⌋) candidates, drawn uniformly (all if there are fewer): ℓ = 0, κ = 0      the rest: PPO clip
 *
 * Candidates by percentile are this lab's form for small batches; the paper's are 1 < c < 5.
 */
export const clipCov = defineObjective({
  id: 'clipCov',
  title: 'Clip-Cov',
  rev: 1,
  source: { title: 'The Entropy Mechanism of Reinforcement Learning', arxiv: '2505.22617', level: 'code' },
  formula: 'PPO clip; κ = 0 for a random share r of the units with the largest (A−Ā)(log π − mean log π)',
  look: 'Entropy stays higher than with PPO clip while success still rises.',
  params,
  clips: ({ epsLow, epsHigh }) => unitClip(1 - epsLow, 1 + epsHigh),
  survey(set: UnitSet, { epsLow, epsHigh, share, bounds, percentile, low, high }, mark) {
    const c = covarianceTerms(set.A, set.logp);
    const byRank = bounds === 'percentile';
    const least = byRank ? quantileSorted(Float64Array.from(c).sort(), percentile / 100) : low;
    const between = { low: least, high: byRank ? Infinity : high };
    const isCandidate = covarianceCandidates(set, c, between, unitClip(1 - epsLow, 1 + epsHigh));
    const drawn: { u: number; at: number }[] = [];
    isCandidate.forEach((is, u) => {
      if (is === 1) drawn.push({ u, at: set.draw(u) });
    });
    drawn.sort((x, y) => x.at - y.at || x.u - y.u);
    mark.fill(0);
    for (const { u } of drawn.slice(0, shareCount(share, c.length))) mark[u] = 1;
  },
  marks: ({ epsLow, epsHigh, share, bounds, percentile, low, high }) => ({
    of: 'covariance',
    wgsl: `${CLIPPED_WGSL}
fn mayGo(c: f32, isAbove: bool, A: f32, delta: f32) -> bool {
  let clip = clipped(A, delta, f32(${1 - epsLow}), f32(${1 + epsHigh}), ${NEVER}).z;
  return clip != 1.0 && clip != 2.0 && ${bounds === 'percentile' ? 'isAbove' : `c > f32(${low}) && c < f32(${high})`};
}
`,
    // what lies between two neighbors in rank is above the lower one
    counts: (n) => [shareCount(share, n), n - Math.floor((n - 1) * (percentile / 100))],
  }),
  coefficient(unit, { epsLow, epsHigh }, out) {
    clippedTerm(unit, 1 - epsLow, 1 + epsHigh, NEVER, out);
    if (unit.mark !== 1) return;
    out.loss = 0;
    out.kappa = 0;
    out.clip = CLIP.dropped;
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε_low, 1 + ε_high, no bound, 1 if the unit is left out)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if (p.w == 1.0) { return vec3f(0.0, 0.0, 5.0); }
  return clipped(A, delta, p.x, p.y, p.z);
}
`,
  uniforms: ({ epsLow, epsHigh }) => [1 - epsLow, 1 + epsHigh, NEVER, 0],
});
