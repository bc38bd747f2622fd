import { log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { setOf } from '../conformance/judge.ts';
import { objectiveKeys } from '../conformance/objective.ts';
import { objectiveForms, type ObjectiveForm } from '../conformance/objectiveForms.ts';
import { spread, type Computation, type Params, type Units } from '../conformance/units.ts';
import { targetTemperature } from '../../slots/objective/dcpo.ts';
import { choicesOf, softmax } from '../../core/math/distribution.ts';
import { ppoClip } from '../../slots/objective/ppoClip.ts';
import { rover } from '../../slots/objective/rover.ts';
import { batchOf } from '../../engine/arrays.ts';
import { virtualTarget } from '../../slots/revise/virtualTarget.ts';
import { onTable } from './onTable.ts';
import type { CaseBatch, Trained } from './trainedCase.ts';
import { nlpoRun } from './trainedRestriction.ts';
import { comparisonKeys, scaleRun, termKeys } from './trainedTerms.ts';
import { vcpoRun } from './trainedVcpo.ts';
import { wordBatch } from './wordBatch.ts';

/** π_old of every step, as the rollout stores it. */
function fillProbs({ units, set }: Trained, { plan, arrays }: CaseBatch, stepOf: Int32Array): void {
  const { actions, logitsOld, legal } = units.inputs;
  for (const u of set.real)
    softmax(choicesOf(logitsOld, u * actions, actions, legal), arrays.probs, stepOf[u]! * plan.actions);
}

/** Units of the step that holds most of them. */
function mostUnits({ inputs }: Units): number {
  const counts = new Map<string, number>();
  inputs.mask.forEach((m, u) => {
    const step = `${Math.floor(u / inputs.L)} ${inputs.step[u]}`;
    if (m !== 0) counts.set(step, 1 + (counts.get(step) ?? 0));
  });
  return Math.max(...counts.values());
}

/** A written command holds four words of a byte; every word of a case comes in two forms. */
const canWrite = (units: Units): boolean => mostUnits(units) <= 4 && 2 * units.inputs.actions < 255;
const areWritten = (units: Units): boolean => mostUnits(units) > 1 && canWrite(units);

const formOf = (units: Units, form: ObjectiveForm, params: Params): Trained => ({
  ...{ units, set: form.set(units), objective: form.objective },
  ...{ params: form.params(params), mode: form.mode },
});

/** What the survey of an objective has marked, under the name of the golden values. */
const MARKS: { readonly [key: string]: string } = { hispo: 'kept', klCov: 'selected', stableReinforce: 'advantage' };

/**
 * An objective on a case: words of a transformer where a step holds several units, else steps of a table. What else a key has
 * is of its definition.
 */
const trainedForm =
  (key: string, form: ObjectiveForm): Computation =>
  (units, params) => {
    const trained = formOf(units, form, params);
    const { mark, ...result } = areWritten(units) ? wordBatch(trained, 'unit') : onTable(trained);
    const marked = MARKS[key] === undefined ? {} : { [MARKS[key]]: mark };
    return { ...(objectiveKeys[key]!(units, params) as object), ...result, ...marked };
  };

const stepRatio: Computation = (units, { epsLow, epsHigh }) => {
  const params = { ...defaultsOf(ppoClip.params), epsLow: epsLow!, epsHigh: epsHigh! };
  const set = setOf(units, units.logpOld, () => 0);
  const trained: Trained = { units, set, objective: ppoClip, params, mode: 'unitMean' };
  return areWritten(units) ? wordBatch(trained, 'step') : onTable(trained);
};

const roverRun: Computation = (units, { roverTau }) => {
  const set = setOf(units, units.logpOld, () => 0);
  const params = { ...defaultsOf(rover.params), tau: roverTau! };
  const trained: Trained = { units, set, objective: rover, params, mode: 'unitMean' };
  const { mark, ...result } = onTable(trained, (batch, stepOf) => fillProbs(trained, batch, stepOf));
  return { ...result, target: mark };
};

/** PPO clip behind the virtual target of DCPO, which revises the credit of the whole batch. */
const dcpo: Computation = (units, { epsLow, epsHigh, dcpoTemperature, dcpoEntropyTarget, dcpoEntropyNow }) => {
  const { inputs } = units;
  const set = setOf(units, units.logpOld, () => 0);
  const params = { ...defaultsOf(ppoClip.params), epsLow: epsLow!, epsHigh: epsHigh! };
  const trained: Trained = { units, set, objective: ppoClip, params, mode: 'unitMean' };
  let advantage: Float64Array = new Float64Array(0);
  let targetRatio: Float64Array = new Float64Array(0);
  let alpha = NaN;
  const result = onTable(trained, (batch, stepOf) => {
    const { plan, arrays, A } = batch;
    fillProbs(trained, batch, stepOf);
    arrays.entropy.fill(dcpoEntropyNow!);
    const revised = (credit: Float32Array, target = dcpoEntropyTarget!): Float32Array => {
      const { actions } = inputs;
      const seen = { batch: batchOf(plan, arrays, 0), probs: arrays.probs, actions };
      virtualTarget.run(credit, seen, { entropy: target / log(actions) });
      return credit;
    };
    const steps = set.real.map((u) => stepOf[u]!);
    // A' grows by 1 − α where A grows by 1: seen best where the least is added
    const shareOf = (target?: number): number => {
      const [zero, one] = [0, 1].map((a) => revised(new Float32Array(A.length).fill(a), target)) as [
        Float32Array,
        Float32Array,
      ];
      const at = steps.reduce((best, k) => (zero[k]! < zero[best]! ? k : best), steps[0]!);
      return 1 - (one[at]! - zero[at]!);
    };
    alpha = shareOf();
    A.set(revised(A.slice()));
    advantage = spread(
      units,
      set.real,
      set.real.map((u) => A[stepOf[u]!]!),
    );
    // what a step of a success is pulled to is seen where all succeed, at the same temperature
    const success = arrays.success.slice();
    arrays.success.fill(1);
    const apart = dcpoTemperature! > 1 ? 0.1 : -0.1;
    const pulled = revised(new Float32Array(A.length), dcpoEntropyNow! + apart);
    const share = shareOf(dcpoEntropyNow! + apart);
    targetRatio = spread(
      units,
      set.real,
      set.real.map((u) => pulled[stepOf[u]!]! / share),
    );
    arrays.success.set(success);
  });
  return { ...result, targetRatio, alpha, advantage };
};

const keys: { readonly [key: string]: Computation } = {
  ...Object.fromEntries(
    Object.entries(objectiveForms).map(([key, form]): [string, Computation] => [key, trainedForm(key, form)]),
  ),
  ...termKeys,
  ...{ stepRatio, rover: roverRun, dcpo, nlpo: nlpoRun, vcpo: vcpoRun, negativeScale: scaleRun },
};

/** The masks of legal actions of a policy hold this many. */
const MOST_ACTIONS = 32;

/**
 * How keys of kind `objective` are computed by what trains on the CPU path: survey, average, coefficient and the way back of a
 * policy whose outputs are the logits of the case. What no run could meet is left out.
 */
export function trainedKeys(units: Units, params: Params): { readonly [key: string]: Computation } {
  if (units.inputs.actions > MOST_ACTIONS) return {};
  const { dcpoTemperature: given, dcpoEntropyNow: H, dcpoEntropyTarget: target } = params;
  const isChosen =
    given === undefined || H === undefined || target === undefined || given === targetTemperature(H, target);
  const left = [...(canWrite(units) ? [] : ['stepRatio']), ...(isChosen ? [] : ['dcpo'])];
  const all = { ...keys, ...comparisonKeys(units) };
  return Object.fromEntries(Object.entries(all).filter(([key]) => !left.includes(key)));
}
