import type { Batch } from '../../contract/columns.ts';
import type { SignalName } from '../../contract/signals.ts';
import type { AnyValues } from '../../core/settings.ts';

/**
 * Where ψ of a step comes from: A^π of the policy that trains by backward induction, the same estimated by playing `tries`
 * episodes from each state that was visited, or a signal of the world: its value, or how much it rose where states have it.
 * `answers` fills `answerProb` instead: how likely the policy finds the true answer in each state.
 */
export type StepScore =
  | { readonly of: 'exact'; readonly gamma: number }
  | { readonly of: 'simulated'; readonly gamma: number; readonly tries: number }
  | { readonly of: 'signal'; readonly signal: SignalName }
  | { readonly of: 'answers' };

/** How the score of a trajectory adds up its steps: `sum` keeps the theory, `mean` is kinder to ragged lengths. */
export type ScoreForm = 'sum' | 'mean';

/** What a process model learns from one batch: to tell successes from failures. */
export type Preference = {
  /** pairs of a success and a failure of the same task */
  readonly pairs: number;
  /** mean of −log σ(q⁺ − q⁻); 0 without pairs */
  readonly loss: number;
  /** share of the pairs with q⁺ > q⁻ by more than rounding; 0 without pairs */
  readonly accuracy: number;
  /** [B] ∂loss/∂log π_φ at every real step of the trajectory */
  readonly gradPerStep: Float64Array;
};

/** How a process model φ learns. */
export type ProcessSettings = {
  /** factor of log-probability ratios */
  readonly beta: number;
  /** how a trajectory's score adds up its steps */
  readonly score: ScoreForm;
  /** learning rate as a multiple of the policy's, and norm limit of its gradient (0 = none) */
  readonly rate: number;
  readonly clipNorm: number;
};

/**
 * The process model φ of an estimator that needs `logpPhi`: a second network of the policy's kind and size, which scores a
 * batch before the credit is given and takes one step on this loss afterwards.
 */
export type ProcessModel<V = AnyValues> = {
  settings(params: V): ProcessSettings;
  loss(batch: Batch, beta: number, score: ScoreForm): Preference;
};
