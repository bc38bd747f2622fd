import { below, PURPOSE, random } from '../core/random.ts';
import type { Plan } from './plan.ts';

/** Trajectories of the largest minibatch. */
export function mostInMinibatch({ B, P, G, minibatches, objective }: Plan): number {
  return objective.wholeGroups ? Math.ceil(P / minibatches) * G : Math.ceil(B / minibatches);
}

/**
 * Trajectories of each minibatch of one epoch: a seeded shuffle cut into `minibatches` parts, each in ascending order.
 * A minibatch is a set of whole trajectories, or of whole task groups where the objective compares their members.
 * With one minibatch there is nothing to shuffle.
 */
export function minibatchesOf(plan: Plan, s: number, update: number, epoch: number): Uint32Array[] {
  const { B, P, G, minibatches } = plan;
  const each = plan.objective.wholeGroups ? G : 1;
  const n = plan.objective.wholeGroups ? P : B;
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  if (minibatches === 1) return [Uint32Array.from({ length: B }, (_, i) => i)];
  for (let i = n - 1; i >= 1; i--) {
    const j = below(random(plan.seeds[s]!, PURPOSE.minibatch, update, epoch, i), i + 1);
    const swap = order[i]!;
    order[i] = order[j]!;
    order[j] = swap;
  }
  return Array.from({ length: minibatches }, (_, m) => {
    const chosen = order.slice(Math.floor((m * n) / minibatches), Math.floor(((m + 1) * n) / minibatches)).sort();
    return Uint32Array.from(
      { length: chosen.length * each },
      (_, k) => chosen[Math.floor(k / each)]! * each + (k % each),
    );
  });
}
