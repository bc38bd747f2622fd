import { log } from '../fmath.ts';

/**
 * KL(p‖q) of one row of probabilities as Σ p log(p/q) + q − p: every term is ≥ 0, so that nothing cancels where both
 * nearly agree. Actions with p = 0 count as illegal; q is held above 1e-30.
 */
export function nearKl(p: ArrayLike<number>, pAt: number, q: ArrayLike<number>, qAt: number, actions: number): number {
  let kl = 0;
  for (let b = 0; b < actions; b++) {
    const pb = p[pAt + b]!;
    const qb = q[qAt + b]!;
    if (pb > 0) kl += pb * (log(pb) - log(Math.max(qb, 1e-30))) + qb - pb;
  }
  return kl;
}

/** Largest |log q − log p| of two such rows, over actions with p > 1e-30; q is held above 1e-30. */
export function mostMoved(
  p: ArrayLike<number>,
  pAt: number,
  q: ArrayLike<number>,
  qAt: number,
  actions: number,
): number {
  let most = 0;
  for (let b = 0; b < actions; b++) {
    const pb = p[pAt + b]!;
    if (pb > 1e-30) most = Math.max(most, Math.abs(log(Math.max(q[qAt + b]!, 1e-30)) - log(pb)));
  }
  return most;
}
