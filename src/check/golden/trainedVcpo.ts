import { log } from '../../core/fmath.ts';
import { defaultsOf } from '../../core/settings.ts';
import { std } from '../../core/stats.ts';
import { effectiveSampleSize, essClipped } from '../../core/math/ess.ts';
import { setOf } from '../conformance/judge.ts';
import type { Computation } from '../conformance/units.ts';
import { spansOf, sumsOf } from '../../slots/objective/episodes.ts';
import { truncatedWeight, vcpo } from '../../slots/objective/vcpo.ts';
import type { Objective, UnitSet } from '../../slots/types.ts';
import { learnCase, tableBatch, type Trained } from './trainedCase.ts';

/** The key `vcpo` of tabular cases: what one step of training weighs, compares with, shortens and goes along. */
export const vcpoRun: Computation = (units, { seqCap, baseEss }) => {
  const { inputs } = units;
  const { B, P, G, L, actions, outcome, states, stateIndex } = inputs;
  const logCap = log(seqCap!);
  const logWeight = new Float64Array(B);
  const scoreNormSq = new Float64Array(B);
  let weights: Float64Array = logWeight;
  const watched: Objective['survey'] = (set: UnitSet, params, mark) => {
    const spans = spansOf(set.trajectory);
    weights = sumsOf(set.delta, spans);
    const norms = set.scoreNorms(spans.ids);
    spans.ids.forEach((i, k) => {
      logWeight[i] = weights[k]!;
      scoreNormSq[i] = norms[k]!;
    });
    return vcpo.survey!(set, params as never, mark);
  };
  const form = (which: 'paper' | 'code', rule: 'sqrt' | 'linear') => {
    const trained: Trained = {
      ...{ units, set: setOf(units, units.logpOld, () => 0), mode: 'seqMeanUnitMean' },
      objective: { ...(vcpo as Objective), survey: watched },
      params: { ...defaultsOf(vcpo.params), form: which, rule, cap: seqCap!, baseEss: baseEss! },
    };
    const batch = tableBatch(trained, states!, (u) => stateIndex![u]!);
    const { gradient, mark, asked } = learnCase(batch, null, B * L);
    // the mark is w̃(R − b)/σ, so that each trajectory tells b
    const baseline = Array.from({ length: P }, (_, g) => {
      const members = Array.from({ length: G }, (_k, k) => g * G + k).filter((i) => batch.arrays.length[i]! > 0);
      const R = members.map((i) => outcome[i]!);
      const spread = std(R, true);
      const tells = members.reduce((best, i) => (logWeight[i]! > logWeight[best]! ? i : best), members[0] ?? 0);
      const credit = mark![tells * L]! / truncatedWeight(logWeight[tells]!, logCap);
      return outcome[tells]! - credit * (spread > 1e-8 ? spread : 1);
    });
    // downhill for the loss is uphill for the return
    const gradTable = Float64Array.from({ length: states! * actions }, (_, k) => -gradient[k]!);
    const gradNorm = Math.sqrt(gradTable.reduce((total, x) => total + x * x, 0));
    return { result: { baseline, gradTable, gradNorm }, stepScale: asked.stepScale! };
  };
  const paper = form('paper', 'sqrt');
  const code = form('code', 'linear');
  const ess = effectiveSampleSize(weights);
  return {
    ...{ logWeight, scoreNormSq, ess },
    essRatio: ess / weights.length,
    essRatioClipped: essClipped(weights, logCap),
    lrScaleSqrt: paper.stepScale,
    lrScaleLinear: code.stepScale,
    paper: paper.result,
    code: code.result,
  };
};
