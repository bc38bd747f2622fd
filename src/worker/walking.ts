import { replicasOf, thetaOf } from '../contract/state.ts';
import type { Run } from '../engine/run.ts';
import { walkUpdate, type Walk } from '../lab/stepThrough.ts';
import type { RunState, WalkAnswer, WalkCheck } from './protocol.ts';
import { LOST, unlessLost } from './troubles.ts';

/** The update of a run that is walked through slot by slot, until the run makes it itself. */
export class Walking {
  private walk: (Walk & { readonly run: Run }) | null = null;

  /** The run has gone elsewhere. */
  forget(): void {
    this.walk = null;
  }

  async begin(run: Run | null, state: RunState, replica: number): Promise<WalkAnswer> {
    if (!run || (state !== 'ready' && state !== 'paused'))
      return {
        ok: false,
        why: 'You can walk through an update while the run waits: pause it, or reset it if it is over.',
      };
    const copy = await unlessLost(run, run.checkpoint());
    if (copy === LOST) return { ok: false, why: 'The graphics device was lost. Press Run or Reset, then try again.' };
    const { plan, state: start } = run.startOf(copy);
    this.walk = { ...(await walkUpdate(plan, start, replica)), run };
    return { ok: true, walk: this.walk.walk };
  }

  /** `step` makes the update in the run. */
  async finish(run: Run | null, step: () => Promise<void>): Promise<WalkCheck | null> {
    const { walk } = this;
    this.walk = null;
    if (!run || walk?.run !== run || walk.walk.snapshot.update !== run.update) return null;
    await step();
    const copy = await unlessLost(run, run.checkpoint());
    if (copy === LOST || copy.state.update !== walk.walk.snapshot.update + 1) return null;
    const theta = thetaOf(replicasOf(copy.state, run.plan.S, walk.replica, 1));
    const largest = theta.reduce((most, x, k) => Math.max(most, Math.abs(x - walk.theta[k]!)), 0);
    return { isSame: theta.every((x, k) => Object.is(x, walk.theta[k])), largest, backend: run.backend.kind };
  }
}
