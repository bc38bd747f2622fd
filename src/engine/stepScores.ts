import type { StepScore } from '../slots/advantage/types.ts';
import type { Plan } from './plan.ts';

/** What of a plan decides how steps are scored; null where no estimator asks. */
export function scoreOf({ estimator, estimatorParams }: Plan): StepScore | null {
  if (!estimator.needs.some((name) => name === 'processScore' || name === 'answerProb')) return null;
  const score = estimator.scores?.(estimatorParams as never);
  if (!score) throw new Error(`${estimator.title} needs a score of each step and does not say which.`);
  return score;
}
