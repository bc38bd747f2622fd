import type { Config } from '../config/slots.ts';
import { ok, type Result } from '../core/problem.ts';
import { learningRateAt } from '../methods/optimizer/schedule.ts';
import type { Backend, MakeBackend, TrainState, UpdateRecord } from './backend.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { DigestChain } from './digest.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { Series } from './series.ts';
import { initialState } from './state.ts';

/** A point to come back to: everything that decides the rest of the run. */
export type Checkpoint = { readonly state: TrainState; readonly chain: readonly Uint8Array[] };

/**
 * A run: a config, a backend, and what has happened so far. One update is
 *
 *   [evaluation] → rollout → credit → optimize → record
 *
 * `submit` records one update and returns at once; its record arrives later (at once on the CPU). A caller keeps at
 * most a few updates in flight and never has to wait for the GPU in between.
 */
export class Run {
  readonly plan: Plan;
  readonly series: Series;
  backend: Backend;
  /** next update to submit */
  update: number;
  private chain: DigestChain;
  private last: Promise<unknown> = Promise.resolve();
  private poisoned = false;

  private constructor(plan: Plan, backend: Backend, from: Checkpoint) {
    this.plan = plan;
    this.backend = backend;
    this.series = new Series(plan.S);
    this.update = from.state.update;
    this.chain = new DigestChain(plan.S, from.chain);
  }

  static async create(plan: Plan, makeBackend: MakeBackend, from?: Checkpoint): Promise<Run> {
    const start = from ?? { state: initialState(plan), chain: [] };
    return new Run(plan, await makeBackend(plan, start.state), start);
  }

  /** Records one update. The returned promise resolves with its record, in order. */
  submit(): Promise<UpdateRecord> {
    const { plan, backend } = this;
    const u = this.update++;
    const due = plan.evalEvery > 0 && (u % plan.evalEvery === 0 || u + 1 === plan.updates);
    if (due) backend.rollout(makeTasks(plan, u, 'eval'), 'eval');
    backend.rollout(makeTasks(plan, u, 'train'), 'train');
    const live = {
      ...plan.live,
      learningRate: this.poisoned ? NaN : learningRateAt(plan.schedule, plan.live.learningRate, u, plan.updates),
    };
    const update = (): Promise<UpdateRecord> => {
      backend.optimize(u, live);
      return backend.finish(u);
    };
    const waiting = backend.credit();
    const record = waiting ? waiting.then(update) : update();
    record.catch(() => undefined); // it is awaited below, but perhaps only after it has failed
    const done = this.last.then(async () => {
      const finished = await record;
      this.series.put(finished);
      await this.chain.append(finished.hash);
      return finished;
    });
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Waits for everything submitted, then copies the state. */
  async checkpoint(): Promise<Checkpoint> {
    await this.last;
    return { state: await this.backend.save(), chain: this.chain.save() };
  }

  /** Goes on from a checkpoint, on a new backend if one is given (after a lost device). */
  async restore(from: Checkpoint, makeBackend?: MakeBackend): Promise<void> {
    await this.last;
    if (makeBackend) {
      this.backend.dispose();
      this.backend = await makeBackend(this.plan, from.state);
    } else this.backend.load(from.state);
    this.update = from.state.update;
    this.series.truncate(this.update);
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

  csv(): string {
    return this.series.csv(this.plan.seeds);
  }

  dispose(): void {
    this.backend.dispose();
  }
}

/** A run on the CPU path from an unparsed plan's config; the first trouble comes back as a Problem. */
export async function createRun(config: Config, makeBackend: MakeBackend = makeCpuBackend): Promise<Result<Run>> {
  const plan = makePlan(config);
  return plan.ok ? ok(await Run.create(plan.value, makeBackend)) : plan;
}
