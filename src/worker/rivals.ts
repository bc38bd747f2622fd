import type { Checkpoint, Run } from '../engine/run.ts';
import type { Contest, Trial } from './contest.ts';
import type { Devices } from './devices.ts';
import type { Order } from './order.ts';

/** What a host lends: its run while it waits untrained, and how to say that something has changed. */
type Around = {
  readonly devices: Devices;
  readonly order: Order;
  readonly trial: Trial | null | undefined;
  /** true where this run waits, and no other work is measured */
  readonly isIdle: (run: Run) => Promise<boolean>;
  readonly changed: () => void;
};

/** Under `auto` the CPU path trains while a device is prepared; then both are measured, and the faster one goes on. */
export class Rivals {
  private readonly around: Around;
  private contest: Contest | null = null;
  /** counts runs: what was prepared for an older one is freed */
  private turn = 0;

  constructor(around: Around) {
    this.around = around;
  }

  /** True where the next stop between two updates decides: after the first one, which nobody has to wait longer for. */
  isDue(run: Run): boolean {
    return this.contest !== null && !run.isFresh;
  }

  /** Another run is here, at this state; or none. */
  begin(run: Run | null, from: Checkpoint | null): void {
    const turn = ++this.turn;
    this.end();
    if (run && from && this.around.devices.isTrying) void this.prepare(run, from, turn);
  }

  private end(): void {
    this.contest?.leave();
    this.contest = null;
  }

  /** Compiles beside the run, and decides at once where that waits. */
  private async prepare(run: Run, from: Checkpoint, turn: number): Promise<void> {
    const { devices, order, isIdle, changed } = this.around;
    const { Contest, failed, trialHere } = await import('./contest.ts');
    const trial = this.around.trial ?? trialHere();
    try {
      const { plan, state } = run.startOf(from);
      const rival = await devices.makeRival(plan, state);
      if (turn !== this.turn) return rival.dispose();
      this.contest = new Contest(rival, trial, devices.cores);
    } catch (error) {
      if (turn === this.turn) devices.choose({ choice: failed(error), winner: 'cpu' });
      return changed();
    }
    await order.alone(async () => {
      const isUndisturbed = order.undisturbed();
      const isStill = (): boolean => turn === this.turn && run.isFresh && isUndisturbed();
      if (isStill() && (await isIdle(run))) await this.decide(run, from, isStill);
    });
  }

  /** Between two updates; nothing where nothing is ready. `isWanted`: nobody waits for something else. */
  async decide(run: Run, from: Checkpoint, isWanted: () => boolean): Promise<void> {
    const { contest } = this;
    const { devices, changed } = this.around;
    if (!contest) return;
    const verdict = await contest.decide(run, from, devices.makeSomewhere, isWanted);
    if (!verdict) return;
    devices.choose(verdict, from.state.update);
    this.end();
    changed();
  }
}
