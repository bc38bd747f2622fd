import type { ScoreForm } from '../slots/advantage/oprl/preference.ts';
import type { Plan } from './plan.ts';

/** How the process model φ of a run learns: a second network of the policy's kind and size. */
export type ProcessSettings = {
  /** factor of log-probability ratios */
  readonly beta: number;
  /** how a trajectory's score adds up its steps */
  readonly score: ScoreForm;
  /** learning rate as a multiple of the policy's, and norm limit of its gradient (0 = none) */
  readonly rate: number;
  readonly clipNorm: number;
};

/** The settings of φ, where the estimator reads its log-probabilities; else null and no such network exists. */
export function processSettings(plan: Plan): ProcessSettings | null {
  if (!plan.estimator.needs.includes('logpPhi')) return null;
  const { beta, score, rate, clip } = plan.estimatorParams as Readonly<Record<string, number | string>>;
  return { beta: beta as number, score: score as ScoreForm, rate: rate as number, clipNorm: clip as number };
}
