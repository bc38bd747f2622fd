import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import type { Aggregate } from '../objective/aggregate.ts';
import { cispo } from '../objective/cispo.ts';
import { addEntropyGradient, addForwardKlGradient, addKlGradient, entropyOf, klOf } from '../objective/distribution.ts';
import { klTerm, type KlForm } from '../objective/kl.ts';
import { ppoClip } from '../objective/ppoClip.ts';
import { reinforce } from '../objective/reinforce.ts';
import { clipFractions } from '../analysis/ratio.ts';
import type { Coefficient, Objective } from '../types.ts';
import type { Got } from './check.ts';
import { dataKeys } from './objectiveData.ts';
import { setKeys } from './objectiveSets.ts';
import { vcpoRun } from './vcpo.ts';
import { policyLoss, weightsOf, type Computation, type Units } from './units.ts';

function run(units: Units, objective: Objective, params: AnyValues, mode: Aggregate) {
  const { inputs, logp, logpOld } = units;
  const out: Coefficient = { loss: 0, kappa: 0, clip: 0 };
  return policyLoss(units, mode, (u, term) => {
    objective.coefficient({ A: inputs.advantage[u]!, delta: logp[u]! - logpOld[u]!, logp: logp[u]! }, params, out);
    term.loss = out.loss;
    term.kappa = out.kappa;
  });
}

/** A distribution term: mean value over real units and its gradient by the logits. */
function distribution(
  units: Units,
  value: (at: number) => number,
  gradient: (at: number, value: number, w: number, out: Float64Array) => void,
): Got {
  const { actions, mask } = units.inputs;
  const w = weightsOf(units, 'unitMean');
  const gradLogits = new Float64Array(mask.length * actions);
  let total = 0;
  for (let u = 0; u < mask.length; u++) {
    if (mask[u] === 0) continue;
    const x = value(u * actions);
    total += w[u]! * x;
    gradient(u * actions, x, w[u]!, gradLogits);
  }
  return { value: total, gradLogits };
}

const ppo =
  (mode: Aggregate): Computation =>
  (units) =>
    run(units, ppoClip, defaultsOf(ppoClip.params), mode);

const sampledKl =
  (form: KlForm): Computation =>
  (units) =>
    policyLoss(units, 'unitMean', (u, out) => klTerm(form, units.logp[u]! - units.logpRef[u]!, out));

/** How each key of kind `objective` is computed. */
export const objectiveKeys: { readonly [key: string]: Computation } = {
  ...setKeys,
  ...dataKeys,
  vcpo: vcpoRun,
  ppo_unitMean: ppo('unitMean'),
  ppo_seqMeanUnitMean: ppo('seqMeanUnitMean'),
  ppo_seqMeanUnitSum: ppo('seqMeanUnitSum'),
  ppo_constant: ppo('constant'),
  reinforce: (units) => run(units, reinforce, {}, 'unitMean'),
  clipHigher: (units, { epsLow, epsHigh, dualC }) => {
    const { inputs, logp, logpOld } = units;
    const real = Array.from(inputs.mask.keys()).filter((u) => inputs.mask[u] !== 0);
    return {
      ...run(units, ppoClip, { epsLow: epsLow!, epsHigh: epsHigh!, dual: false, dualC: dualC! }, 'unitMean'),
      ...clipFractions(
        real.map((u) => logp[u]! - logpOld[u]!),
        real.map((u) => inputs.advantage[u]!),
        1 - epsLow!,
        1 + epsHigh!,
        dualC!,
      ),
    };
  },
  dualClip: (units, { epsLow, epsHigh, dualC }) =>
    run(units, ppoClip, { epsLow: epsLow!, epsHigh: epsHigh!, dual: true, dualC: dualC! }, 'unitMean'),
  cispo: (units, { epsLow, epsHigh }) => run(units, cispo, { epsLow: epsLow!, epsHigh: epsHigh! }, 'unitMean'),
  cispoUpper: (units, { cispoHigh }) => run(units, cispo, { epsLow: 1, epsHigh: cispoHigh! }, 'unitMean'),
  klK1: sampledKl('k1'),
  klK2: sampledKl('k2'),
  klK3: sampledKl('k3'),
  klAbs: sampledKl('abs'),
  klExact: (units) => {
    const { now, ref, inputs } = units;
    const n = inputs.actions;
    return distribution(
      units,
      (at) => klOf(now, at, ref, at, n),
      (at, kl, w, out) => addKlGradient(now, at, ref, at, n, kl, w, out, at),
    );
  },
  klExactForward: (units) => {
    const { now, ref, inputs } = units;
    const n = inputs.actions;
    return distribution(
      units,
      (at) => klOf(ref, at, now, at, n),
      (at, _kl, w, out) => addForwardKlGradient(now, at, ref, at, n, w, out, at),
    );
  },
  entropy: (units) => {
    const { inputs } = units;
    const { p } = units.now;
    return distribution(
      units,
      (at) => entropyOf(p, at, inputs.actions),
      (at, H, w, out) => addEntropyGradient(p, at, inputs.actions, H, w, out, at),
    );
  },
  entropyPerUnit: ({ now, inputs }) =>
    Float64Array.from(inputs.mask, (m, u) => (m === 0 ? 0 : entropyOf(now.p, u * inputs.actions, inputs.actions))),
};
