import type { RunRecord } from '../../lab/runs/record.ts';
import { isLeft, type KeptSweep } from '../../lab/runs/sweep.ts';
import type { SweepRuns } from '../../lab/runs/ofSweep.ts';
import { onCpu } from '../../lab/runs/ofSweep.ts';
import type { CellTrainer, Tell } from './cellTrainer.ts';
import type { CellEnd, KeepRuns } from './ends.ts';
import { groupFirst, runFirst, type Order } from './order.ts';
import { statusOf, stillToTrain, togetherOf, type SweepStatus } from './status.ts';

/** A trainer that can be ended for good; another one takes its place. */
export type Lane = CellTrainer & { readonly end: () => void };

export type Around = {
  readonly startLane: (backend: RunRecord['backend']) => Lane;
  /** how many runs train at the same time on the CPU path */
  readonly lanes: number;
  readonly keepSweep: (sweep: KeptSweep) => Promise<void>;
  readonly keepRuns: KeepRuns;
  readonly changed: (status: SweepStatus) => void;
};

type Work = { share: number; seconds: number };

const THE_WAY_OUT =
  'What has finished is kept. “Continue” trains on where the others were, on the graphics device; “Finish on the CPU” trains them from their beginning.';

/** Trains the runs of a sweep that are not finished, keeps each at once, and can be told to do otherwise at any time. */
export class Sweeping {
  private kept: KeptSweep;
  private readonly runs: Map<string, RunRecord>;
  private readonly around: Around;
  private readonly working = new Map<string, Work>();
  private readonly busy = new Set<Lane>();
  /** no run of a comparison trains in two places, but a record could say so */
  private readonly free: Record<RunRecord['backend'], Lane[]> = { cpu: [], webgpu: [], both: [] };
  private problem: string | null = null;
  /** counts what ended all work at hand: what an older round brings is not taken in */
  private round = 0;

  constructor({ kept, runs }: SweepRuns, around: Around) {
    this.runs = new Map(runs.map((run) => [run.id, run]));
    this.around = around;
    this.kept = { ...kept, order: stillToTrain({ kept, runs }) };
  }

  /** Goes on where it stands. */
  async resume(): Promise<void> {
    this.problem = null;
    await this.become(this.isOver() ? 'finished' : 'running');
    await this.set();
  }

  /** Runs at work wait between two updates; nothing is lost. */
  async pause(): Promise<void> {
    if (this.kept.state !== 'running') return;
    await this.become('paused');
    await this.set();
  }

  /** Lanes do what the state says now: it may have changed again while it was kept. */
  private async set(): Promise<void> {
    const { state } = this.kept;
    await Promise.all([...this.busy].map((lane) => lane.hold(state !== 'running')));
    this.fill();
  }

  private isOver(): boolean {
    return this.kept.order.length === 0 && this.working.size === 0;
  }

  /** Ends it. What has finished stays. It is told when it is kept: whoever hears of it may leave the page at once. */
  async cancel(): Promise<void> {
    const ids = [...this.kept.order, ...this.working.keys()];
    this.drop();
    const over = { ...this.kept, state: 'cancelled' as const, order: [], changedAt: Date.now() };
    try {
      await this.around.keepSweep(over);
      await this.update(ids.map((id) => ({ ...this.runs.get(id)!, state: 'stopped' as const })));
    } finally {
      this.kept = over;
      this.tell();
    }
  }

  /** Runs that failed train once more. */
  trainFailed(): Promise<void> {
    return this.retrain([...this.runs.values()].filter(({ state }) => state === 'failed'));
  }

  /** Goes on with a sweep that was cancelled: what was not trained waits again, seed by seed as at first. */
  reopen(): Promise<void> {
    const places = this.kept.groups.map(({ group }) => group);
    const open = [...this.runs.values()].filter(isLeft);
    open.sort((a, b) => a.seed - b.seed || places.indexOf(a.group) - places.indexOf(b.group));
    return this.retrain(open);
  }

  private async retrain(runs: readonly RunRecord[]): Promise<void> {
    const again = runs.map((run) => ({ ...run, state: 'waiting' as const, problem: null }));
    for (const run of again) this.runs.set(run.id, run);
    // first of all: whoever hears of a sweep that is over lets go of it
    await this.open([...this.kept.order, ...again.map(({ id }) => id)], again);
  }

  /** Trains in this order. It can be paused from its first word on, also while its runs are still being kept. */
  private async open(order: Order, runs: readonly RunRecord[]): Promise<void> {
    this.problem = null;
    await this.become('running', order);
    await this.update(runs);
    if (this.kept.state === 'running' && this.isOver()) await this.become('finished');
    await this.set();
  }

  /** What is not over trains on the CPU path, from its beginning: numbers of two backends are never mixed in a run. */
  async finishOnCpu(): Promise<void> {
    const ids = [...this.working.keys(), ...this.kept.order];
    this.drop();
    const moved = await Promise.all(ids.map((id) => onCpu({ ...this.runs.get(id)!, state: 'waiting' })));
    for (const run of moved) this.runs.set(run.id, run);
    await this.open(ids, moved);
  }

  /** The runs of a group train before the others that wait. */
  async putGroupFirst(group: number): Promise<void> {
    const { group: digest } = this.kept.groups[group]!;
    await this.reorder(groupFirst(this.kept.order, (id) => this.runs.get(id)!.group === digest));
  }

  async putFirst(id: string): Promise<void> {
    await this.reorder(runFirst(this.kept.order, id));
  }

  /** The page goes: workers end, and what they had not finished is still to be trained. */
  drop(): void {
    this.round++;
    const { cpu, webgpu } = this.free;
    for (const lane of [...this.busy, ...cpu.splice(0), ...webgpu.splice(0)]) lane.end();
    this.working.clear();
    this.busy.clear();
  }

  status(): SweepStatus {
    return statusOf(this.kept, [...this.runs.values()], this.problem, this.working, this.around.lanes);
  }

  private reorder(order: Order): Promise<void> {
    return this.become(this.kept.state, order);
  }

  private async become(state: KeptSweep['state'], order: Order = this.kept.order): Promise<void> {
    this.kept = { ...this.kept, state, order, changedAt: Date.now() };
    this.tell();
    await this.around.keepSweep(this.kept);
  }

  private async update(runs: readonly RunRecord[]): Promise<void> {
    const changed = runs.map((run) => ({ ...run, changedAt: Date.now() }));
    for (const run of changed) this.runs.set(run.id, run);
    this.tell();
    if (changed.length > 0) await this.around.keepRuns(changed, []);
  }

  private tell(): void {
    this.around.changed(this.status());
  }

  /** Gives work to every lane that has none; on WebGPU one does it all, as there is one device. */
  private fill(): void {
    while (this.kept.state === 'running') {
      const next = togetherOf(this.kept.order.map((id) => this.runs.get(id)!));
      if (next.length === 0 || this.busy.size >= (next[0]!.backend === 'cpu' ? this.around.lanes : 1)) break;
      const ids = next.map(({ id }) => id);
      this.kept = { ...this.kept, order: this.kept.order.filter((id) => !ids.includes(id)) };
      this.train(ids).catch((error: unknown) => this.stumble(error));
    }
    this.tell();
  }

  private async train(ids: readonly string[]): Promise<void> {
    const { round } = this;
    const { backend } = this.runs.get(ids[0]!)!;
    const lane = this.free[backend].pop() ?? this.around.startLane(backend);
    this.busy.add(lane);
    for (const id of ids) this.working.set(id, { share: 0, seconds: 0 });
    const tell: Tell = (shares, seconds, ends) => {
      if (round !== this.round) return;
      for (const [k, id] of ids.entries()) {
        const end = ends[k];
        if (end?.kind === 'finished' || end?.kind === 'failed') this.settle(id, end);
        else if (this.working.has(id)) this.working.set(id, { share: shares[k]!, seconds });
      }
      this.tell();
    };
    let ends: readonly CellEnd[];
    let isBroken = false;
    try {
      ends = await lane.train(
        ids.map((id) => this.runs.get(id)!),
        tell,
      );
    } catch (error) {
      isBroken = true;
      const why = error instanceof Error ? error.message : String(error);
      ends = ids.map(() => ({ kind: 'failed', problem: `The worker that trained it stopped: ${why}` }));
    }
    if (round !== this.round) return;
    this.busy.delete(lane);
    if (isBroken) lane.end();
    else this.free[backend].push(lane);
    await this.take(ids, ends, isBroken);
    if (round === this.round) await this.goOn();
  }

  /** The state of the sweep could not be kept: what trains goes on, and what has finished is there. */
  private stumble(error: unknown): void {
    this.problem = `How far this is could not be kept (${error instanceof Error ? error.message : String(error)}).`;
    this.tell();
  }

  /** Takes in how runs have ended that nothing more was heard of. */
  private async take(ids: readonly string[], ends: readonly CellEnd[], isBroken: boolean): Promise<void> {
    const again: string[] = [];
    const broken: RunRecord[] = [];
    for (const [k, id] of ids.entries()) {
      if (!this.working.has(id)) continue;
      const end = ends[k]!;
      this.settle(id, end);
      // a worker that is gone has not kept it
      if (isBroken) broken.push(this.runs.get(id)!);
      if (end.kind !== 'unkept' && end.kind !== 'lost') continue;
      again.push(id);
      this.problem =
        end.kind === 'lost'
          ? `${end.problem} ${THE_WAY_OUT}`
          : `A result could not be kept (${end.problem}). Make room, then resume: it trains again.`;
    }
    await this.update(broken);
    if (again.length === 0) return;
    this.kept = { ...this.kept, order: [...again, ...this.kept.order] };
    // the next ones could not be kept or trained either; where nothing can be kept, neither can this
    await this.pause().catch(() => undefined);
  }

  /** A run is not at work any more. */
  private settle(id: string, end: CellEnd): void {
    if (!this.working.delete(id)) return;
    const run = this.runs.get(id)!;
    switch (end.kind) {
      case 'finished':
        this.runs.set(id, { ...run, state: 'finished', score: end.score, seconds: end.seconds, problem: null });
        return;
      case 'failed':
        this.runs.set(id, { ...run, state: 'failed', problem: end.problem });
        return;
      case 'lost':
        // it goes on with those that it trained with
        this.runs.set(id, { ...run, state: 'running' });
        return;
      case 'deleted':
        this.runs.delete(id);
        return;
      case 'unkept':
    }
  }

  private async goOn(): Promise<void> {
    this.fill();
    if (!this.isOver() || this.kept.state !== 'running') return;
    await this.become('finished');
    this.drop();
  }
}
