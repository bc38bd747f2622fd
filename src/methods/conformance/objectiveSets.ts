import { defaultsOf, type ValuesOf } from '../../core/settings.ts';
import { clipFractions } from '../analysis/ratio.ts';
import { covarianceCandidates } from '../objective/clipCov.ts';
import { covarianceTerms, shareCount } from '../objective/covariance.ts';
import { behaviourWeight, proxLogLinear, type decoupled } from '../objective/decoupled.ts';
import { trajectoryMean } from '../objective/gspo.ts';
import { ppoClip } from '../objective/ppoClip.ts';
import { ratioOf } from '../objective/ratio.ts';
import type { Coefficient } from '../types.ts';
import { judge } from './judge.ts';
import { objectiveForms } from './objectiveForms.ts';
import { policyLoss, realUnits, spread, trajectorySums, type Computation, type Params, type Units } from './units.ts';

/** PPO clip with Δ summed over the units of a step; the loss is the mean over steps. */
const stepRatio: Computation = (units, { epsLow, epsHigh }) => {
  const { inputs, logp, logpOld } = units;
  const { B, L, step, advantage } = inputs;
  const T = L;
  const sum = new Float64Array(B * T);
  const has = new Uint8Array(B * T);
  const real = realUnits(units);
  const stepAt = (u: number): number => Math.floor(u / L) * T + step[u]!;
  for (const u of real) {
    sum[stepAt(u)]! += logp[u]! - logpOld[u]!;
    has[stepAt(u)] = 1;
  }
  const steps = has.reduce((n, x) => n + x, 0);
  const params = { ...defaultsOf(ppoClip.params), epsLow: epsLow!, epsHigh: epsHigh! };
  const out: Coefficient = { loss: 0, kappa: 0, clip: 0 };
  const seen = new Uint8Array(B * T);
  // policyLoss weighs with 1/units; the loss counts once a step, κ at each of its units
  return policyLoss(units, 'unitMean', (u, term) => {
    ppoClip.coefficient({ A: advantage[u]!, delta: sum[stepAt(u)]!, logp: logp[u]! }, params, out);
    term.loss = seen[stepAt(u)] === 0 ? (out.loss * real.length) / steps : 0;
    term.kappa = (out.kappa * real.length) / steps;
    seen[stepAt(u)] = 1;
  });
};

const decoupledWith =
  (key: 'decoupled' | 'decoupledMask'): Computation =>
  (units, params) => {
    const { set, result } = judgeForm(units, params, key);
    const { cap, beyond } = objectiveForms[key].params(params) as ValuesOf<typeof decoupled.params>;
    const weight = Array.from(set.prox, (x) => behaviourWeight(x, cap, beyond));
    return {
      ...result,
      behaveWeight: spread(units, set.real, weight),
      kept: weight.filter((b) => b > 0).length / weight.length,
    };
  };

/** A registered objective on a case: the units it saw and what came out. */
function judgeForm(units: Units, params: Params, key: keyof typeof objectiveForms) {
  const { objective, mode, ...form } = objectiveForms[key];
  const set = form.set(units);
  return { set, result: judge(units, objective, form.params(params), mode, set) };
}

/** How the keys are computed whose objective looks at several units or at a third policy. */
export const setKeys: { readonly [key: string]: Computation } = {
  ...Object.fromEntries(
    Object.keys(objectiveForms).map((key): [string, Computation] => [
      key,
      (units, params) => judgeForm(units, params, key as keyof typeof objectiveForms).result,
    ]),
  ),
  clipHigher: (units, params) => {
    const { set, result } = judgeForm(units, params, 'clipHigher');
    const { epsLow, epsHigh, dualC } = params;
    return { ...result, ...clipFractions(set.delta, set.A, 1 - epsLow!, 1 + epsHigh!, dualC!) };
  },
  gspo: (units, params) => {
    const { inputs, logp, logpOld, n } = units;
    const sums = trajectorySums(units, (u) => logp[u]! - logpOld[u]!);
    const sequenceRatio = Array.from({ length: inputs.B }, (_, i) => (n[i]! > 0 ? ratioOf(sums[i]! / n[i]!) : 0));
    return { ...judgeForm(units, params, 'gspo').result, sequenceRatio };
  },
  stepRatio,
  decoupled: decoupledWith('decoupled'),
  decoupledMask: decoupledWith('decoupledMask'),
  proxLogLinear: (units, { proxAlpha }) => {
    const real = realUnits(units);
    return spread(
      units,
      real,
      real.map((u) => proxLogLinear(units.logp[u]!, units.logpOld[u]!, proxAlpha!)),
    );
  },
  hispo: (units, params) => {
    const { set, result } = judgeForm(units, params, 'hispo');
    const mean = new Float64Array(set.real.length);
    trajectoryMean(set.prox, set.trajectory, mean);
    const sequenceDiscrepancy = new Float64Array(units.inputs.B);
    set.trajectory.forEach((i, k) => (sequenceDiscrepancy[i] = ratioOf(mean[k]!)));
    return { ...result, kept: result.mark, sequenceDiscrepancy };
  },
  clipCov: (units, params) => {
    const { set, result } = judgeForm(units, params, 'clipCov');
    const { epsLow, epsHigh, clipCovRatio, covLow, covHigh } = params;
    const c = covarianceTerms(set.A, set.logp);
    const candidate = covarianceCandidates(set, c, covLow!, covHigh!, 1 - epsLow!, 1 + epsHigh!);
    return {
      ...result,
      covariance: spread(units, set.real, c),
      candidate: spread(units, set.real, candidate),
      selectCount: shareCount(clipCovRatio!, c.length),
    };
  },
  klCov: (units, params) => {
    const { result } = judgeForm(units, params, 'klCov');
    return { ...result, selected: result.mark };
  },
  stableReinforce: (units, params) => {
    const { result } = judgeForm(units, params, 'stableReinforce');
    return { ...result, advantage: result.mark };
  },
};
