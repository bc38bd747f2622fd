import { defaultsOf } from '../../core/settings.ts';
import { aepo } from '../objective/aepo.ts';
import { clipCov, covarianceCandidates } from '../objective/clipCov.ts';
import { covarianceTerms, shareCount } from '../objective/covariance.ts';
import { behaviourWeight, decoupled, proxLogLinear } from '../objective/decoupled.ts';
import { gspo, trajectoryMean } from '../objective/gspo.ts';
import { hispo } from '../objective/hispo.ts';
import { klCov } from '../objective/klCov.ts';
import { ppoClip } from '../objective/ppoClip.ts';
import { ratioOf } from '../objective/ratio.ts';
import { stableReinforce } from '../objective/stableReinforce.ts';
import type { Coefficient } from '../types.ts';
import { judge, setOf } from './judge.ts';
import { policyLoss, realUnits, spread, trajectorySums, type Computation } from './units.ts';

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
  (beyond: 'clamp' | 'mask'): Computation =>
  (units, { behaveCap }) => {
    const set = setOf(units, units.logpOld, (u) => units.logpProx[u]! - units.logpOld[u]!);
    const params = { ...defaultsOf(decoupled.params), cap: behaveCap!, beyond };
    const weight = Array.from(set.prox, (x) => behaviourWeight(x, behaveCap!, beyond));
    return {
      ...judge(units, decoupled, params, 'unitMean', set),
      behaveWeight: spread(units, set.real, weight),
      kept: weight.filter((b) => b > 0).length / weight.length,
    };
  };

/** How the keys are computed whose objective looks at several units or at a third policy. */
export const setKeys: { readonly [key: string]: Computation } = {
  aepo: (units, { epsLow, epsHigh, dualC }) =>
    judge(units, aepo, { epsLow: epsLow!, epsHigh: epsHigh!, dualC: dualC! }, 'unitMean'),
  gspo: (units, { gspoLow, gspoHigh }) => {
    const { inputs, logp, logpOld, n } = units;
    const sums = trajectorySums(units, (u) => logp[u]! - logpOld[u]!);
    const sequenceRatio = Array.from({ length: inputs.B }, (_, i) => (n[i]! > 0 ? ratioOf(sums[i]! / n[i]!) : 0));
    return { ...judge(units, gspo, { epsLow: gspoLow!, epsHigh: gspoHigh! }, 'seqMeanUnitMean'), sequenceRatio };
  },
  stepRatio,
  decoupled: decoupledWith('clamp'),
  decoupledMask: decoupledWith('mask'),
  proxLogLinear: (units, { proxAlpha }) => {
    const real = realUnits(units);
    return spread(
      units,
      real,
      real.map((u) => proxLogLinear(units.logp[u]!, units.logpOld[u]!, proxAlpha!)),
    );
  },
  hispo: (units, { deltaSeq, deltaTok, posHigh, negLow, negHigh }) => {
    const set = setOf(units, units.logpMu, (u) => units.logpOld[u]! - units.logpMu[u]!);
    const params = {
      ...{ deltaSeq: deltaSeq!, deltaTok: deltaTok! },
      ...{ posHigh: posHigh!, negLow: negLow!, negHigh: negHigh! },
    };
    const { mark, ...rest } = judge(units, hispo, params, 'constant', set);
    const mean = new Float64Array(set.real.length);
    trajectoryMean(set.prox, set.trajectory, mean);
    const sequenceDiscrepancy = new Float64Array(units.inputs.B);
    set.trajectory.forEach((i, k) => (sequenceDiscrepancy[i] = ratioOf(mean[k]!)));
    return { ...rest, kept: mark, sequenceDiscrepancy };
  },
  clipCov: (units, { epsLow, epsHigh, clipCovRatio, covLow, covHigh }) => {
    const set = setOf(units, units.logpOld, () => 0);
    const params = {
      ...defaultsOf(clipCov.params),
      ...{ epsLow: epsLow!, epsHigh: epsHigh!, share: clipCovRatio!, low: covLow!, high: covHigh! },
      bounds: 'absolute',
    };
    const c = covarianceTerms(set.A, set.logp);
    const candidate = covarianceCandidates(set, c, covLow!, covHigh!, 1 - epsLow!, 1 + epsHigh!);
    return {
      ...judge(units, clipCov, params, 'unitMean', set),
      covariance: spread(units, set.real, c),
      candidate: spread(units, set.real, candidate),
      selectCount: shareCount(clipCovRatio!, c.length),
    };
  },
  klCov: (units, { klCovRatio, klCovCoef }) => {
    const { mark, ...rest } = judge(units, klCov, { share: klCovRatio!, beta: klCovCoef! }, 'unitMean');
    return { ...rest, selected: mark };
  },
  stableReinforce: (units, { advSigma }) => {
    const { mark, ...rest } = judge(units, stableReinforce, { eps: 0.2, sigma: advSigma! }, 'seqMeanUnitMean');
    return { ...rest, advantage: mark };
  },
};
