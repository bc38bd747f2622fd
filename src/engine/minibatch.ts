import { groupsOf } from '../core/batch.ts';
import { below, PURPOSE, random } from '../core/random.ts';
import { blockOf } from './groups.ts';
import type { Plan } from './plan.ts';

/** Trajectories of the largest minibatch. */
export function mostInMinibatch(plan: Plan): number {
  const { B, P, G, minibatches, objective } = plan;
  if (!objective.wholeGroups) return Math.ceil(B / minibatches);
  return blockOf(plan) === G ? Math.ceil(P / minibatches) * G : B;
}

/**
 * Trajectories of each minibatch of one epoch: a seeded shuffle cut into `minibatches` parts, each in ascending order.
 * A minibatch is a set of whole trajectories, or of whole task groups where the objective compares their members.
 * With one minibatch there is nothing to shuffle. `taskIndex` [B] is told where groups may be unequal.
 */
export function minibatchesOf(
  plan: Plan,
  s: number,
  update: number,
  epoch: number,
  taskIndex?: Uint32Array,
): Uint32Array[] {
  const { B, P, G, minibatches } = plan;
  const n = plan.objective.wholeGroups ? P : B;
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  if (minibatches === 1) return [Uint32Array.from({ length: B }, (_, i) => i)];
  for (let i = n - 1; i >= 1; i--) {
    const j = below(random(plan.seeds[s]!, PURPOSE.minibatch, update, epoch, i), i + 1);
    const swap = order[i]!;
    order[i] = order[j]!;
    order[j] = swap;
  }
  const groups = plan.objective.wholeGroups ? (taskIndex ? groupsOf({ B, taskIndex }) : evenGroups(P, G)) : null;
  return Array.from({ length: minibatches }, (_, m) => {
    const chosen = order.slice(Math.floor((m * n) / minibatches), Math.floor(((m + 1) * n) / minibatches)).sort();
    return groups ? Uint32Array.from(Array.from(chosen).flatMap((g) => groups[g] ?? [])) : chosen;
  });
}

const evenGroups = (P: number, G: number): number[][] =>
  Array.from({ length: P }, (_, p) => Array.from({ length: G }, (_member, k) => p * G + k));
