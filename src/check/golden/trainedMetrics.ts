import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { deltaQuantiles } from '../../slots/metrics/ratio.ts';
import type { Got } from '../conformance/check.ts';
import { setOf } from '../conformance/judge.ts';
import type { MetricInputs } from '../conformance/metrics.ts';
import { unitsOf } from '../conformance/units.ts';
import { ppoClip } from '../../slots/objective/ppoClip.ts';
import { batchOf } from '../../engine/arrays.ts';
import { recordUpdate } from '../../engine/cpu/record.ts';
import { learnCase, tableBatch } from './trainedCase.ts';

/** Log-ratios as an update of PPO clip meets and records them: an episode of one step for each. */
function ratio({ logRatio, advantage, epsLow, epsHigh, dualC, quantiles }: MetricInputs['ratio']): Got {
  const B = logRatio.length;
  const each = (x: number): number[] => Array<number>(B).fill(x);
  const both = Array<number>(2 * B).fill(0);
  const units = unitsOf({
    ...{ P: 1, G: B, B, L: 1, actions: 2, mask: each(1), step: each(0), action: each(0), advantage },
    ...{ legal: both.map(() => 1), logits: both, logitsOld: both, logitsProx: both, logitsMu: both, logitsRef: both },
    ...{ success: each(0), outcome: each(0), demo: each(0), clipCovPick: each(0), pairs: [] },
  });
  const batch = tableBatch({
    units,
    // how far the policy has moved is given
    set: { ...setOf(units, units.logpOld, () => 0), delta: Float64Array.from(logRatio) },
    objective: ppoClip,
    params: { epsLow, epsHigh, dual: true, dualC },
    mode: 'unitMean',
  });
  const { plan, arrays, A } = batch;
  const { tally, delta } = learnCase(batch, null, B);
  const metrics = new Float64Array(METRICS);
  const done = { learned: tally, end: tally, compares: false, gradNorm: 0, optimizerSteps: 1 };
  recordUpdate(plan, batchOf(plan, arrays, 0), { s: 0, delta, A, unitsAt: () => 1 }, done, metrics);
  const of = (id: MetricId): number => metrics[metricIndex[id]]!;
  return {
    quantile: deltaQuantiles(logRatio, quantiles),
    ...{ clipHigh: of('clipHigh'), clipLow: of('clipLow'), clipDual: of('clipDual'), outside: of('clipOutside') },
    ...{ k1: of('k1'), k2: of('k2'), k3: of('approxKL') },
  };
}

/** Sections of kind `metrics` that are checked by what an update records. */
export const trainedMetrics: { readonly [section: string]: (inputs: MetricInputs) => Got } = {
  ratio: (inputs) => ratio(inputs.ratio),
};
