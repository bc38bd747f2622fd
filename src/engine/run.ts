import type { Peers } from '../contract/peers.ts';
import type { TrainState } from '../contract/state.ts';
import type { Config } from '../config/slots.ts';
import { ok, type Result } from '../core/problem.ts';
import { learningRateAt } from '../core/math/schedule.ts';
import type { TrainedOn } from '../core/trainedOn.ts';
import type { Backend, Coefficients, Live, MakeBackend, UpdateRecord } from './backend.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { prepareNames } from '../envs/levelDeal.ts';
import { prepareNetwork } from '../networks/policy.ts';
import type { Spill } from './curveRows.ts';
import { DigestChain } from './digest.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { Series } from './series.ts';
import { firstState, type Turn } from './state.ts';
import { Stretches } from './stretches.ts';
import { TaskFeed, type Expected } from './taskFeed.ts';
import { backendKey, changesState, enter, liveAt, planAt, stagePlan } from './story.ts';
import { drive, until, type Waiting } from './waiting.ts';

/** A point to come back to: everything that decides the rest of the run. */
export type Checkpoint = { readonly state: TrainState; readonly chain: readonly Uint8Array[] };

/** What a run goes on with: the plan in force, its backend, and the curves so far. */
type Begun = { readonly plan: Plan; readonly backend: Backend; readonly series: Series };

/**
 * A run: a config, a backend, and what has happened so far. One update is
 *
 *   [evaluation] → rollout → credit → optimize → record
 *
 * `submit` records one update and returns at once; its record arrives later (at once on the CPU). A caller keeps as many
 * updates in flight as the backend is deep and never has to wait for the GPU in between; one that is submitted while the
 * backend takes no second one, or is about to be replaced, waits here. Where the plan in force changes (a fork,
 * a new temperature), a new backend takes over the state between two updates; where the reference is reset by hand, the
 * same one takes it back changed.
 */
export class Run {
  readonly series: Series;
  /** where its updates were trained */
  readonly stretches = new Stretches();
  /** plan in force in the updates of the present backend */
  plan: Plan;
  backend: Backend;
  /** plan of the whole experiment: with changes during the run, and with the parents of a fork */
  whole: Plan;
  /** next update to submit */
  update: number;
  /** true until the present backend has played a batch */
  isFresh = true;
  /** other runs of the same task, where they are heard: what comes from them is in no config */
  peers: Peers | null = null;
  private makeBackend: MakeBackend;
  private key: string;
  private gate: Promise<void> | null = null;
  private feed: TaskFeed;
  private chain: DigestChain;
  private last: Promise<unknown> = Promise.resolve();
  private inFlight = 0;
  private poisoned = false;
  private isDisposed = false;

  private constructor(whole: Plan, makeBackend: MakeBackend, from: Checkpoint, { plan, backend, series }: Begun) {
    this.whole = whole;
    this.plan = plan;
    this.feed = new TaskFeed(plan, from.state);
    this.makeBackend = makeBackend;
    this.backend = backend;
    this.series = series;
    this.update = from.state.update;
    this.key = backendKey(whole, this.update);
    this.chain = new DigestChain(whole.S, from.chain);
  }

  /** From the start, or from a checkpoint, with the curves until there where somebody has them; `turn`: others may speak. */
  static async create(
    whole: Plan,
    makeBackend: MakeBackend,
    from?: Checkpoint,
    series: Series = new Series(whole.S),
    turn?: Turn,
  ): Promise<Run> {
    // whoever has prepared the task has it already
    await prepareNetwork(whole.policy.network);
    if (whole.deal || whole.poolName) await prepareNames();
    const start = from ?? { state: await firstState(planAt(whole, 0), turn), chain: [] };
    const plan = planAt(whole, start.state.update);
    const state = enter(whole, start.state);
    const backend = await makeBackend(plan, state);
    return new Run(whole, makeBackend, { state, chain: start.chain }, { plan, backend, series });
  }

  /** The whole experiment, as a link repeats it. */
  get config(): Config {
    return this.whole.config;
  }

  /** updates until the run ends */
  get updates(): number {
    return this.whole.updates;
  }

  /** updates that may be in flight at once: one, where the next tasks depend on how the last ones went */
  get depth(): number {
    return this.plan.source.wantsOutcomes ? 1 : this.backend.depth;
  }

  /** True if the next update begins with an evaluation. */
  get evaluatesNext(): boolean {
    return this.update < this.updates && evaluatesAt(stagePlan(this.whole, this.update), this.update);
  }

  /** Where it was trained so far; before the first update, where it will be. */
  get trainedOn(): TrainedOn {
    return this.stretches.all ?? this.backend.kind;
  }

  /** Update up to which this run repeats the parents that it was forked from; 0 if it is no fork. */
  get forkedAt(): number {
    return this.whole.past.at(-1)?.until ?? 0;
  }

  /** What the task source expected of the newest batch of replica s, and how such expectations came true; null: nothing. */
  expected(s: number): Expected | null {
    const found = this.feed.expected(s);
    // further rounds may have put other tasks in the places of these
    return found && this.plan.scheme?.round ? { ...found, success: found.success.fill(NaN) } : found;
  }

  /** Plan and state of the update that follows a checkpoint, for a scratch copy that begins there. */
  startOf({ state }: Checkpoint): { plan: Plan; state: TrainState } {
    return { plan: planAt(this.whole, state.update), state: enter(this.whole, state) };
  }

  /** Other changes during the run, in updates that have not been submitted yet. */
  setEvents(config: Config): void {
    this.whole = { ...this.whole, config };
  }

  /** Records one update. The returned promise resolves with its record, in order. */
  submit(): Promise<UpdateRecord> {
    const u = this.update++;
    const key = backendKey(this.whole, u);
    const isOther = key !== this.key;
    if (isOther || changesState(this.whole, u)) {
      this.key = key;
      this.gate = this.last.then(() => this.moveState(u, isOther));
      this.gate.catch(() => undefined); // the record that waits for it fails
    } else if (this.inFlight > 0 && (this.gate || this.depth === 1)) {
      // a new backend may be less deep than the one that its first update was submitted to
      this.gate = Promise.all([this.gate, this.last]).then(() => undefined);
      this.gate.catch(() => undefined);
    }
    this.inFlight++;
    const { gate } = this;
    const record = gate ? gate.then(() => this.afterGate(gate, u)) : this.make(u);
    record.catch(() => undefined); // it is awaited below, but perhaps only after it has failed
    const done = this.last.then(async () => {
      const finished = await record;
      this.feed.settle(finished);
      if (finished.exchange) this.peers?.tell(finished.exchange);
      this.series.put(finished);
      await this.chain.append(finished.hash);
      return finished;
    });
    const landed = (): void => void this.inFlight--;
    this.last = done.then(landed, landed);
    return done;
  }

  private afterGate(gate: Promise<void>, u: number): Promise<UpdateRecord> {
    if (this.gate === gate) this.gate = null;
    return this.make(u);
  }

  private make(u: number): Promise<UpdateRecord> {
    return Promise.resolve(drive(this.training(u)));
  }

  private *training(u: number): Waiting<Promise<UpdateRecord>> {
    const { plan, backend } = this;
    this.isFresh = false;
    this.stretches.note(u, backend.kind);
    const due = evaluatesAt(plan, u);
    if (due) yield* until(backend.rollout(makeTasks(plan, u, 'eval'), 'eval'));
    if (due && plan.heldOut) yield* until(backend.rollout(makeTasks(plan, u, 'panel'), 'panel'));
    const received = this.peers?.take() ?? undefined;
    yield* until(backend.rollout({ ...this.feed.tasks(u), received }, 'train'));
    const inForce = liveAt(this.whole, u);
    const scheduled = <C extends Coefficients>(own: C): C => ({
      ...own,
      learningRate: this.poisoned ? NaN : learningRateAt(plan.schedule, own.learningRate, u, plan.updates),
    });
    const live: Live = { ...scheduled(inForce), each: inForce.each?.map(scheduled) };
    yield* until(backend.credit(live));
    yield* until(backend.optimize(u, live));
    return backend.finish(u);
  }

  /** The state enters update u, on a new backend if the present one is made for something else. */
  private async moveState(u: number, isOther: boolean): Promise<void> {
    await this.takeOver(await this.stateAt(u), isOther);
  }

  /** The state between two updates, with what the task source remembers. */
  private async stateAt(u: number): Promise<TrainState> {
    const state = await this.backend.save();
    return { ...state, update: u, tensors: { ...state.tensors, ...this.feed.save() } };
  }

  /** A state becomes the present one, on a new backend if the present one is made for something else. */
  private async takeOver(from: TrainState, isOther: boolean): Promise<void> {
    const state = enter(this.whole, from);
    if (isOther) {
      const plan = planAt(this.whole, from.update);
      this.dispose();
      this.backend = await this.makeBackend(plan, state);
      this.isDisposed = false;
      this.plan = plan;
    } else this.backend.load(state);
    this.feed = new TaskFeed(this.plan, state);
    this.isFresh = true;
  }

  /** Waits for everything submitted, then copies the state. */
  async checkpoint(): Promise<Checkpoint> {
    await this.last;
    return { state: await this.stateAt(this.update), chain: this.chain.save() };
  }

  /** Goes on from a checkpoint, on a new backend if one is given (after a lost device). */
  async restore(from: Checkpoint, makeBackend?: MakeBackend): Promise<void> {
    await this.last;
    const { update } = from.state;
    const key = backendKey(this.whole, update);
    const isOther = makeBackend !== undefined || key !== this.key || this.gate !== null;
    this.makeBackend = makeBackend ?? this.makeBackend;
    if (isOther) this.gate = null;
    await this.takeOver(from.state, isOther);
    this.key = key;
    this.update = update;
    this.series.truncate(update);
    this.stretches.cut(update);
    this.chain = new DigestChain(this.plan.S, from.chain);
  }

  async digest(): Promise<{ all: string; perSeed: string[] }> {
    await this.last;
    return this.chain.read();
  }

  /** Test hook: the learning rate of every later update is NaN, so that the guard can be seen to work. */
  poison(): void {
    this.poisoned = true;
  }

  /** All numbers of all updates as one table, piece by piece. */
  csvPieces(hasAliases = false): Generator<string> {
    return this.series.csvPieces(this.plan.seeds, hasAliases);
  }

  csv(hasAliases = false): string {
    return this.series.csv(this.plan.seeds, hasAliases);
  }

  /** Frees what the run holds on its device; `restore` puts it on another one. */
  dispose(): void {
    if (!this.isDisposed) this.backend.dispose();
    this.isDisposed = true;
  }
}

/** True if an evaluation comes before this update's batch. */
function evaluatesAt(plan: Plan, u: number): boolean {
  return plan.evalEvery > 0 && (u % plan.evalEvery === 0 || u + 1 === plan.updates);
}

/** A run on the CPU path from an unparsed plan's config; the first trouble comes back as a Problem. `spill`: where its older curves go. */
export async function createRun(
  config: Config,
  makeBackend: MakeBackend = makeCpuBackend,
  spill: Spill | null = null,
): Promise<Result<Run>> {
  const plan = makePlan(config);
  if (!plan.ok) return plan;
  return ok(await Run.create(plan.value, makeBackend, undefined, new Series(plan.value.S, spill)));
}
