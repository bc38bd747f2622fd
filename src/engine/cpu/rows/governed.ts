import { coresOfRun } from '../../../config/coresFor.ts';
import { columnsOfRun, updateColumnsOfRun } from '../../../config/runColumns.ts';
import { bytesOfColumns } from '../../../contract/columns.ts';
import type { TrainState } from '../../../contract/state.ts';
import { sum } from '../../../core/stats.ts';
import { bytesOfKernels } from '../../../networks/kernelFloats.ts';
import { cpuName } from '../../../networks/kernels.ts';
import { sizesOf } from '../../arrays.ts';
import type { BatchView, Live, MakeBackend, UpdateRecord } from '../../backend.ts';
import type { Plan, RolloutMode, Tasks } from '../../plan.ts';
import { CpuBackend, makeCpuBackend } from '../cpuBackend.ts';
import { partsOf, type Parts } from '../parts.ts';
import { plansBeside } from '../sites.ts';
import { LostCore } from './board.ts';
import type { Others } from './crew.ts';
import { always, Governor, type Cores, type Trial } from './governor.ts';
import { RowCore } from './rowCore.ts';
import { rowsOn, type RowCores } from './rows.ts';
import { SENT_BYTES } from './sentRows.ts';

/** What the other cores of a run may take together, besides what all of them share. */
const MOST_BYTES = 128 * 2 ** 20;

/** What a run with a governor is given. */
export type Around = Pick<RowCores, 'least' | 'share'> & {
  /** cores that it may use, its own among them */
  readonly most: number;
  /** these have memories of their own */
  readonly sends?: boolean;
  /** as many others */
  take(n: number): Others;
  /** Nobody needs those that were let go for some time. */
  rest(): void;
  /** Others did not come: the run goes on with one core. */
  alone?(error: unknown): void;
  readonly now: () => number;
  /** Another core was lost in the middle of an update: this run cannot go on, and says nothing more. */
  lost(error: LostCore): void;
  /** A trial of how many cores are the fastest is over. */
  tried?(trial: Trial): void;
  /** uses all of them from the start, measuring nothing */
  readonly isFixed?: boolean;
};

/** The CPU path on as many cores as its own updates show to be the fastest: the bits of one, with any number. */
class GovernedBackend extends CpuBackend {
  private cores: Cores;
  private readonly around: Around;
  private spent = 0;
  /** the other cores: on their way, there, or none */
  private others: 'called' | 'there' | null = null;
  private isLost = false;
  /** resolves when the update that had to wait for answers is over: nobody looks at half of one */
  private whole: Promise<void> = Promise.resolve();
  private end: (() => void) | null = null;

  constructor(plan: Plan, state: TrainState, parts: Parts, { around, cores }: { around: Around; cores: Cores }) {
    super(plan, state, parts);
    this.around = around;
    this.cores = cores;
  }

  override rollout(tasks: Tasks, mode: RolloutMode): void | Promise<void> {
    // evaluations are not in every update, and are not counted in its steps
    return this.timed(() => super.rollout(tasks, mode), mode === 'train');
  }

  override credit(live?: Live): void {
    void this.timed(() => super.credit(live));
  }

  override optimize(update: number, live: Live): void | Promise<void> {
    return this.timed(() => super.optimize(update, live));
  }

  private timed(work: () => void | Promise<void>, counts = true): void | Promise<void> {
    if (this.isLost) return;
    const from = this.around.now();
    const over = (): void => {
      if (counts) this.spent += this.around.now() - from;
    };
    try {
      const waits = work();
      return waits ? this.hold(waits).then(over) : over();
    } catch (error) {
      if (!(error instanceof LostCore)) throw error;
      this.isLost = true;
      this.around.lost(error);
    }
  }

  private async hold(work: Promise<void>): Promise<void> {
    if (!this.end) this.whole = new Promise((resolve) => (this.end = resolve));
    try {
      await work;
    } catch (error) {
      this.letGo();
      throw error;
    }
  }

  private letGo(): void {
    this.end?.();
    this.end = null;
  }

  override async view(replica: number): Promise<BatchView> {
    await this.whole;
    return super.view(replica);
  }

  override async finish(update: number): Promise<UpdateRecord> {
    // an update that could not be completed never ends
    if (this.isLost) return new Promise(() => undefined);
    const record = await super.finish(update);
    this.letGo();
    this.cores.took(this.spent, record.envSteps);
    this.spent = 0;
    this.follow();
    return record;
  }

  /** Between two updates: calls other cores or lets them go, as is wanted. */
  private follow(): void {
    const { cores, rows, around } = this;
    // a run goes on without those that do not come
    if (cores.needed > 1 && !this.others) this.hire().catch((error: unknown) => this.stayAlone(error));
    if (cores.needed === 1 && this.others) {
      rows!.release();
      this.others = null;
      around.rest();
    }
    if (this.others === 'there') rows!.limit = cores.now;
    this.description = cpuName(this.policy.kernels.isFast, cores.found);
  }

  async hire(): Promise<void> {
    this.others = 'called';
    await this.rows!.hire(this.around.take(this.cores.needed - 1));
    this.others = 'there';
    this.cores.arrived();
    this.follow();
  }

  private stayAlone(error: unknown): void {
    this.around.alone?.(error);
    this.cores = always(1);
    this.follow();
  }
}

/** Bytes that another core has for itself: its network, and the batch and what chunks leave where that is sent. */
function bytesOfOther(plan: Plan, sends: boolean): number {
  const { network } = plan.policy;
  const bytes = bytesOfKernels(RowCore.floats(plan, true), network.cpuFloats(plan.policy).scratch);
  if (!sends) return bytes;
  const columns = [
    bytesOfColumns(updateColumnsOfRun(plan), sizesOf(plan)),
    ...[plan, ...plansBeside(plan).values()].map((of) => bytesOfColumns(columnsOfRun(of), sizesOf(of))),
  ];
  return bytes + plan.S * sum(columns) + SENT_BYTES;
}

/** Cores that a run may use, by its work and by the memory that others of them take. */
export const mostFor = (plan: Plan, { most, least, sends = false }: Pick<Around, 'most' | 'least' | 'sends'>): number =>
  Math.min(coresOfRun(plan, most, least), 1 + Math.floor(MOST_BYTES / bytesOfOther(plan, sends)));

/** The CPU path for a run of one seed where it may use other cores. */
export const governed =
  (around: Around): MakeBackend =>
  async (plan, state) => {
    const { least, share, isFixed, tried } = around;
    const most = mostFor(plan, around);
    if (most < 2) return makeCpuBackend(plan, state);
    const parts = await partsOf(plan, rowsOn({ share, least }));
    const cores = isFixed ? always(most) : new Governor(most, tried);
    const backend = new GovernedBackend(plan, state, parts, { around, cores });
    if (!isFixed) return backend;
    try {
      await backend.hire();
      return backend;
    } catch (error) {
      backend.dispose();
      throw error;
    }
  };
