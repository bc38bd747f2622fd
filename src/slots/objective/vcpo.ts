import { exp, log } from '../../core/fmath.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { mean, std } from '../../core/stats.ts';
import { essFromLogWeights, essLearningRateFactor } from '../../core/math/ess.ts';
import { defineObjective, type StepControl, type UnitSet } from '../types.ts';
import { spansOf, sumsOf, taskGroups } from './episodes.ts';

/** Below this spread the returns of a group are not divided. */
const NO_SPREAD = 1e-8;

/** w̃ = min(w, cap) of a trajectory with log-weight λ = Σ Δ: what multiplies its gradient. Never overflows; NaN stays NaN. */
export function truncatedWeight(logWeight: number, logCap: number): number {
  return exp(logWeight > logCap ? logCap : logWeight);
}

/** Factor on the learning rate of one optimizer step: √min(1, ess/ess₀), or min(1, ess/ess₀); ess = ESS/B. */
export function stepFactor(ess: number, baseEss: number, rule: 'sqrt' | 'linear'): number {
  return rule === 'sqrt' ? essLearningRateFactor(ess, baseEss) : Math.min(1, ess / baseEss);
}

/**
 * Off-policy baseline of least variance of one group (VCPO, arXiv 2602.17616):
 *
 *   b = Σ W R / Σ W      paper: W = w²·‖∇ log π(τ)‖²      code: W = w²·w̃²·‖∇ log π(τ)‖²
 *
 * `scoreNormSq` = 1 everywhere gives the w²-weighted mean. Weights are shifted by their largest, so none overflows.
 * Groups in which no score has a length have b = mean R: nothing there moves the policy.
 */
export function varianceBaseline(
  R: ArrayLike<number>,
  logWeight: ArrayLike<number>,
  scoreNormSq: ArrayLike<number>,
  form: 'paper' | 'code',
  logCap: number,
): number {
  const power = Array.from(logWeight, (x) => 2 * x + (form === 'code' ? 2 * Math.min(x, logCap) : 0));
  let top = -Infinity;
  power.forEach((x, i) => {
    if (scoreNormSq[i]! > 0 && x > top) top = x;
  });
  if (top === -Infinity) return mean(R);
  let total = 0;
  let weighted = 0;
  power.forEach((x, i) => {
    if (!(scoreNormSq[i]! > 0)) return;
    const W = exp(x - top) * scoreNormSq[i]!;
    total += W;
    weighted += W * R[i]!;
  });
  return weighted / total;
}

/** (R − b)/σ of every member of a group: population std, no ε; no division where σ ≤ 1e-8. */
export function baselineCredit(R: ArrayLike<number>, baseline: number): Float64Array {
  const sigma = std(R, true);
  return Float64Array.from(R, (r) => (r - baseline) / (sigma > NO_SPREAD ? sigma : 1));
}

const params = settings({
  credit: {
    kind: 'choice',
    label: 'Credit',
    default: 'return',
    options: ['return', 'advantage'],
    optionLabels: ['episode return with its own baseline', 'that of the advantage slot'],
    doc: 'The method replaces the advantage with returns; with your chosen credit, only the step is scaled.',
  },
  scoreNorm: {
    kind: 'choice',
    label: 'Length of scores',
    default: 'exact',
    options: ['exact', 'lastLayer', 'unit'],
    optionLabels: ['measured, one backward pass per episode', 'measured, by the last layer alone', 'all equal'],
    doc: 'Weights of the baseline contain the squared length of each episode’s gradient of log π.',
    when: { setting: 'credit', is: ['return'] },
  },
  form: {
    kind: 'choice',
    label: 'Weights of the baseline',
    default: 'paper',
    options: ['paper', 'code'],
    optionLabels: ['w² (paper)', 'w²·min(w, cap)² (released code)'],
    doc: 'Paper and released code differ in the power of the weights.',
    when: { setting: 'credit', is: ['return'] },
  },
  cap: {
    kind: 'number',
    label: 'Cap on weights',
    default: 8,
    min: 1,
    max: 1000,
    scale: 'log',
    doc: 'Largest importance weight of an episode in the gradient.',
    formula: 'min(w, cap)',
  },
  baseEss: {
    kind: 'number',
    label: 'Reference sample size',
    default: 1,
    min: 0.01,
    max: 1,
    doc: 'Share of effective samples above which the step keeps its full size.',
    formula: 'ess₀',
  },
  rule: {
    kind: 'choice',
    label: 'Step factor',
    default: 'sqrt',
    options: ['sqrt', 'linear', 'off'],
    optionLabels: ['√(ess/ess₀)', 'ess/ess₀', 'none'],
    doc: 'How the step shrinks when few episodes carry the weight.',
    formula: 'η·√min(1, ess/ess₀)',
  },
});

/** (R − b)/σ of the trajectories of a minibatch, each compared with those of its own task. */
function returnCredit(
  set: UnitSet,
  ids: readonly number[],
  logWeight: Float64Array,
  { scoreNorm, form, cap }: ValuesOf<typeof params>,
): Float64Array {
  const norms = scoreNorm === 'unit' ? new Float64Array(ids.length).fill(1) : set.scoreNorms(ids);
  const credit = new Float64Array(ids.length);
  for (const group of taskGroups(ids, set.task)) {
    const of = (x: ArrayLike<number>): number[] => group.map((k) => x[k]!);
    const R = group.map((k) => set.outcome[ids[k]!]!);
    const b = varianceBaseline(R, of(logWeight), of(norms), form, log(cap));
    baselineCredit(R, b).forEach((x, at) => (credit[group[at]!] = x));
  }
  return credit;
}

function survey(set: UnitSet, params_: ValuesOf<typeof params>, mark: Float64Array): StepControl {
  const spans = spansOf(set.trajectory);
  const { ids, starts } = spans;
  const logWeight = sumsOf(set.delta, spans);
  const credit = params_.credit === 'return' ? returnCredit(set, ids, logWeight, params_) : null;
  ids.forEach((_, k) => {
    const weight = truncatedWeight(logWeight[k]!, log(params_.cap));
    mark.fill(weight * (credit ? credit[k]! : 1), starts[k], starts[k + 1]);
  });
  if (params_.rule === 'off') return {};
  return { stepScale: stepFactor(essFromLogWeights(logWeight), params_.baseEss, params_.rule) };
}

/**
 * VCPO (arXiv 2602.17616): weights of whole trajectories, a baseline of least variance for them, and a step that shrinks
 * with the effective sample size of the minibatch. w = exp(Σ Δ), w̃ = min(w, cap), no ratio clip:
 *
 *   κ = −w̃ (R − b)/σ      b = ΣWR/ΣW, W = w²‖∇ log π(τ)‖², over the task group      η ← η·√min(1, ess/ess₀)
 *
 * with `seqMeanUnitMean`. With step-level credit (`advantage`) κ = −w̃A and only the step is scaled. The mark is what
 * multiplies −log π. Where paper and code differ this is the paper. `scoreNorm`: ∇ by all parameters, by those of the last
 * layer (an output matrix that is also the word vectors counts as output matrix only), or 1 in place of the length.
 */
export const vcpo = defineObjective({
  id: 'vcpo',
  title: 'VCPO',
  rev: 1,
  source: { title: 'Stable Asynchrony', arxiv: '2602.17616', level: 'code' },
  formula: 'κ = −min(w, cap)·(R − b)/σ,  w = Π ρ,  η ← η·√min(1, ess/ess₀)',
  look: 'On old data the step shrinks with the effective sample size instead of following a few dominant episodes.',
  params,
  readsScores: ({ credit, scoreNorm }) =>
    credit === 'advantage' || scoreNorm === 'unit' ? null : scoreNorm === 'exact' ? 'all' : 'last',
  readsReturns: ({ credit }) => credit === 'return',
  average: ({ credit }) => (credit === 'return' ? 'seqMeanUnitMean' : null),
  wholeGroups: true,
  survey,
  marks: ({ credit, form, cap, rule, baseEss }) => ({
    of: 'weight',
    form: {
      logCap: log(cap),
      baseline: credit === 'return' ? form : null,
      step: rule === 'off' ? null : { base: baseEss, rule },
    },
  }),
  coefficient(unit, { credit }, out) {
    const factor = (unit.mark ?? 0) * (credit === 'return' ? 1 : unit.A);
    out.loss = -factor * unit.logp;
    out.kappa = -factor;
    out.clip = 0;
  },
  wgsl: `// p = (1 if the credit is that of the advantage slot, unused, unused, weight times credit)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let factor = p.w * select(1.0, A, p.x == 1.0);
  return vec3f(-factor * logp, -factor, 0.0);
}
`,
  uniforms: ({ credit }) => [credit === 'return' ? 0 : 1, 0, 0, 0],
});
