import type { ProcessModel, ProcessSettings } from '../slots/advantage/types.ts';
import type { Plan } from './plan.ts';

/** The process model φ of a run: how it learns, and the loss it learns from. */
export type Process = { readonly settings: ProcessSettings; readonly loss: ProcessModel['loss'] };

/** φ as the estimator has it, where that reads its log-probabilities; else null and no such network exists. */
export function processOf({ estimator, estimatorParams }: Plan): Process | null {
  if (!estimator.needs.includes('logpPhi')) return null;
  const { process } = estimator;
  if (!process) throw new Error(`${estimator.title} needs a process model and does not say how it learns.`);
  return { settings: process.settings(estimatorParams as never), loss: process.loss };
}
