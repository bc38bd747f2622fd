import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { emptyTally, type CpuPolicy, type Learning } from './policy.ts';

/** Steps and weights of one chunk, made once. */
export class Chunk {
  readonly step: Int32Array;
  readonly weight: Float64Array;
  constructor(size: number) {
    this.step = new Int32Array(size);
    this.weight = new Float64Array(size);
  }
}

/** A batch at fixed weights: who trains, and of any of them the number of units and the gradient of their own loss. */
export type Still = {
  readonly trajectories: Uint32Array;
  unitsOf(members: Iterable<number>): number;
  /** the same array every time */
  gradientOf(members: Uint32Array): Float32Array;
};

/** Units of trajectories of replica s: words that were decided, or steps where the ratio is one of steps. */
export function unitsOf(
  plan: Plan,
  policy: CpuPolicy,
  arrays: Arrays,
  s: number,
  trajectories: Iterable<number>,
): number {
  let units = 0;
  for (const i of trajectories) {
    const row = s * plan.B + i;
    units += plan.ratioLevel !== 'unit' ? arrays.length[row]! : policy.unitsOf(arrays, row);
  }
  return units;
}

/**
 * Aggregation weight of every unit of trajectory i in a minibatch (spec objective §0):
 * unitMean 1/Σn, seqMeanUnitMean 1/(B⁺ n_i), seqMeanUnitSum 1/B⁺, constant 1/(B·L).
 */
function weightOf(plan: Plan, n: number, units: number, trajectories: number, unitsMax: number): number {
  switch (plan.aggregate) {
    case 'unitMean':
      return 1 / units;
    case 'seqMeanUnitMean':
      return 1 / (trajectories * n);
    case 'seqMeanUnitSum':
      return 1 / trajectories;
    case 'constant':
      return 1 / (trajectories * plan.T * unitsMax);
  }
}

/**
 * Walks over the real steps of the given trajectories of one replica in chunks. With the ratio per step, or one decision
 * a step, units are steps; with the ratio per word they are the words that were decided. Demonstrations count in the sums
 * of the losses only: what else is measured is about the policy.
 */
export function accumulate(
  plan: Plan,
  policy: CpuPolicy,
  chunk: Chunk,
  trajectories: Uint32Array,
  learning: Learning,
): void {
  const { B, T } = plan;
  const { arrays, s } = learning;
  const unitsMax = plan.ratioLevel !== 'unit' ? 1 : policy.unitsMax;
  const units = unitsOf(plan, policy, arrays, s, trajectories);
  const shown = { ...learning, tally: emptyTally() };
  let isDemo = false;
  let n = 0;
  const flush = (): void => {
    if (n > 0) policy.learn(isDemo ? shown : learning, chunk.step, chunk.weight, n);
    n = 0;
  };
  for (const i of trajectories) {
    const row = s * B + i;
    if ((arrays.demo[row] === 1) !== isDemo) {
      flush();
      isDemo = !isDemo;
    }
    const weight = weightOf(plan, unitsOf(plan, policy, arrays, s, [i]), units, trajectories.length, unitsMax);
    for (let t = 0; t < arrays.length[row]!; t++) {
      chunk.step[n] = row * T + t;
      chunk.weight[n] = weight;
      if (++n === policy.chunk) flush();
    }
  }
  flush();
  learning.tally.policyLoss += shown.tally.policyLoss;
  learning.tally.valueLoss += shown.tally.valueLoss;
}
