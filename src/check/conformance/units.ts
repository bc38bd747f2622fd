import { unitWeight, type Aggregate } from '../../core/aggregate.ts';
import { choicesOf, fillLogProbs, logitGradient, softmax, type Distribution } from '../../core/math/distribution.ts';
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
  readonly P: number;
  readonly G: number;
  readonly logitsProx: readonly number[];
  readonly logitsMu: readonly number[];
  /** step of the unit, −1 on padding */
  readonly step: readonly number[];
  /** [B] 0/1, trajectory reward, 1 = the row is a demonstration */
  readonly success: readonly number[];
  readonly outcome: readonly number[];
  readonly demo: readonly number[];
  /** stands for the random choice of Clip-Cov */
  readonly clipCovPick: readonly number[];
  /** [winner, loser] of the preference losses */
  readonly pairs: readonly (readonly [number, number])[];
  /** only in tabular cases: row of the logits table of each unit */
  readonly stateIndex?: readonly number[];
  readonly states?: number;
};

/** Real units of a case with the policies evaluated on them; arrays over all B*L slots, 0 on padding. */
export type Units = {
  readonly inputs: ObjectiveInputs;
  readonly n: Uint32Array;
  readonly now: Distribution;
  readonly ref: Distribution;
  readonly logp: Float64Array;
  readonly logpOld: Float64Array;
  readonly logpRef: Float64Array;
  readonly logpProx: Float64Array;
  readonly logpMu: Float64Array;
};

export function unitsOf(inputs: ObjectiveInputs): Units {
  const { B, L, actions, mask } = inputs;
  const n = new Uint32Array(B);
  for (let u = 0; u < B * L; u++) if (mask[u] !== 0) n[Math.floor(u / L)]!++;
  const policy = (logits: readonly number[]): { of: Distribution; logp: Float64Array } => {
    const of = { p: new Float64Array(B * L * actions), logp: new Float64Array(B * L * actions) };
    const logp = new Float64Array(B * L);
    for (let u = 0; u < B * L; u++) {
      if (mask[u] === 0) continue;
      const choices = choicesOf(logits, u * actions, actions, inputs.legal);
      const logZ = softmax(choices, of.p, u * actions);
      fillLogProbs(choices, logZ, of.logp, u * actions);
      logp[u] = logits[u * actions + inputs.action[u]!]! - logZ;
    }
    return { of, logp };
  };
  const now = policy(inputs.logits);
  const reference = policy(inputs.logitsRef);
  return {
    inputs,
    n,
    now: now.of,
    ref: reference.of,
    logp: now.logp,
    logpOld: policy(inputs.logitsOld).logp,
    logpRef: reference.logp,
    logpProx: policy(inputs.logitsProx).logp,
    logpMu: policy(inputs.logitsMu).logp,
  };
}

/** w of every real unit. */
export function weightsOf({ inputs, n }: Units, mode: Aggregate): Float64Array {
  const { B, L, mask } = inputs;
  const units = n.reduce((total, count) => total + count, 0);
  const active = n.reduce((total, count) => total + (count > 0 ? 1 : 0), 0);
  return Float64Array.from(mask, (m, u) =>
    m === 0 ? 0 : unitWeight(mode, n[Math.floor(u / L)]!, units, active, B * L),
  );
}

export type Term = { loss: number; kappa: number };

/** Loss, κ with its weight, gradient by the logits and its norm, from a per-unit term. */
export function policyLoss(units: Units, mode: Aggregate, term: (u: number, out: Term) => void) {
  const { inputs, now } = units;
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
    const own = { chosen: inputs.action[u]!, w: w[u]!, kappa: out.kappa };
    const pair = { now, at, ref: now, refAt: at, count: actions };
    logitGradient(pair, { ...own, entropyCoef: 0, klCoef: 0, klForm: 'exact' }, gradLogits, at, terms);
  }
  const gradNorm = Math.sqrt(gradLogits.reduce((total, g) => total + g * g, 0));
  return { loss, coef, gradNorm, gradLogits };
}

export type Params = { readonly [name: string]: number };
export type Computation = (units: Units, params: Params) => Got;

/** Flat indices of the real units, in order. */
export function realUnits({ inputs }: Units): number[] {
  return Array.from(inputs.mask.keys()).filter((u) => inputs.mask[u] !== 0);
}

/** An array over all slots with the values of the real units, 0 elsewhere. */
export function spread(units: Units, real: readonly number[], values: ArrayLike<number>): Float64Array {
  const all = new Float64Array(units.inputs.mask.length);
  real.forEach((u, k) => (all[u] = values[k]!));
  return all;
}

/** Sum over the real units of each trajectory. */
export function trajectorySums({ inputs }: Units, of: (u: number) => number): Float64Array {
  const sums = new Float64Array(inputs.B);
  inputs.mask.forEach((m, u) => {
    if (m !== 0) sums[Math.floor(u / inputs.L)]! += of(u);
  });
  return sums;
}
