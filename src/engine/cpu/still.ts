import { part } from '../../contract/columns.ts';
import { keptRows } from './batches.ts';
import { CpuBackend, type At } from './cpuBackend.ts';
import { emptyTally } from './policy.ts';
import { accumulate, unitsOf } from './update.ts';

/** A batch at fixed weights: who trains, and of any of them the number of units and the gradient of their own loss. */
export type Still = {
  readonly trajectories: Uint32Array;
  /** share of them in the trajectories that a constant average is taken over */
  readonly share: number;
  unitsOf(members: Iterable<number>): number;
  /** the same array every time */
  gradientOf(members: Uint32Array): Float32Array;
};

/** The CPU path on one core, for whoever looks at one batch. */
export class StillBackend extends CpuBackend {
  /** The batch at hand as its first optimizer step meets it, at weights that stay as they are. */
  still(at: At): Still {
    const { plan, arrays, playing, policy } = this;
    const { s, update } = at;
    const { gradient } = this.weights;
    const keep = keptRows(this.credits[s]!.keep, part(arrays.trains, plan.S, s));
    const trajectories = Uint32Array.from({ length: plan.B }, (_, i) => i).filter((i) => !keep || keep[i] === 1);
    const prox = playing.startOf(arrays, s, update, this.put)?.prox ?? null;
    const credited = { arrays, theta: playing.seen, A: this.A };
    this.survey?.run(credited, trajectories, prox, { s, update, pass: 0 });
    return {
      trajectories,
      share: plan.countsMasked ? trajectories.length / plan.B : 1,
      unitsOf: (members) => unitsOf(plan, policy, arrays, s, members),
      gradientOf: (members) => {
        const learning = this.learning(at, emptyTally(), gradient.fill(0));
        accumulate(plan, policy, this.chunk, members, learning);
        return gradient;
      },
    };
  }
}
