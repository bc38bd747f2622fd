import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { unitWeight, type Aggregate } from '../objective/aggregate.ts';
import { cispo } from '../objective/cispo.ts';
import {
  addEntropyGradient,
  addForwardKlGradient,
  addKlGradient,
  entropyOf,
  klOf,
  logitGradient,
  maskedSoftmax,
} from '../objective/distribution.ts';
import { klTerm, type KlForm } from '../objective/kl.ts';
import { ppoClip } from '../objective/ppoClip.ts';
import { reinforce } from '../objective/reinforce.ts';
import { clipFractions } from '../analysis/ratio.ts';
import type { Coefficient, Objective } from '../types.ts';
import type { Got } from './check.ts';

/** Inputs of a case of kind `objective`; unit arrays [B*L], per-action arrays [B*L*actions]. */
export type ObjectiveInputs = {
  readonly B: number;
  readonly L: number;
  readonly actions: number;
  readonly mask: readonly number[];
  readonly action: readonly number[];
  readonly legal: readonly number[];
  readonly advantage: readonly number[];
  readonly logits: readonly number[];
  readonly logitsOld: readonly number[];
  readonly logitsRef: readonly number[];
};

/** Real units of a case with the policies evaluated on them; arrays over all B*L slots, 0 on padding. */
export type Units = {
  readonly inputs: ObjectiveInputs;
  readonly n: Uint32Array;
  readonly p: Float64Array;
  readonly pRef: Float64Array;
  readonly logp: Float64Array;
  readonly logpOld: Float64Array;
  readonly logpRef: Float64Array;
};

export function unitsOf(inputs: ObjectiveInputs): Units {
  const { B, L, actions, mask } = inputs;
  const n = new Uint32Array(B);
  for (let u = 0; u < B * L; u++) if (mask[u] !== 0) n[Math.floor(u / L)]!++;
  const policy = (logits: readonly number[]): { p: Float64Array; logp: Float64Array } => {
    const p = new Float64Array(B * L * actions);
    const logp = new Float64Array(B * L);
    for (let u = 0; u < B * L; u++) {
      if (mask[u] === 0) continue;
      const logZ = maskedSoftmax(logits, u * actions, actions, inputs.legal, p, u * actions);
      logp[u] = logits[u * actions + inputs.action[u]!]! - logZ;
    }
    return { p, logp };
  };
  const now = policy(inputs.logits);
  const reference = policy(inputs.logitsRef);
  return {
    inputs,
    n,
    p: now.p,
    pRef: reference.p,
    logp: now.logp,
    logpOld: policy(inputs.logitsOld).logp,
    logpRef: reference.logp,
  };
}

/** w of every real unit. */
function weightsOf({ inputs, n }: Units, mode: Aggregate): Float64Array {
  const { B, L, mask } = inputs;
  const units = n.reduce((total, count) => total + count, 0);
  const active = n.reduce((total, count) => total + (count > 0 ? 1 : 0), 0);
  return Float64Array.from(mask, (m, u) =>
    m === 0 ? 0 : unitWeight(mode, n[Math.floor(u / L)]!, units, active, B * L),
  );
}

type Term = { loss: number; kappa: number };

/** Loss, κ with its weight, gradient by the logits and its norm, from a per-unit term. */
function policyLoss(units: Units, mode: Aggregate, term: (u: number, out: Term) => void) {
  const { inputs, p } = units;
  const { actions, mask } = inputs;
  const w = weightsOf(units, mode);
  const coef = new Float64Array(mask.length);
  const gradLogits = new Float64Array(mask.length * actions);
  const out: Term = { loss: 0, kappa: 0 };
  const terms = { entropy: 0, kl: 0 };
  let loss = 0;
  for (let u = 0; u < mask.length; u++) {
    if (mask[u] === 0) continue;
    term(u, out);
    loss += w[u]! * out.loss;
    coef[u] = w[u]! * out.kappa;
    const at = u * actions;
    logitGradient(p, at, p, at, actions, inputs.action[u]!, w[u]!, out.kappa, 0, 0, gradLogits, at, terms);
  }
  const gradNorm = Math.sqrt(gradLogits.reduce((total, g) => total + g * g, 0));
  return { loss, coef, gradNorm, gradLogits };
}

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

type Params = { readonly [name: string]: number };
type Computation = (units: Units, params: Params) => Got;

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
    const { p, pRef, inputs } = units;
    const n = inputs.actions;
    return distribution(
      units,
      (at) => klOf(p, at, pRef, at, n),
      (at, kl, w, out) => addKlGradient(p, at, pRef, at, n, kl, w, out, at),
    );
  },
  klExactForward: (units) => {
    const { p, pRef, inputs } = units;
    const n = inputs.actions;
    return distribution(
      units,
      (at) => klOf(pRef, at, p, at, n),
      (at, _kl, w, out) => addForwardKlGradient(p, at, pRef, at, n, w, out, at),
    );
  },
  entropy: (units) => {
    const { p, inputs } = units;
    return distribution(
      units,
      (at) => entropyOf(p, at, inputs.actions),
      (at, H, w, out) => addEntropyGradient(p, at, inputs.actions, H, w, out, at),
    );
  },
  entropyPerUnit: ({ p, inputs }) =>
    Float64Array.from(inputs.mask, (m, u) => (m === 0 ? 0 : entropyOf(p, u * inputs.actions, inputs.actions))),
};
