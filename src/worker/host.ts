import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import type { UpdateRecord } from '../engine/backend.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import { AskedRun } from './askedRun.ts';
import { Aside, awaken } from './aside.ts';
import { checkedPlan } from './checkedPlan.ts';
import type { GivenCores } from './cores.ts';
import { Devices } from './devices.ts';
import { FramePort } from './frames.ts';
import { Health, loadMonitor } from './health.ts';
import { inherit, waitingState, type Heritage } from './heritage.ts';
import { History } from './history.ts';
import { Keeping, type Origin } from './keeping.ts';
import { Lifeline } from './lifeline.ts';
import { GIVEN_UP, makeRun } from './loading.ts';
import { Sharing } from './peers/sharing.ts';
import { Spilling } from './spilling.ts';
import { Clock, makeYield, Pacer } from './pace.ts';
import { recover } from './recovery.ts';
import { showRun } from './showing.ts';
import { Rivals } from './rivals.ts';
import { cause, failureOf, nonFiniteOf, unlessLost } from './troubles.ts';
import type { Walking } from './walking.ts';
import type { Trial } from './contest.ts';
import type { LabWorker, LoadAnswer, ResumeAnswer, RunState, StoryAnswer, ViewRequest } from './protocol.ts';
import { Snapshots } from '../lab/snapshot.ts';

/** What a person does with the past of a run, loaded when somebody first does. */
const story = () => import('./storyCommands.ts');

/** The one run of this worker, and everything a page may ask of it. */
export class LabHost extends AskedRun implements LabWorker {
  protected readonly devices: Devices;
  private readonly frames: FramePort;
  private readonly automated: boolean;
  private readonly clock = new Clock();
  private readonly pacer = new Pacer();
  private readonly nextTurn = makeYield();
  private readonly sharing = new Sharing();
  private walking: Walking | null = null;
  private health = new Health();
  private readonly aside = new Aside();
  private readonly lifeline: Lifeline;
  private runId = 0;
  private loop: Promise<void> = Promise.resolve();
  private wantsPause = false;
  private keeping: Keeping;
  private readonly keepingOf: (origin?: Origin) => Keeping;
  private readonly spilling: Spilling;
  private readonly rivals: Rivals;

  /** `line`: where the page listens whether this worker lives; `keeps`: runs stay in the browser's storage. */
  constructor(
    port: MessagePort,
    automated: boolean,
    cores?: GivenCores,
    line?: MessagePort,
    keeps = true,
    trial?: Trial | null,
  ) {
    super();
    this.keepingOf = (origin) => new Keeping((problem) => this.tell(problem), keeps, origin);
    this.keeping = this.keepingOf();
    this.spilling = new Spilling((problem) => this.tell(problem), keeps);
    this.frames = new FramePort(port);
    this.automated = automated;
    const tell = (problem: Problem): void => this.frames.report(problem);
    this.devices = new Devices(cores, () => this.beat(), tell);
    this.lifeline = new Lifeline(line, () => this.devices.alive());
    this.devices.contests = trial !== null;
    const { devices, order } = this;
    const changed = (): void => void this.show(true);
    this.rivals = new Rivals({ devices, order, trial, changed, isIdle: (run) => this.isIdle(run) });
  }

  /** Shows from the middle of long work that it continues. */
  beat(): void {
    this.lifeline.beat(performance.now());
  }

  probe: LabWorker['probe'] = () => this.devices.probe();
  load = (config: Config): Promise<LoadAnswer> => this.prepare(config, null);

  takeOver: LabWorker['takeOver'] = (config, { id, ...left }) => this.prepare(config, { ...left, origin: { id } });

  resume(id: string): Promise<ResumeAnswer> {
    const isWanted = this.order.newWish();
    return this.order.alone(async () => {
      const { resumeKept } = await import('./keeper.ts');
      const make = (config: Config, from: Heritage): Promise<LoadAnswer> => this.make(config, from, isWanted);
      return resumeKept(id, make, () => this.run!.backend.kind);
    });
  }

  unload(): Promise<void> {
    const isWanted = this.order.newWish();
    return this.order.alone(() => this.leave(isWanted));
  }

  private prepare(config: Config, from: Heritage | null): Promise<LoadAnswer> {
    const isWanted = this.order.newWish();
    return this.order.alone(() => this.make(config, from, isWanted));
  }

  private async make(config: Config, from: Heritage | null, isWanted: () => boolean): Promise<LoadAnswer> {
    await this.leave(isWanted);
    if (!isWanted()) return GIVEN_UP;
    const plan = await checkedPlan(config, from?.checkpoint.state);
    if (!plan.ok) return plan;
    this.devices.forgetLosses();
    this.devices.prefer(from?.trainedOn ?? null);
    const { devices, nextTurn, spilling } = this;
    const making = makeRun(plan.value, { devices, isWanted, nextTurn, spilling });
    const [made] = await Promise.all([making, loadMonitor()]);
    if (!made.ok) return made;
    const { run, start } = made;
    [this.run, this.saved] = [run, start];
    this.keeping = this.keepingOf(from?.origin);
    this.history.begin(run, start);
    this.lifeline.goBack(0);
    if (from) this.saved = await inherit(run, this.history, from, (problem) => this.frames.report(problem));
    if (!isWanted()) return GIVEN_UP;
    this.health.begin(run);
    this.come(run, this.saved);
    this.setState(waitingState(run));
    return { ok: true, run: this.runId };
  }

  /** Lets go of the run, unless someone has asked for another one since. */
  private async leave(isWanted: () => boolean): Promise<void> {
    await this.halt();
    if (!isWanted()) return;
    this.setAside();
    this.keeping.leave();
    this.setState('empty');
  }

  private come(run: Run, from: Checkpoint): void {
    this.runId++;
    this.rivals.begin(run, from);
  }

  private setAside(): void {
    this.rivals.begin(null, null);
    const { run, runId: id, saved, state, history, snapshots, health, keeping } = this;
    if (run) this.aside.keep({ id, run, saved, state, history, snapshots, health, keeping });
    this.run = this.saved = null;
    [this.snapshots, this.history, this.health] = [new Snapshots(), new History(), new Health()];
  }

  bringBack(id: number): Promise<LoadAnswer> {
    const isWanted = this.order.newWish();
    return this.order.alone(() => this.swap(id, isWanted));
  }

  private async swap(id: number, isWanted: () => boolean): Promise<LoadAnswer> {
    const kept = this.aside.of(id);
    if (kept) await this.leave(isWanted);
    if (!kept || !isWanted()) return GIVEN_UP;
    const problem = await awaken(kept, this.devices);
    if (problem) return { ok: false, problem };
    const { run, saved, history, snapshots, health, keeping } = kept;
    Object.assign(this, { run, history, snapshots, health, keeping });
    this.lifeline.goBack(0);
    this.come(run, saved);
    this.goOnFrom(run, saved);
    this.setState(kept.state);
    return { ok: true, run: this.runId };
  }

  async start(updates = Infinity): Promise<void> {
    if (await this.mayTrain()) this.begin(updates);
  }

  async step(updates = 1): Promise<void> {
    if (await this.mayTrain()) this.begin(updates);
    await this.loop;
  }

  /** A run that waits, once what was asked before is done, and unless something else has been pressed by then. */
  private async mayTrain(): Promise<boolean> {
    const isNewest = this.order.newPress();
    await this.order.settled;
    if (this.wantsPause) await this.loop;
    return isNewest() && this.run !== null && (this.state === 'ready' || this.state === 'paused');
  }

  walkUpdate: LabWorker['walkUpdate'] = async () => {
    const { Walking } = await import('./walking.ts');
    this.walking ??= new Walking();
    return this.walking.begin(this.run, this.state, this.frames.replicaOf(this.run));
  };
  finishWalk: LabWorker['finishWalk'] = async () => this.walking?.finish(this.run, () => this.step()) ?? null;

  private begin(updates: number): void {
    this.wantsPause = false;
    this.keeping.goesOn = updates === Infinity;
    void this.sharing.join(this.run!);
    this.clock.start(performance.now());
    this.setState('running');
    this.loop = this.train(updates).catch((error: unknown) => {
      this.frames.report(failureOf(error, this.devices));
      this.setState('failed');
    });
  }

  async pause(): Promise<void> {
    this.order.newPress();
    await this.halt();
  }

  async stop(): Promise<void> {
    this.order.newPress();
    await this.halt();
    if (this.run && this.state === 'paused') this.setState('finished');
  }

  change: LabWorker['change'] = async (path, value) => {
    const { changeRun, NO_RUN } = await story();
    return this.run ? changeRun(this.run, path, value) : NO_RUN;
  };

  async keepCheckpoint(words: string): Promise<void> {
    this.history.ask('alarm', words);
    if (this.state === 'running' || !this.run) return;
    await unlessLost(this.run, this.keep(this.run));
    void this.show(true);
  }

  lookAt: LabWorker['lookAt'] = async (update) => {
    const { run } = this;
    const from = this.history.at(update);
    if (!run || !from) return (await story()).notKept(update);
    const replica = this.frames.replicaOf(run);
    const snapshot = await this.history.look(run, from, replica, this.snapshots.history(replica));
    return { ok: true, snapshot };
  };

  rewind = (update: number): Promise<StoryAnswer> => this.order.alone(() => this.goOnAs(update, null));
  fork = (update: number, child: Config, told: string): Promise<StoryAnswer> =>
    this.order.alone(() => this.goOnAs(update, { child, told }));

  /** A run that continues from a kept state takes the place of this one, which can come back. `fork`: its settings. */
  private async goOnAs(update: number, fork: { child: Config; told: string } | null): Promise<StoryAnswer> {
    await this.halt();
    const { forkRun, notKept, rewoundRun } = await story();
    const [parent, from] = [this.run, this.history.at(update)];
    if (!parent || !from) return notKept(update);
    const { devices } = this;
    const making = fork ? forkRun(parent, from, devices, fork.child, fork.told) : rewoundRun(parent, from, devices);
    const made = await making;
    if (!made.ok) return made;
    const { run } = made;
    const [history, snapshots] = [this.history.goOn(from, made.words), this.snapshots.goOn(run)];
    this.setAside();
    // what is rewound stays the same kept run; a fork is another one
    if (fork) this.keeping.leave();
    if (fork) this.keeping = this.keepingOf();
    Object.assign(this, { run, history, snapshots });
    this.come(run, from);
    this.goOnFrom(run, from);
    this.health.begin(run);
    this.setState(fork ? 'paused' : waitingState(run));
    return { ok: true, config: run.config, update };
  }

  private goOnFrom(run: Run, from: Checkpoint): void {
    this.saved = from;
    this.walking?.forget();
    this.lifeline.goBack(from.state.update);
    this.tellState(run, true);
  }

  async view(request: ViewRequest): Promise<void> {
    this.frames.look(request, this.run?.plan.S ?? 1);
    this.pacer.set(request.perSecond);
    this.devices.setHidden(request.isHidden);
    if (this.state !== 'running') await this.show(true);
  }

  peers: LabWorker['peers'] = (isWanted) => this.sharing.set(isWanted, this.run);
  inject: LabWorker['inject'] = async (fault) => void (this.automated && cause(fault, this.run, this.devices));

  /** Lets the update in flight finish, then leaves the loop. */
  private async halt(): Promise<void> {
    this.wantsPause = true;
    this.pacer.hurry();
    await this.loop;
  }

  /** Trains until the limit, a pause or the end; a lost device is replaced and training continues. */
  private async train(limit: number): Promise<void> {
    const run = this.run!;
    const target = limit === Infinity ? run.updates : Math.min(run.updates, run.update + limit);
    for (;;) {
      try {
        return await this.trainTo(target);
      } catch (error) {
        if (!(await this.recover(error))) return;
      }
    }
  }

  private async trainTo(target: number): Promise<void> {
    const run = this.run!;
    const inFlight: Promise<UpdateRecord>[] = [];
    for (;;) {
      const isOver = run.update >= target || this.wantsPause;
      // a checkpoint needs the state between two updates, so nothing new is sent until all records are back
      const isDue =
        this.history.isDue(run) || this.lifeline.isDue(performance.now(), run.update) || this.rivals.isDue(run);
      const depth = this.pacer.isFree ? run.depth : 1;
      if (!isOver && !isDue && inFlight.length < Math.max(1, depth)) {
        this.pacer.begin(performance.now());
        inFlight.push(run.submit());
      }
      if (inFlight.length === 0) {
        await this.keep(run, isOver);
        if (isOver) break;
        if (this.rivals.isDue(run)) await this.rivals.decide(run, this.saved!, () => !this.wantsPause);
      } else if (inFlight.length >= depth || isOver || isDue) {
        const oldest = inFlight.shift()!;
        for (const later of inFlight) later.catch(() => undefined);
        // A lost device rejects what is in flight. A race with `lost` would hold every record until the device ends.
        if (!this.accept(await oldest)) return await this.keep(run).then(() => this.setState('failed'));
      }
      await this.show(false);
      if (run.backend.kind === 'cpu') await this.nextTurn();
      const { frames, pacer } = this;
      const news = (now: number): number => frames.untilNews(now, run.series.length);
      if (run.update < target) await pacer.hold({ isOver: () => this.wantsPause, news, show: () => this.show(false) });
    }
    this.setState(run.update >= run.updates ? 'finished' : 'paused');
  }

  /** A copy of the state: for a lost device, and for the timeline where it is due. */
  private async keep(run: Run, isLast = true): Promise<void> {
    this.saved = await run.checkpoint();
    if (this.history.isDue(run) || run.update >= run.updates) this.history.take(run, this.saved);
    this.tellState(run, isLast);
  }

  /** The page holds on to a state, in case this worker goes. */
  private tellState(run: Run, isLast: boolean): void {
    this.lifeline.keep(this.runId, run, this.saved!, performance.now(), isLast);
    this.keeping.take(run, { checkpoint: this.saved!, history: this.history }, this.state, isLast);
  }

  /** Books a finished update; false if a number was not finite: the run is over, and its last good state is kept. */
  private accept(record: UpdateRecord): boolean {
    const run = this.run!;
    this.clock.tick(performance.now(), run.series.envSteps(record.update) * run.plan.S);
    this.history.accept(record, run.plan.S);
    for (const title of this.health.accept(record)) this.history.ask('alarm', title);
    const problem = nonFiniteOf(record);
    if (problem) this.frames.report(problem);
    return problem === null;
  }

  /** After a failure of the device: the next way to train, the last checkpoint, and on with the run. */
  private async recover(error: unknown): Promise<boolean> {
    const { run, saved, history, health, devices } = this;
    const problem = await recover({ run: run!, saved: saved!, history, health }, devices, error);
    if (problem) this.frames.report(problem);
    this.setState(problem ? 'failed' : 'running');
    return problem === null;
  }

  takeCpu = (): Promise<void> =>
    this.order.alone(async () => {
      if (this.run?.backend.kind !== 'webgpu' || this.state !== 'failed') return;
      this.devices.stayOnCpu();
      if (await this.recover(null)) this.begin(Infinity);
    });

  private setState(state: RunState): void {
    this.state = state;
    this.keeping.note(this.run, state, this.frames.problem);
    void this.show(true);
  }

  /** Says at once what has nothing to do with a change of state. */
  private tell(problem: Problem): void {
    this.frames.report(problem);
    void this.show(true);
  }

  private show(final: boolean): Promise<void> {
    const { run, runId, state, history, health, snapshots, clock } = this;
    return showRun(
      this.frames,
      { run, runId, state, history, health, snapshots, clock, id: this.keeping.id, choice: this.devices.choice },
      final,
    );
  }
}
