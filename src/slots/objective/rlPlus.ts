import { originOf } from '../../contract/rows.ts';
import { exp, log } from '../../core/fmath.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { mean } from '../../core/stats.ts';
import { defineObjective, type Coefficient, type UnitSet } from '../types.ts';
import { markedForm } from './comparisons.ts';
import { spansOf, taskGroups } from './episodes.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import { CLIP } from '../../core/math/clip.ts';

const params = settings({
  demonstrations: {
    kind: 'integer',
    label: 'Demonstrations per group',
    default: 1,
    min: 1,
    max: 64,
    doc: 'Episodes of every task group that the solver plays instead of the policy.',
  },
  exploration: {
    kind: 'number',
    label: 'γ',
    default: 0.5,
    min: 0,
    max: 4,
    doc: 'How much more a demonstrated action counts if the policy would hardly choose it; 0 = all equal.',
    formula: 'A·(1 − sg π)^γ',
  },
  mixture: {
    kind: 'number',
    label: 'u in ω',
    default: 1,
    min: 0.01,
    max: 1,
    doc: 'Probability mixed into the solver’s π_old: 1 as in the released code, 1/(number of actions) for uniform.',
    formula: 'ω = ½(π_old + u)',
  },
});

/** A unit and how likely its choice is now and was at sampling. */
type DemoUnit = { A: number; logp: number; logpOld: number; isDemo: boolean };

/**
 * One unit of a group that contains demonstrations.
 *
 *   own rows            ℓ = −Aρ, unclipped
 *   demonstrated rows   ℓ = −A·(1 − sg π)^γ·2π/(1.5π_old + 0.5u)      κ = ℓ: the ratio has the slope of π
 *
 * π, π_old: probability of the action now and at sampling. The ratio's denominator is ½(π_old + ω), ω = ½(π_old + u): the
 * paper calls ω a mix with a uniform policy; the released code has u = 1, and so has this.
 */
export function rlPlusTerm(
  { A, logp, logpOld, isDemo }: Readonly<DemoUnit>,
  { exploration, mixture }: Pick<ValuesOf<typeof params>, 'exploration' | 'mixture'>,
  out: Coefficient,
): void {
  if (isDemo) {
    const p = exp(logp);
    out.loss = (-A * power(1 - p, exploration) * 2 * p) / (1.5 * exp(logpOld) + 0.5 * mixture);
    out.kappa = out.loss;
    out.clip = CLIP.none;
    return;
  }
  const delta = logp - logpOld;
  const isHeld = delta > LOG_RATIO_LIMIT || delta < -LOG_RATIO_LIMIT;
  out.loss = -A * ratioOf(delta);
  out.kappa = isHeld ? 0 : out.loss;
  out.clip = isHeld && A !== 0 ? CLIP.guard : CLIP.none;
}

const DEMO = originOf('demo');

/** x^γ, 0 where rounding left x at most 0; x⁰ = 1. */
const power = (x: number, gamma: number): number => (gamma === 0 ? 1 : x > 0 ? exp(gamma * log(x)) : 0);

function survey({ trajectory, outcome, task, origin, logp, delta }: UnitSet, values: Values, mark: Float64Array): void {
  const { ids, starts } = spansOf(trajectory);
  const isDemo = (k: number): boolean => origin?.[ids[k]!] === DEMO;
  const unit = { A: 0, logp: 0, logpOld: 0, isDemo: false };
  const out = { loss: 0, kappa: 0, clip: 0 };
  mark.fill(0);
  for (const group of taskGroups(ids, task)) {
    const own = group.filter((k) => !isDemo(k));
    if (own.length === 0) continue;
    const baseline = mean(own.map((k) => outcome[ids[k]!]!));
    for (const k of group) {
      unit.A = outcome[ids[k]!]! - baseline;
      unit.isDemo = isDemo(k);
      for (let u = starts[k]!; u < starts[k + 1]!; u++) {
        unit.logp = logp[u]!;
        unit.logpOld = logp[u]! - delta[u]!;
        rlPlusTerm(unit, values, out);
        mark[u] = out.kappa;
      }
    }
  }
}
type Values = ValuesOf<typeof params>;

/**
 * RL-PLUS (arXiv 2508.00222): the last episodes of every task group are demonstrations by the solver.
 *
 *   A[i] = R[i] − mean of R over the policy's own episodes of the group      κ by `rlPlusTerm`, with `constant`
 *
 * A demonstration that is no better than the policy's own episodes teaches nothing; log π_old of a demonstrated action is
 * that of the policy at sampling time. A group whose own episodes are all left out gets 0.
 */
export const rlPlus = defineObjective({
  id: 'rlPlus',
  title: 'RL-PLUS',
  rev: 1,
  source: { title: 'RL-PLUS', arxiv: '2508.00222', level: 'code' },
  formula: 'demonstrated: κ = −A·(1 − π)^γ·2π/(1.5π_old + 0.5u), else κ = −Aρ',
  look: 'Even groups that always fail teach something: their demonstration is the one episode above the mean.',
  params,
  readsReturns: () => true,
  average: () => 'constant',
  wholeGroups: true,
  rows: { origin: 'demo', count: 'demonstrations' },
  survey,
  marks: ({ exploration, mixture }) => ({
    of: 'group',
    wgsl: `fn markOf(A: f32, sum: f32, logp: f32, delta: f32, isShown: bool) -> f32 {
  if (!isShown) { return select(-A * exp(clamp(delta, -20.0, 20.0)), 0.0, abs(delta) > 20.0); }
  let p = exp(logp);
  // 1 − π of an action that is nearly certain, by its series
  let rest = select(1.0 - p, -logp * (1.0 + logp * (0.5 + logp / 6.0)), logp > -0.01);
  let weight = ${exploration === 0 ? '1.0' : `select(0.0, exp(f32(${exploration}) * log(rest)), rest > 0.0)`};
  return -A * weight * 2.0 * p / (1.5 * exp(logp - delta) + 0.5 * f32(${mixture}));
}
`,
  }),
  ...markedForm,
});
