import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { aepo } from '../../slots/objective/aepo.ts';
import type { Aggregate } from '../../core/aggregate.ts';
import { cispo } from '../../slots/objective/cispo.ts';
import { clipCov } from '../../slots/objective/clipCov.ts';
import { decoupled } from '../../slots/objective/decoupled.ts';
import { gspo } from '../../slots/objective/gspo.ts';
import { hispo } from '../../slots/objective/hispo.ts';
import { klCov } from '../../slots/objective/klCov.ts';
import { ppoClip } from '../../slots/objective/ppoClip.ts';
import { reinforce } from '../../slots/objective/reinforce.ts';
import { stableReinforce } from '../../slots/objective/stableReinforce.ts';
import type { Objective } from '../../slots/types.ts';
import { setOf, type JudgedSet } from './judge.ts';
import type { Params, Units } from './units.ts';

/** A golden key that is a registered objective: its settings out of the parameters of a case, and what Δ is taken from. */
export type ObjectiveForm = {
  readonly objective: Objective;
  readonly mode: Aggregate;
  params(p: Params): AnyValues;
  set(units: Units): JudgedSet;
};

function form(
  objective: Objective,
  params: ObjectiveForm['params'],
  mode: Aggregate = 'unitMean',
  set: ObjectiveForm['set'] = (units) => setOf(units, units.logpOld, () => 0),
): ObjectiveForm {
  return { objective, params, mode, set };
}

const usualPpo = (mode: Aggregate): ObjectiveForm => form(ppoClip, () => defaultsOf(ppoClip.params), mode);

const clip =
  (dual: boolean): ObjectiveForm['params'] =>
  ({ epsLow, epsHigh, dualC }) => ({ epsLow: epsLow!, epsHigh: epsHigh!, dual, dualC: dualC! });

const decoupledWith = (beyond: 'clamp' | 'mask'): ObjectiveForm =>
  form(
    decoupled,
    ({ behaveCap }) => ({ ...defaultsOf(decoupled.params), cap: behaveCap!, beyond }),
    'unitMean',
    (units) => setOf(units, units.logpOld, (u) => units.logpProx[u]! - units.logpOld[u]!),
  );

/** What both the definition and the kernel are checked with. */
export const objectiveForms = {
  ppo_unitMean: usualPpo('unitMean'),
  ppo_seqMeanUnitMean: usualPpo('seqMeanUnitMean'),
  ppo_seqMeanUnitSum: usualPpo('seqMeanUnitSum'),
  ppo_constant: usualPpo('constant'),
  reinforce: form(reinforce, () => ({})),
  clipHigher: form(ppoClip, clip(false)),
  dualClip: form(ppoClip, clip(true)),
  aepo: form(aepo, ({ epsLow, epsHigh, dualC }) => ({
    ...defaultsOf(aepo.params),
    ...{ epsLow: epsLow!, epsHigh: epsHigh!, dualC: dualC! },
  })),
  cispo: form(cispo, ({ epsLow, epsHigh }) => ({ epsLow: epsLow!, epsHigh: epsHigh! })),
  cispoUpper: form(cispo, ({ cispoHigh }) => ({ epsLow: 1, epsHigh: cispoHigh! })),
  gspo: form(gspo, ({ gspoLow, gspoHigh }) => ({ epsLow: gspoLow!, epsHigh: gspoHigh! }), 'seqMeanUnitMean'),
  decoupled: decoupledWith('clamp'),
  decoupledMask: decoupledWith('mask'),
  hispo: form(
    hispo,
    ({ deltaSeq, deltaTok, posHigh, negLow, negHigh }) => ({
      ...{ deltaSeq: deltaSeq!, deltaTok: deltaTok! },
      ...{ posHigh: posHigh!, negLow: negLow!, negHigh: negHigh! },
    }),
    'constant',
    (units) => setOf(units, units.logpMu, (u) => units.logpOld[u]! - units.logpMu[u]!),
  ),
  clipCov: form(clipCov, ({ epsLow, epsHigh, clipCovRatio, covLow, covHigh }) => ({
    ...defaultsOf(clipCov.params),
    ...{ epsLow: epsLow!, epsHigh: epsHigh!, share: clipCovRatio!, low: covLow!, high: covHigh! },
    bounds: 'absolute',
  })),
  klCov: form(klCov, ({ klCovRatio, klCovCoef }) => ({ share: klCovRatio!, beta: klCovCoef! })),
  stableReinforce: form(stableReinforce, ({ advSigma }) => ({ eps: 0.2, sigma: advSigma! }), 'seqMeanUnitMean'),
} as const satisfies { readonly [key: string]: ObjectiveForm };
