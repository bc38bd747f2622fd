import { part } from '../../contract/columns.ts';
import type { VersionClock } from '../../slots/rollout/types.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';

/** Tells the clock of a rule of versions how long the episodes of every update were. */
export class Ticking {
  private readonly plan: Plan;
  private readonly clock: VersionClock;
  /** [S, size] */
  private readonly state: Float64Array;

  constructor(plan: Plan, clock: VersionClock, state: Float64Array) {
    this.plan = plan;
    this.clock = clock;
    this.state = state;
  }

  begin(update: number): void {
    const { plan, clock, state } = this;
    for (let s = 0; s < plan.S; s++) clock.begin(plan.seeds[s]!, update, part(state, plan.S, s));
  }

  /** The batch of a replica has been played. */
  settle({ length, taskIndex }: Pick<Arrays, 'length' | 'taskIndex'>, s: number, update: number): void {
    const { plan, clock, state } = this;
    const { S, P, B, T } = plan;
    const longest = new Float64Array(P);
    for (let row = s * B; row < (s + 1) * B; row++) {
      const task = taskIndex[row]!;
      longest[task] = Math.max(longest[task]!, length[row]! / T);
    }
    clock.settle(plan.seeds[s]!, update, longest, part(state, S, s));
  }
}
