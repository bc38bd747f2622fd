import type { Powers } from '../../slots/types.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { askAbout, type Asking } from './asking.ts';
import type { CpuPolicy } from './policy.ts';

/** Writes Σ p² and Σ p³ of a row of probabilities to place k. */
export function sumPowers(
  p: ArrayLike<number>,
  at: number,
  count: number,
  { squares, cubes }: Powers,
  k: number,
): void {
  let two = 0;
  let three = 0;
  for (let b = at; b < at + count; b++) {
    const x = p[b]!;
    two += x * x;
    three += x * x * x;
  }
  squares[k] = two;
  cubes[k] = three;
}

/** Σπ² and Σπ³ of every step of these trajectories with the present parameters, [B, T]; 0 elsewhere. */
export function powersOf(
  plan: Plan,
  policy: CpuPolicy,
  { arrays, theta, s }: { readonly arrays: Arrays; readonly theta: Float32Array; readonly s: number },
  trajectories: Uint32Array,
): Powers {
  const step = new Int32Array(policy.chunk);
  const p = new Float32Array(policy.chunk * plan.actions);
  const [squares, cubes] = [new Float64Array(plan.B * plan.T), new Float64Array(plan.B * plan.T)];
  const first = s * plan.B * plan.T;
  const sum = (asking: Asking): void => {
    policy.stepProbs(asking, p);
    for (let k = 0; k < asking.n; k++)
      sumPowers(p, k * plan.actions, plan.actions, { squares, cubes }, step[k]! - first);
  };
  askAbout(plan, { arrays, theta, s, step }, sum, trajectories);
  return { squares, cubes };
}
