import type { BatchView } from '../engine/backend.ts';
import { estimatorOf } from '../slots/estimatorOf.ts';
import { bestValues } from './creditBest.ts';
import type { Grounds } from './creditGround.ts';
import { kernelsOf } from './creditKernels.ts';
import type { ExplainRequest, StepAnswer } from './creditTypes.ts';
import { paidTruth } from './paidTruth.ts';
import { stepSignals } from './stepSignals.ts';

/** What only a look at a single step needs; the code comes when someone asks for one. */
export function aroundStep(
  grounds: Grounds,
  view: BatchView,
  { id, params, i, t }: ExplainRequest,
): Pick<StepAnswer, 'kernels' | 'best' | 'signals' | 'paidTruth'> {
  const estimator = estimatorOf(id, params);
  return {
    kernels: estimator ? kernelsOf(estimator, params, grounds.plan.policy.words !== null) : [],
    best: bestValues(grounds, view, i, t),
    paidTruth: paidTruth(grounds, view, i, t),
    signals: stepSignals(grounds.plan, view, i, t),
  };
}
