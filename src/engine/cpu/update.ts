import { isMeasured } from '../../contract/rows.ts';
import { unitWeight } from '../../core/aggregate.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { Waiting } from '../waiting.ts';
import type { Asking } from './asking.ts';
import type { Play } from './lockstep.ts';
import { emptyTally, type CpuPolicy, type Learning, type Tally } from './policy.ts';

/**
 * Does with the bits of one core what `accumulate` does, asks for log π as a survey does, or plays rows that stand where they begin
 * (see `playPlaced`); false or undefined: it leaves it to this one.
 */
export type Spread = {
  play(play: Play, first: number, begins: readonly number[]): Waiting<boolean | undefined>;
  accumulate(chunk: Chunk, trajectories: Uint32Array, learning: Learning): Waiting<boolean>;
  ask(about: Omit<Asking, 'n'>, trajectories: Uint32Array): Waiting<boolean>;
};

/** Steps and weights of one chunk, made once. */
export class Chunk {
  readonly step: Int32Array;
  readonly weight: Float64Array;
  constructor(size: number) {
    this.step = new Int32Array(size);
    this.weight = new Float64Array(size);
  }
}

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
  const { gradient } = learning;
  const apart = gradient && !policy.first ? policy.ofChunk : null;
  const measured = apart ? { ...learning, gradient: apart } : learning;
  const others = { ...measured, tally: emptyTally() };
  for (const { n, counts } of walk(plan, policy, chunk, { trajectories, learning })) {
    apart?.fill(0);
    policy.learn(counts ? measured : others, chunk.step, chunk.weight, n);
    if (apart) for (let p = 0; p < apart.length; p++) gradient![p]! += apart[p]!;
  }
  addUnmeasured(learning.tally, others.tally);
}

/** Of what is not measured only the losses count. */
export function addUnmeasured(tally: Tally, others: Tally): void {
  tally.policyLoss += others.policyLoss;
  tally.valueLoss += others.valueLoss;
}

/** A chunk is full, or its last steps are in it; `counts`: they are measured. */
type Full = { readonly n: number; readonly counts: boolean };

/** Fills the chunk with the real steps of these trajectories, in order, and stops whenever it is full. */
export function* walk(
  plan: Plan,
  policy: CpuPolicy,
  chunk: Chunk,
  { trajectories, learning }: { readonly trajectories: Uint32Array; readonly learning: Learning },
): Generator<Full, void> {
  const { B, T } = plan;
  const { arrays, s } = learning;
  const unitsMax = plan.ratioLevel !== 'unit' ? 1 : policy.unitsMax;
  const units = unitsOf(plan, policy, arrays, s, trajectories);
  const slots = (learning.rows ?? trajectories.length) * T * unitsMax;
  let counts = true;
  let n = 0;
  for (const i of trajectories) {
    const row = s * B + i;
    if (isMeasured(arrays, row) !== counts) {
      if (n > 0) yield { n, counts };
      n = 0;
      counts = !counts;
    }
    const own = unitsOf(plan, policy, arrays, s, [i]);
    const weight = unitWeight(plan.aggregate, own, units, trajectories.length, slots);
    for (let t = 0; t < arrays.length[row]!; t++) {
      chunk.step[n] = row * T + t;
      chunk.weight[n] = weight;
      if (++n < policy.chunk) continue;
      yield { n, counts };
      n = 0;
    }
  }
  if (n > 0) yield { n, counts };
}
