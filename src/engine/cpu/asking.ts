import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';

/** What weights are asked about: steps of replica s that somebody played, flat indices step[0 … n). */
export type Asking = {
  readonly arrays: Arrays;
  readonly theta: Float32Array;
  readonly s: number;
  readonly step: Int32Array;
  readonly n: number;
};

/** Every real step of these trajectories of the replica (all, if not said), as many at once as `step` holds. */
export function* askings(
  plan: Plan,
  about: Omit<Asking, 'n'>,
  trajectories: Iterable<number> = Array(plan.B).keys(),
): Generator<Asking, void> {
  const { arrays, s, step } = about;
  let n = 0;
  for (const i of trajectories) {
    const row = s * plan.B + i;
    for (let t = 0; t < arrays.length[row]!; t++) {
      step[n] = row * plan.T + t;
      if (++n < step.length) continue;
      yield { ...about, n };
      n = 0;
    }
  }
  if (n > 0) yield { ...about, n };
}

/** Asks about all of them. */
export function askAbout(
  plan: Plan,
  about: Omit<Asking, 'n'>,
  ask: (asking: Asking) => void,
  trajectories?: Iterable<number>,
): void {
  for (const asking of askings(plan, about, trajectories)) ask(asking);
}
