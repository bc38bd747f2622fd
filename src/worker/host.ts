import { configDigest } from '../config/digest.ts';
import { prepareTask } from '../config/level.ts';
import { parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import { CHECKED_SLOTS, type UpdateRecord } from '../train/backend.ts';
import { makePlan, type Plan } from '../train/plan.ts';
import { gpuProblem } from '../train/gpu/errors.ts';
import { Run, type Checkpoint } from '../train/run.ts';
import { replicasOf } from '../train/state.ts';
import type { Walk } from '../train/stepThrough.ts';
import { Devices } from './devices.ts';
import { FramePort } from './frames.ts';
import { Health } from './health.ts';
import { History } from './history.ts';
import { Measuring } from './measuring.ts';
import { Profiling } from './profiling.ts';
import { Clock, makeYield, workOf } from './pace.ts';
import { changeRun, forkRun, NO_RUN, notKept, rewindRun } from './storyCommands.ts';
import { failureOf, LOST, unlessLost } from './troubles.ts';
import type {
  BatchName,
  CreditAnswer,
  CreditRequest,
  DeviceReport,
  ExplainRequest,
  LabWorker,
  LookAnswer,
  Profile,
  RunState,
  StepAnswer,
  StoryAnswer,
  ViewRequest,
  WalkAnswer,
  WalkCheck,
} from './protocol.ts';
import type { MeasurementAnswer, MeasurementRequest } from '../train/measurements.ts';
import { Snapshots } from '../train/snapshot.ts';

/** The one run of this worker, and everything a page may ask of it. */
export class LabHost implements LabWorker {
  private readonly frames: FramePort;
  private readonly automated: boolean;
  private readonly clock = new Clock();
  private readonly nextTurn = makeYield();
  private readonly devices: Devices;
  private readonly snapshots = new Snapshots();
  private readonly measuring = new Measuring();
  private readonly profiling = new Profiling();
  private readonly history = new History();
  private readonly health = new Health();
  private run: Run | null = null;
  private runId = 0;
  private state: RunState = 'empty';
  private saved: Checkpoint | null = null;
  private walk: (Walk & { readonly run: Run }) | null = null;
  private loop: Promise<void> = Promise.resolve();
  private wantsPause = false;

  constructor(port: MessagePort, automated: boolean, cores?: number) {
    this.frames = new FramePort(port);
    this.automated = automated;
    this.devices = new Devices(cores);
  }

  probe(): Promise<DeviceReport> {
    return this.devices.probe();
  }

  async load(config: Config): Promise<{ ok: true; run: number } | { ok: false; problem: Problem }> {
    await this.halt();
    this.run?.dispose();
    this.run = null;
    this.state = 'empty';
    const checked = parseConfig(config);
    if (!checked.ok) return checked;
    await prepareTask(checked.value);
    const plan = makePlan(checked.value);
    if (!plan.ok) return plan;
    const problem = await this.open(plan.value);
    return problem ? { ok: false, problem } : { ok: true, run: this.runId };
  }

  private async open(plan: Plan): Promise<Problem | null> {
    const made = await this.devices.make(plan);
    if (!made.ok) return made.problem;
    try {
      this.run = await Run.create(plan, made.value);
    } catch (error) {
      const problem = gpuProblem(error);
      if (!problem) throw error;
      return problem;
    }
    this.saved = await this.run.checkpoint();
    this.history.begin(this.run, this.saved);
    this.health.begin(this.run);
    this.runId++;
    this.setState('ready');
    return null;
  }

  async start(): Promise<void> {
    if (!this.run || (this.state !== 'ready' && this.state !== 'paused')) return;
    this.begin(Infinity);
  }

  async step(): Promise<void> {
    if (!this.run || (this.state !== 'ready' && this.state !== 'paused')) return;
    this.begin(1);
    await this.loop;
  }

  async walkUpdate(): Promise<WalkAnswer> {
    const { run, state } = this;
    if (!run || (state !== 'ready' && state !== 'paused'))
      return {
        ok: false,
        why: 'An update can be walked through while the run waits: pause it, or reset it if it is over.',
      };
    const replica = Math.min(this.frames.view.replica, run.plan.S - 1);
    const copy = await unlessLost(run, run.checkpoint());
    if (copy === LOST) return { ok: false, why: 'The graphics device was lost. Press Run or Reset, then try again.' };
    const { plan, state: start } = run.startOf(copy);
    const { walkUpdate } = await import('../train/stepThrough.ts');
    this.walk = { ...(await walkUpdate(plan, start, replica)), run };
    return { ok: true, walk: this.walk.walk };
  }

  async finishWalk(): Promise<WalkCheck | null> {
    const { run, walk } = this;
    this.walk = null;
    if (!run || walk?.run !== run || walk.walk.snapshot.update !== run.update) return null;
    await this.step();
    const copy = await unlessLost(run, run.checkpoint());
    if (copy === LOST || copy.state.update !== walk.walk.snapshot.update + 1) return null;
    const { theta } = replicasOf(copy.state, run.plan.S, walk.replica, 1);
    const largest = theta.reduce((most, x, k) => Math.max(most, Math.abs(x - walk.theta[k]!)), 0);
    return { isSame: theta.every((x, k) => Object.is(x, walk.theta[k])), largest, backend: run.backend.kind };
  }

  private begin(updates: number): void {
    this.wantsPause = false;
    this.clock.start(performance.now());
    this.setState('running');
    this.loop = this.train(updates).catch((error: unknown) => {
      this.frames.report(failureOf(error, this.devices));
      this.setState('failed');
    });
  }

  async pause(): Promise<void> {
    await this.halt();
  }

  async stop(): Promise<void> {
    await this.halt();
    if (this.run && this.state === 'paused') this.setState('finished');
  }

  async change(...[path, value]: Parameters<LabWorker['change']>): Promise<StoryAnswer> {
    return this.run ? changeRun(this.run, path, value) : NO_RUN;
  }

  async keepCheckpoint(words: string): Promise<void> {
    this.history.ask('alarm', words);
    if (this.state === 'running' || !this.run) return;
    await unlessLost(this.run, this.keep(this.run));
    void this.show(true);
  }

  async lookAt(update: number): Promise<LookAnswer> {
    const { run } = this;
    const from = this.history.at(update);
    if (!run || !from) return notKept(update);
    const replica = Math.min(this.frames.view.replica, run.plan.S - 1);
    const snapshot = await this.history.look(run, from, replica, this.snapshots.history(replica));
    return { ok: true, snapshot };
  }

  async rewind(update: number): Promise<StoryAnswer> {
    await this.halt();
    const { run } = this;
    const from = this.history.at(update);
    if (!run || !from) return notKept(update);
    const answer = await rewindRun(run, from);
    this.goOnFrom(from);
    this.history.goBack(update);
    this.health.goBack(update);
    this.setState(update === 0 ? 'ready' : 'paused');
    return answer;
  }

  async fork(update: number, child: Config): Promise<StoryAnswer> {
    await this.halt();
    const { run } = this;
    const from = this.history.at(update);
    if (!run || !from) return notKept(update);
    const forked = await forkRun(run, from, child, this.devices);
    if (!forked.ok) return forked;
    run.dispose();
    this.run = forked.run;
    this.goOnFrom(from);
    this.history.fork(from, forked.words);
    this.health.begin(this.run);
    this.runId++;
    this.setState('paused');
    return { ok: true, config: forked.run.config, update };
  }

  private goOnFrom(from: Checkpoint): void {
    this.saved = from;
    this.walk = null;
  }

  async view(request: ViewRequest): Promise<void> {
    this.frames.view = {
      replica: Math.max(0, Math.min(request.replica, (this.run?.plan.S ?? 1) - 1)),
      snapshotHz: Math.max(0, Math.min(10, request.snapshotHz)),
      points: Math.max(20, Math.min(1600, request.points)),
    };
    if (this.state !== 'running') await this.show(true);
  }

  async digest(): Promise<{ config: string; result: string; perSeed: readonly string[]; update: number }> {
    if (!this.run) return { config: '', result: '', perSeed: [], update: 0 };
    const { all, perSeed } = await this.run.digest();
    return { config: await configDigest(this.run.config), result: all, perSeed, update: this.run.series.length };
  }

  async csv(hasAliases = false): Promise<string> {
    return this.run?.csv(hasAliases) ?? '';
  }

  async credit(request: CreditRequest): Promise<CreditAnswer> {
    return this.labOf(request).answer({ ...request, workMs: workOf(request.workMs) }, () => performance.now());
  }

  measure(request: MeasurementRequest): Promise<MeasurementAnswer | null> {
    return this.measuring.answer(this.run, this.saved, request);
  }

  async explain(request: ExplainRequest): Promise<StepAnswer> {
    return this.labOf(request).explain(request);
  }

  async hold(batch: BatchName): Promise<boolean> {
    return this.labOf(batch).hold(batch);
  }

  private labOf(batch: BatchName): Snapshots['lab'] {
    return this.history.labOf(batch) ?? this.snapshots.lab;
  }

  async calibrate() {
    return this.profiling.calibrate(this.devices, () => (this.state === 'running' ? null : this.run));
  }

  async profile(): Promise<Profile | null> {
    const { run, state } = this;
    if (!run || state === 'running' || state === 'failed') return null;
    const profile = await unlessLost(run, this.profiling.measure(run, this.devices));
    return profile === LOST ? null : profile;
  }

  async trace(): Promise<string> {
    return this.profiling.file();
  }

  async inject(fault: Parameters<LabWorker['inject']>[0]): Promise<void> {
    if (!this.automated) return;
    if (fault === 'loseDevice') this.devices.lose();
    else if (fault === 'refuseWork') this.devices.refuse();
    else if (fault === 'nonFinite') this.run?.poison();
    else
      setTimeout(() => {
        throw new Error('A crash was asked for by a test.');
      });
  }

  /** Lets the update in flight finish, then leaves the loop. */
  private async halt(): Promise<void> {
    this.wantsPause = true;
    await this.loop;
  }

  /** Trains until the limit, a pause or the end; a lost device is replaced and training goes on. */
  private async train(limit: number): Promise<void> {
    const run = this.run!;
    const target = limit === Infinity ? run.updates : Math.min(run.updates, run.update + limit);
    for (;;) {
      try {
        return await this.trainTo(target);
      } catch (error) {
        if (run.backend.kind === 'cpu' || gpuProblem(error) || !(await this.devices.wasLost())) throw error;
        if (!(await this.recover())) return;
      }
    }
  }

  private async trainTo(target: number): Promise<void> {
    const run = this.run!;
    const inFlight: Promise<UpdateRecord>[] = [];
    for (;;) {
      const isOver = run.update >= target || this.wantsPause;
      // a checkpoint needs the state between two updates, so nothing new is sent until all records are back
      const isDue = this.history.isDue(run);
      const { depth } = run.backend;
      if (!isOver && !isDue) inFlight.push(run.submit());
      if (inFlight.length === 0) {
        await this.keep(run);
        if (isOver) break;
      } else if (inFlight.length >= depth || isOver || isDue) {
        const oldest = inFlight.shift()!;
        for (const later of inFlight) later.catch(() => undefined);
        // A lost device rejects what is in flight. A race with `lost` would hold every record until the device ends.
        if (!this.accept(await oldest)) return await this.fail(run);
      }
      await this.show(false);
      if (run.backend.kind === 'cpu') await this.nextTurn();
    }
    this.setState(run.update >= run.updates ? 'finished' : 'paused');
  }

  /** A copy of the state: for a lost device, and for the timeline where it is due. */
  private async keep(run: Run): Promise<void> {
    this.saved = await run.checkpoint();
    if (this.history.isDue(run) || run.update >= run.updates) this.history.take(run, this.saved);
  }

  /** Books a finished update; false if a number was not finite: the run is over. */
  private accept(record: UpdateRecord): boolean {
    const run = this.run!;
    this.clock.tick(performance.now(), run.series.envSteps(record.update) * run.plan.S);
    this.history.accept(record, run.plan.S);
    for (const title of this.health.accept(record)) this.history.ask('alarm', title);
    const bad = record.bad.find((slot) => slot !== 0);
    if (bad === undefined) return true;
    this.frames.report({
      kind: 'nonFinite',
      slot: CHECKED_SLOTS[bad - 1]!,
      update: record.update,
      lastGood: record.update,
    });
    return false;
  }

  /** Nothing has reached the weights that is not finite: what is kept under the alarm's words is the last good state. */
  private async fail(run: Run): Promise<void> {
    await this.keep(run);
    this.setState('failed');
  }

  /** A new device, the last checkpoint, and on with the run. After three losses in five minutes: the CPU path. */
  private async recover(): Promise<boolean> {
    const run = this.run!;
    const lostAt = run.series.length;
    this.devices.countLoss(performance.now());
    const made = await this.devices.make(run.plan);
    if (!made.ok) {
      this.frames.report(made.problem);
      this.setState('failed');
      return false;
    }
    await run.restore(this.saved!, made.value);
    this.history.goBack(run.update);
    this.health.goBack(run.update);
    const resumedFrom = this.saved!.state.update;
    this.frames.report({ kind: 'deviceLost', update: lostAt, resumedFrom, backend: run.backend.kind });
    this.setState('running');
    return true;
  }

  private setState(state: RunState): void {
    this.state = state;
    void this.show(true);
  }

  /** Sends a frame if one is due, with a snapshot if the page is ready for one. */
  private async show(final: boolean): Promise<void> {
    const run = this.run;
    const now = performance.now();
    const status = {
      run: this.runId,
      state: this.state,
      backend: run?.backend.kind ?? ('cpu' as const),
      backendName: run?.backend.description ?? '',
      timeline: () => (run ? this.history.news() : []),
      alarms: () => (run ? this.health.news() : []),
    };
    if (!final && !this.frames.frameDue(now)) return;
    const wanted = run !== null && !run.isFresh && run.series.length > 0 && (final || this.frames.snapshotDue(now));
    const replica = Math.min(this.frames.view.replica, (run?.plan.S ?? 1) - 1);
    // without its device a run has no batch to show; the training loop notices the loss and goes on
    const made = wanted ? await unlessLost(run!, this.snapshots.make(run!, replica)) : null;
    const snapshot = made === LOST ? null : made;
    this.frames.send(status, run, this.clock, snapshot, now, final);
  }
}
