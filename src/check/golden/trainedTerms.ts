import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import type { Got } from '../conformance/check.ts';
import { setOf } from '../conformance/judge.ts';
import { objectiveKeys } from '../conformance/objective.ts';
import type { Computation, Units } from '../conformance/units.ts';
import { pairsOf } from '../../slots/objective/comparisons.ts';
import { cpl } from '../../slots/objective/cpl.ts';
import { dpo } from '../../slots/objective/dpo.ts';
import type { KlPenalty } from '../../core/math/kl.ts';
import type { Objective } from '../../slots/types.ts';
import { batchOf } from '../../engine/arrays.ts';
import { softerBlame } from '../../slots/revise/softerBlame.ts';
import { onTable } from './onTable.ts';
import { tableBatch, type Trained } from './trainedCase.ts';

/** What the definition says of a key, with what training says instead. */
const besides = (key: string, units: Units, params: Readonly<Record<string, number>>, trained: object): Got =>
  ({ ...(objectiveKeys[key]!(units, params) as object), ...trained }) as Got;

/** An objective that asks for nothing. */
const nothing: Objective = {
  ...(dpo as Objective),
  coefficient(_unit, _params, out) {
    out.loss = out.kappa = out.clip = 0;
  },
};

/** The loss of a run that has a KL term or an entropy bonus, and nothing else. */
function ofTerm(units: Units, term: NonNullable<Trained['term']>) {
  const set = setOf(units, units.logpOld, () => 0);
  const { survey: _, ...objective } = nothing;
  return onTable({ units, set, objective, params: {}, mode: 'unitMean', term });
}

const sampledKl =
  (key: string, klForm: KlPenalty): Computation =>
  (units, params) => {
    const { coef, gradNorm, gradLogits } = ofTerm(units, { entropyCoef: 0, klCoef: 1, klForm });
    const defined = objectiveKeys[key]!(units, params) as { readonly coef: ArrayLike<number> };
    const { actions, legal } = units.inputs;
    const choices = (u: number): number => legal.slice(u * actions, (u + 1) * actions).filter((l) => l !== 0).length;
    // a unit without a choice has no gradient that could tell
    const told = coef.map((x, u) => (choices(u) > 1 ? x : defined.coef[u]!));
    return besides(key, units, params, { coef: told, gradNorm, gradLogits });
  };

/** KL terms and the entropy: gradients are those of a run, and so is the value of the exact KL, which runs measure. */
export const termKeys: { readonly [key: string]: Computation } = {
  klK1: sampledKl('klK1', 'k1'),
  klK2: sampledKl('klK2', 'k2'),
  klK3: sampledKl('klK3', 'k3'),
  klAbs: sampledKl('klAbs', 'abs'),
  klExact: (units) => {
    const { tally, gradLogits } = ofTerm(units, { entropyCoef: 0, klCoef: 1, klForm: 'exact' });
    return { value: tally.klRef / tally.steps, gradLogits };
  },
  klExactForward: (units, params) => {
    const { gradLogits } = ofTerm(units, { entropyCoef: 0, klCoef: 1, klForm: 'exactForward' });
    return besides('klExactForward', units, params, { gradLogits });
  },
  entropy: (units, params) => {
    // the term is a bonus, −β_H·H
    const { gradLogits } = ofTerm(units, { entropyCoef: 1, klCoef: 0, klForm: 'exact' });
    return besides('entropy', units, params, { gradLogits: gradLogits.map((g) => -g) });
  },
};

/** A comparison of episodes, by the pairs that training makes. */
const compared =
  (
    key: string,
    objective: Objective,
    paramsOf: (p: Readonly<Record<string, number>>) => AnyValues,
    toReference: boolean,
  ): Computation =>
  (units, params) => {
    const set = setOf(units, toReference ? units.logpRef : units.logpOld, () => 0);
    const all = { ...defaultsOf(objective.params), maxPairs: 4096, ...paramsOf(params) };
    const { coef, gradNorm, gradLogits } = onTable({ units, set, objective, params: all, mode: 'seqMeanUnitSum' });
    return besides(key, units, params, { coef, gradNorm, gradLogits });
  };

/** DPO and CPL, where the pairs of a case are those that training makes of its returns. */
export function comparisonKeys({ inputs, n }: Units): { readonly [key: string]: Computation } {
  const { P, G, outcome, pairs } = inputs;
  const own = Array.from({ length: P }, (_, g) => Array.from({ length: G }, (_k, k) => g * G + k)).flatMap((group) =>
    // an episode without a decision is in no batch
    pairsOf(
      group.filter((i) => n[i]! > 0),
      outcome,
      Infinity,
      () => 1,
    ),
  );
  const isPair = (i: number, j: number): boolean => own.some(({ winner, loser }) => winner === i && loser === j);
  if (own.length !== pairs.length || !pairs.every(([i, j]) => isPair(i, j))) return {};
  const cplOf = (reference: string) => (p: Readonly<Record<string, number>>) => ({
    ...{ alpha: p['cplAlpha']!, lambda: p['cplLambda']!, reference },
  });
  return {
    dpo: compared('dpo', dpo as Objective, ({ dpoBeta }) => ({ beta: dpoBeta! }), true),
    wDpo: compared('wDpo', dpo as Objective, ({ dpoBeta }) => ({ beta: dpoBeta!, weights: 'gap' }), true),
    cpl: compared('cpl', cpl as Objective, cplOf('none'), false),
    cplKl: compared('cplKl', cpl as Objective, cplOf('sampler'), true),
  };
}

/** The key `negativeScale`: what is left of a credit of −1 in every group. */
export const scaleRun: Computation = (units, { libraBase, libraSlope }) => {
  const { P, G, L, actions } = units.inputs;
  const set = setOf(units, units.logpOld, () => 0);
  const { plan, arrays } = tableBatch({ units, set, objective: nothing, params: {}, mode: 'unitMean' });
  const A = new Float32Array(P * G * L).fill(-1);
  const seen = { batch: batchOf(plan, arrays, 0), probs: arrays.probs, actions };
  softerBlame.run(A, seen, { base: libraBase!, slope: libraSlope! });
  return Array.from({ length: P }, (_, g) => -A[g * G * L]!);
};
