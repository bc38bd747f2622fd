import { estimators } from '../slots/methods.ts';
import type { Estimator } from '../slots/types.ts';

/**
 * How an estimator takes a step apart; undefined where it cannot. Asked for step by step, so the built worker loads this
 * file, and with it the estimators whole, only then.
 */
export const explainerOf = (id: string): Estimator['explain'] => estimators.find((e) => e.id === id)?.explain;
