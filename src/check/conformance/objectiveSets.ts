import type { ValuesOf } from '../../core/settings.ts';
import { clipFractions } from '../../slots/metrics/ratio.ts';
import { covarianceCandidates } from '../../slots/objective/clipCov.ts';
import { covarianceTerms, shareCount } from '../../slots/objective/covariance.ts';
import { behaviorWeight, proxLogLinear, type decoupled } from '../../slots/objective/decoupled.ts';
import { trajectoryMean } from '../../slots/objective/gspo.ts';
import { unitClip } from '../../core/math/clip.ts';
import { ratioOf } from '../../core/math/ratio.ts';
import { judge } from './judge.ts';
import { objectiveForms } from './objectiveForms.ts';
import { realUnits, spread, trajectorySums, type Computation, type Params, type Units } from './units.ts';

const decoupledWith =
  (key: 'decoupled' | 'decoupledMask'): Computation =>
  (units, params) => {
    const { set, result } = judgeForm(units, params, key);
    const { cap, beyond } = objectiveForms[key].params(params) as ValuesOf<typeof decoupled.params>;
    const weight = Array.from(set.prox, (x) => behaviorWeight(x, cap, beyond));
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
    const between = { low: covLow!, high: covHigh! };
    const candidate = covarianceCandidates(set, c, between, unitClip(1 - epsLow!, 1 + epsHigh!));
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
