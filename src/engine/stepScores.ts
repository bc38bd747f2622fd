import { signalNames } from '../contract/signals.ts';
import type { StepScore } from '../slots/advantage/types.ts';
import type { Plan } from './plan.ts';

/** What of a plan decides how steps are scored; null where no estimator asks. */
export function scoreOf({ estimator, estimatorParams }: Plan): StepScore | null {
  if (!estimator.needs.some((name) => name === 'processScore' || name === 'answerProb')) return null;
  const score = estimator.scores?.(estimatorParams as never);
  if (!score) throw new Error(`${estimator.title} needs a score of each step and does not say which.`);
  return score;
}

const readsSignals = ({ estimator }: Plan): boolean => signalNames.some((name) => estimator.needs.includes(name));

/** True where credit on a device reads signals of the world, which the device makes. */
export const readsSignalsOnDevice = (plan: Plan): boolean => plan.estimator.gpu !== undefined && readsSignals(plan);

/** True where the estimator reads what a device does not make for it: scores of steps, or signals where it runs on the CPU. */
export const readsMadeOnHost = (plan: Plan): boolean =>
  (scoreOf(plan) !== null && !answersOnDevice(plan)) || (readsSignals(plan) && !readsSignalsOnDevice(plan));

/** True where the device tells what the policy would answer: it does where it makes the credit of that. */
export const answersOnDevice = (plan: Plan): boolean =>
  plan.estimator.gpu !== undefined && scoreOf(plan)?.of === 'answers';
