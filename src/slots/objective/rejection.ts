import { exp, log } from '../../core/fmath.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { toldOf, WEIGHT_METRICS } from './behaviorWeights.ts';
import { spansOf } from './episodes.ts';
import { markWeighed, WEIGHED_WGSL, weighedClip, weighedMarkWgsl, weighedTerm } from './weighed.ts';

const isRatio = { setting: 'measure', is: ['product', 'mean', 'unit'] } as const;
const isDistance = { setting: 'measure', is: ['k3', 'maxK3'] } as const;
const params = settings({
  measure: {
    kind: 'choice',
    label: 'Judged by',
    default: 'product',
    options: ['product', 'mean', 'k3', 'maxK3', 'unit'],
    optionLabels: [
      'an episode by the product of its ratios',
      'an episode by their geometric mean',
      'an episode by its mean distance k3',
      'an episode by its largest distance k3',
      'each decision by its ratio',
    ],
    doc: 'What must stay within bounds: the sampling policy compared with that at the start of the update.',
  },
  low: {
    kind: 'number',
    label: 'Bound below',
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'Smallest ratio π_old/π_prox that is kept; for a geometric mean verl has 0.999.',
    formula: 'a',
    when: isRatio,
  },
  high: {
    kind: 'number',
    label: 'Bound above',
    default: 2,
    min: 1,
    max: 1e9,
    scale: 'log',
    doc: 'Largest ratio π_old/π_prox that is kept; for a geometric mean verl has 1.001.',
    formula: 'b',
    when: isRatio,
  },
  tau: {
    kind: 'number',
    label: 'Largest distance',
    default: 0.01,
    min: 0.0001,
    max: 100,
    scale: 'log',
    doc: 'What is farther away is left out.',
    formula: 'τ',
    when: isDistance,
  },
  side: {
    kind: 'choice',
    label: 'Distance k3',
    default: 'verl',
    options: ['verl', 'areal'],
    optionLabels: ['e^δ − 1 − δ (verl)', 'e^(−δ) − 1 + δ (AReaL)'],
    doc: 'The two stacks have mirror images of each other; δ = log π_prox − log π_old.',
    when: isDistance,
  },
  weight: {
    kind: 'choice',
    label: 'Weight of the rest',
    default: 'one',
    options: ['one', 'ratio'],
    optionLabels: ['1', 'π_prox/π_old'],
    doc: 'verl rejects only; AReaL also weighs every decision that it keeps.',
  },
  maskedUnits: {
    kind: 'choice',
    label: 'Rejected decisions',
    default: 'drop',
    options: ['drop', 'count'],
    optionLabels: ['not in the average', 'count as 0'],
    doc: 'verl divides by the decisions that are kept, AReaL by all.',
  },
  ...weighedClip,
});
type Params = ValuesOf<typeof params>;

/** Whether a trajectory, or a unit by itself, has bounds that its log-ratios δ keep. A NaN is kept, so that it is seen. */
function isKept(delta: Float64Array, { measure, low, high, tau, side }: Params): boolean {
  if (measure === 'k3' || measure === 'maxK3') {
    const k3 = delta.map((d) => (side === 'verl' ? ratioOf(d) - 1 - d : ratioOf(-d) - 1 + d));
    const distance = k3.reduce((x, y) => (measure === 'k3' ? x + y / k3.length : Math.max(x, y)), 0);
    return !(distance > tau);
  }
  const sum = delta.reduce((x, y) => x + y, 0);
  const ratio = ratioOf(measure === 'mean' ? -sum / delta.length : -sum);
  return !(ratio < low || ratio > high);
}

/** The same bounds on the log-ratio x in WGSL, so that no exponential is rounded; exponents within ±20 as everywhere. */
function outsideWgsl({ low, high }: Params): string {
  const below = low > exp(-LOG_RATIO_LIMIT) ? [`x < f32(${log(low)})`] : [];
  const above = high < exp(LOG_RATIO_LIMIT) ? [`x > f32(${log(high)})`] : [];
  return [...below, ...above].join(' || ') || 'false';
}

/** k3 of a unit in WGSL. */
const distanceWgsl = ({ side }: Params): string => {
  const d = side === 'verl' ? 'u.prox' : '-u.prox';
  return `exp(clamp(${d}, -20.0, 20.0)) - 1.0 - (${d})`;
};

/** 0 where a unit is rejected, else 1 or its ratio, times all units over those kept where only these are averaged. */
export function keptWeights({ prox, trajectory }: UnitSet, settings_: Params): Float64Array {
  const v = new Float64Array(prox.length);
  const byUnit = settings_.measure === 'unit';
  const starts = byUnit ? Array.from({ length: prox.length + 1 }, (_, u) => u) : spansOf(trajectory).starts;
  let kept = 0;
  starts.slice(1).forEach((to, k) => {
    const from = starts[k]!;
    if (!isKept(prox.subarray(from, to), settings_)) return;
    kept += to - from;
    for (let u = from; u < to; u++) v[u] = settings_.weight === 'ratio' ? ratioOf(prox[u]!) : 1;
  });
  return settings_.maskedUnits === 'count' || kept === 0 ? v : v.map((x) => (x * v.length) / kept);
}

/**
 * Rejection by discrepancy: what the policy at the start of the update would hardly have sampled does not train.
 * δ = log π_prox − log π_old.
 *
 *   kept:  e^{−Σδ} ∈ [a, b],  or e^{−mean δ} ∈ [a, b],  or mean or max of e^δ − 1 − δ ≤ τ        per trajectory, or per unit
 *   ℓ = PPO(π_θ/π_prox) on what is kept, times π_prox/π_old if so set; 0 elsewhere
 *
 * `drop` divides by the kept units of the minibatch: ℓ and κ grow by all over kept, for an average over steps. Where nothing
 * is kept nothing moves. For the mark see `markWeighed`.
 */
export const rejection = defineObjective({
  id: 'rejection',
  title: 'Rejection',
  rev: 1,
  source: { title: 'verl and AReaL, rejection sampling', level: 'code' },
  formula: 'ℓ = [a ≤ Π π_old/π_prox ≤ b]·PPO(π_θ/π_prox)',
  look: 'The product of ratios rejects long episodes first; the geometric mean does not care how long they are.',
  params,
  metrics: WEIGHT_METRICS,
  readsProx: true,
  average: () => 'unitMean',
  survey(set, settings_, mark) {
    const v = keptWeights(set, settings_);
    markWeighed(set, v, settings_, mark);
    const { measured } = toldOf(set.prox.map(ratioOf), 1);
    return { measured: { ...measured, behaviourCapped: v.filter((x) => x === 0).length / v.length } };
  },
  // the largest distance of a trajectory is no sum
  unused: ({ measure }) => (measure === 'maxK3' ? ['marks'] : []),
  marks(settings_) {
    const { measure, tau, weight, maskedUnits } = settings_;
    const isDrop = maskedUnits === 'drop';
    const x = { unit: '-u.prox', product: '-u.sum', mean: '-u.sum / u.n', k3: 'u.sum / u.n', maxK3: '' }[measure];
    return {
      of: 'batch',
      // what is told: the ratio of a unit, negative where it is rejected
      wgsl: `${weighedMarkWgsl(settings_)}
const ROUNDS = ${isDrop ? 1 : 0}u;
fn termOf(u: Unit) -> f32 { return ${measure === 'k3' ? distanceWgsl(settings_) : 'u.prox'}; }
fn isKept(u: Unit) -> bool {
  let x = ${x};
  return !(${measure === 'k3' ? `x > f32(${tau})` : outsideWgsl(settings_)});
}
fn partOf(u: Unit, all: vec4f) -> vec4f { return vec4f(f32(isKept(u)), 0.0, 0.0, 0.0); }
fn markOf(u: Unit, all: vec4f) -> vec2f {
  let ratio = exp(clamp(u.prox, -20.0, 20.0));
  let isIn = isKept(u);
  let v = select(0.0, ${weight === 'ratio' ? 'ratio' : '1.0'}, isIn)${isDrop ? ' / max(all.x, 1e-30)' : ''};
  return vec2f(weighedMark(u, v), select(-ratio, ratio, isIn));
}
`,
    };
  },
  tells(told) {
    const rejected = told.filter((x) => x < 0).length / told.length;
    return { measured: { ...toldOf(told.map(Math.abs), 1).measured, behaviourCapped: rejected } };
  },
  coefficient: (unit, _settings, out) => weighedTerm(unit, out),
  wgsl: `${WEIGHED_WGSL}
// p = (unused, unused, unused, mark)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f { return weighed(A, p.w); }
`,
  uniforms: () => [0, 0, 0, 0],
});
