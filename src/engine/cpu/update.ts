import { isMeasured } from '../../contract/rows.ts';
import { unitWeight } from '../../core/aggregate.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { Asking } from './asking.ts';
import { emptyTally, type CpuPolicy, type Learning, type Tally } from './policy.ts';

/** Does with the bits of one core what `accumulate` does, or asks for log π as a survey does; false: it leaves it to this one. */
export type Spread = {
  accumulate(chunk: Chunk, trajectories: Uint32Array, learning: Learning): boolean;
  ask(about: Omit<Asking, 'n'>, trajectories: Uint32Array): boolean;
};

/** Steps and weights of one chunk, made once; `spread`: other cores that may take part of its work. */
export class Chunk {
  readonly step: Int32Array;
  readonly weight: Float64Array;
  readonly spread: Spread | null;
  constructor(size: number, spread: Spread | null = null) {
    this.spread = spread;
    this.step = new Int32Array(size);
    this.weight = new Float64Array(size);
  }
}

/** A batch at fixed weights: who trains, and of any of them the number of units and the gradient of their own loss. */
export type Still = {
  readonly trajectories: Uint32Array;
  /** share of them in the trajectories that a constant average is taken over */
  readonly share: number;
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
 * Walks over the real steps of the given trajectories of one replica in chunks. With the ratio per step, or one decision
 * a step, units are steps; with the ratio per word they are the words that were decided. Rows that are not measured count in
 * the sums of the losses only: what else is told is about the policy.
 */
export function accumulate(
  plan: Plan,
  policy: CpuPolicy,
  chunk: Chunk,
  trajectories: Uint32Array,
  learning: Learning,
): void {
  if (chunk.spread?.accumulate(chunk, trajectories, learning)) return;
  const { gradient } = learning;
  const apart = gradient && !policy.first ? policy.ofChunk : null;
  const measured = apart ? { ...learning, gradient: apart } : learning;
  const others = { ...measured, tally: emptyTally() };
  walk(plan, policy, chunk, { trajectories, learning }, (n, counts) => {
    apart?.fill(0);
    policy.learn(counts ? measured : others, chunk.step, chunk.weight, n);
    if (apart) for (let p = 0; p < apart.length; p++) gradient![p]! += apart[p]!;
  });
  addUnmeasured(learning.tally, others.tally);
}

/** Of what is not measured only the losses count. */
export function addUnmeasured(tally: Tally, others: Tally): void {
  tally.policyLoss += others.policyLoss;
  tally.valueLoss += others.valueLoss;
}

/** Fills the chunk with the real steps of these trajectories, in order, and hands over every full one; `counts`: they are measured. */
export function walk(
  plan: Plan,
  policy: CpuPolicy,
  chunk: Chunk,
  { trajectories, learning }: { readonly trajectories: Uint32Array; readonly learning: Learning },
  full: (n: number, counts: boolean) => void,
): void {
  const { B, T } = plan;
  const { arrays, s } = learning;
  const unitsMax = plan.ratioLevel !== 'unit' ? 1 : policy.unitsMax;
  const units = unitsOf(plan, policy, arrays, s, trajectories);
  const slots = (learning.rows ?? trajectories.length) * T * unitsMax;
  let counts = true;
  let n = 0;
  const flush = (): void => {
    if (n > 0) full(n, counts);
    n = 0;
  };
  for (const i of trajectories) {
    const row = s * B + i;
    if (isMeasured(arrays, row) !== counts) {
      flush();
      counts = !counts;
    }
    const own = unitsOf(plan, policy, arrays, s, [i]);
    const weight = unitWeight(plan.aggregate, own, units, trajectories.length, slots);
    for (let t = 0; t < arrays.length[row]!; t++) {
      chunk.step[n] = row * T + t;
      chunk.weight[n] = weight;
      if (++n === policy.chunk) flush();
    }
  }
  flush();
}
