import { cosTurn } from '../fmath.ts';

export type Schedule = 'constant' | 'linear' | 'cosine';

/**
 * Learning rate of update u = 0 … n − 1 of a run of n updates.
 *
 *   constant η     linear η(1 − u/n)     cosine η(1 + cos(πu/n))/2
 *
 * Both falling forms start at η and would reach 0 at u = n.
 */
export function learningRateAt(schedule: Schedule, learningRate: number, update: number, updates: number): number {
  const done = Math.min(1, Math.max(0, update / updates));
  switch (schedule) {
    case 'constant':
      return learningRate;
    case 'linear':
      return learningRate * (1 - done);
    case 'cosine':
      return learningRate * 0.5 * (1 + cosTurn(done / 2));
  }
}
