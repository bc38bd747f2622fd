import { EPSILON, SPREAD } from '../stats.ts';

/** How many returns there were so far, their mean, and the sum of squared distances to it. */
export type Running = { n: number; mean: number; squares: number };

/** Adds returns to those of a run: mean and squares of two sets put together (Chan et al.). */
export function withReturns({ n, mean: before, squares }: Running, returns: ArrayLike<number>): Running {
  let sum = 0;
  for (let i = 0; i < returns.length; i++) sum += returns[i]!;
  const own = sum / returns.length;
  let ownSquares = 0;
  for (let i = 0; i < returns.length; i++) ownSquares += (returns[i]! - own) * (returns[i]! - own);
  const all = n + returns.length;
  const moved = own - before;
  const mean = before + (moved * returns.length) / all;
  return { n: all, mean, squares: squares + ownSquares + (moved * moved * n * returns.length) / all };
}

/** Spread over n − 1 of the returns so far; 0 of a single one. */
export const spreadOf = ({ n, squares }: Running): number => (n > 1 ? Math.sqrt(squares / (n - 1)) : 0);

/** A return in the units of the run: clamp((R − μ)/(σ + 1e-6), ±clip); 0 while all were equal; no clip with 0. */
export function inUnits(R: number, running: Running, clip: number): number {
  const std = spreadOf(running);
  const isFlat = std <= SPREAD * Math.max(1, Math.abs(running.mean));
  const x = isFlat ? 0 : (R - running.mean) / (std + EPSILON);
  return clip > 0 ? Math.max(-clip, Math.min(clip, x)) : x;
}
