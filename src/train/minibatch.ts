import { below, PURPOSE, random } from '../core/random.ts';
import type { Plan } from './plan.ts';

/**
 * Trajectories of each minibatch of one epoch: a seeded shuffle cut into `minibatches` parts, each in ascending order.
 * A minibatch is a set of whole trajectories. With one minibatch there is nothing to shuffle.
 */
export function minibatchesOf(plan: Plan, s: number, update: number, epoch: number): Uint32Array[] {
  const { B, minibatches } = plan;
  const order = Uint32Array.from({ length: B }, (_, i) => i);
  if (minibatches === 1) return [order];
  for (let i = B - 1; i >= 1; i--) {
    const j = below(random(plan.seeds[s]!, PURPOSE.minibatch, update, epoch, i), i + 1);
    const swap = order[i]!;
    order[i] = order[j]!;
    order[j] = swap;
  }
  return Array.from({ length: minibatches }, (_, m) =>
    order.slice(Math.floor((m * B) / minibatches), Math.floor(((m + 1) * B) / minibatches)).sort(),
  );
}
