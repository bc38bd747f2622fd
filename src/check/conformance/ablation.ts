import { iqm, mean } from '../../core/stats.ts';
import {
  areaUnderCurve,
  holm,
  labelPermutationP,
  medianOfCells,
  medianOfTasks,
  optimalityGap,
  pairedDifference,
  performanceProfile,
  signFlipP,
} from '../../lab/analysis/ablation.ts';
import { interval95, probabilityOfImprovement, resampled, type Scores } from '../../core/seeds.ts';
import type { Got } from './check.ts';

type List = readonly number[];

/** Scores [seeds, tasks] of two methods, resampling indices [reps, seeds, tasks], a learning curve and p-values. */
export type AblationInputs = {
  readonly seeds: number;
  readonly tasks: number;
  readonly x: List;
  readonly y: List;
  readonly bootIndex: List;
  readonly taus: List;
  readonly curveSteps: List;
  readonly curveValue: List;
  readonly limit: number;
  readonly pValues: List;
};

/** The statistics that compare runs. */
export function ablation(inputs: AblationInputs): Got {
  const { seeds, tasks } = inputs;
  const byTask = (flat: List): Scores =>
    Array.from({ length: tasks }, (_, k) => Array.from({ length: seeds }, (__, j) => flat[j * tasks + k]!));
  const [X, Y] = [byTask(inputs.x), byTask(inputs.y)];
  const bootIqm = resampled(X, inputs.bootIndex);
  const paired = pairedDifference(X, Y);
  return {
    iqmX: iqm(inputs.x),
    iqmY: iqm(inputs.y),
    meanX: mean(inputs.x),
    medianX: medianOfTasks(X),
    medianAllX: medianOfCells(X),
    optimalityGapX: optimalityGap(X),
    probImproveXY: probabilityOfImprovement(X, Y),
    bootIqm,
    ci95: interval95(bootIqm),
    signFlipP: signFlipP(X, Y),
    labelP: labelPermutationP(X, Y),
    holm: holm(inputs.pValues),
    profileX: performanceProfile(X, inputs.taus),
    paired: { mean: paired.mean, perTask: [...paired.perTask], se: paired.se },
    auc: areaUnderCurve(inputs.curveSteps, inputs.curveValue, inputs.limit),
  };
}
