import { estimateCost } from '../config/cost.ts';
import { leastGroup, productsOf, SMALL } from '../config/caps.ts';
import { memoryOf } from '../config/memory.ts';
import { configWith } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Backend, UpdateRecord } from '../engine/backend.ts';
import { makePlan, type Plan } from '../engine/plan.ts';
import { Run, type Checkpoint } from '../engine/run.ts';
import { ok } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { parallelBackendOn } from '../engine/cpu/parallelBackend.ts';
import { networkOf } from '../networks/policy.ts';
import { MOST_STEPS } from '../lab/shownPart.ts';
import { Snapshots } from '../lab/snapshot.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { lineFit } from '../slots/metrics/success.ts';
import { packCheckpoint } from '../store/checkpoints.ts';
import { pack } from '../store/packed.ts';
import { checkedPlan } from './checkedPlan.ts';
import type { Devices } from './devices.ts';
import { makeYield } from './pace.ts';
import type { Beside, Speed } from './protocol.ts';

/** First updates fill caches and find how much a device can be given at once. */
const WARM_MS = 50;
/**
 * A trial is as short as nobody minds, and there is one at a time: while code is still being compiled for speed, and an agent
 * learns to be quick, every trial is faster than the one before. Where the last ones are as fast as each other, they count.
 */
const TRIAL_MS = 300;
const TRIALS = 3;
const STEADY = 1.15;
/** What still changes after so many trials changes for longer than anybody waits before Run. */
const MOST_TRIALS = 10;

/**
 * Most multiplications of an update that is measured in this worker, which answers nobody while it works: less than a second. Where
 * no copy is as small, there may be so many on a core of its own: some seconds.
 */
const MOST_PRODUCTS = 2e9;
const MOST_APART = 1e10;
/** Products with bits are counted as if all of them were set. Where an update takes less than this the copy may be larger, up to this. */
const QUICK_MS = 250;

/**
 * A state that is written is put together, written, and read again: all of it took three to four times as long as the first (a state
 * of 4 MB, files of Chromium on a disk of a server).
 */
const WRITES = 3.5;

/** A copy goes on for longer than a short run. */
const UPDATES = 10_000;

/** What one trial has come to: environment steps, how long they took, and the share of their full length in each update. */
export type Trial = {
  readonly steps: number;
  readonly seconds: number;
  readonly shares: readonly number[];
  /** seconds of one */
  readonly evaluation: number;
};

/** Updates without an evaluation, or with one. */
class Kind {
  n = 0;
  private ms = 0;

  add(ms: number): void {
    this.n++;
    this.ms += ms;
  }

  get mean(): number {
    return this.n > 0 ? this.ms / this.n : NaN;
  }
}

/** Milliseconds of an evaluation; 0 where there are not updates with and without one. */
const msOfEvaluation = ([plain, evaluated]: readonly [Kind, Kind]): number =>
  plain.n === 0 || evaluated.n === 0 ? 0 : Math.max(0, evaluated.mean - plain.mean);

/** Milliseconds of an update of a run that evaluates every so many of them, though the trial did so every second time. */
const msOfMix = (kinds: readonly [Kind, Kind], every: number): number =>
  kinds[0].n === 0 ? kinds[1].mean : kinds[0].mean + msOfEvaluation(kinds) / Math.max(1, every);

const msOf = ({ seconds, shares }: Trial): number => seconds / shares.length;

/** How fast episodes become shorter, as a share of their full length in each update: the slope of a line, less two of its standard errors. */
function fallingOf(shares: readonly number[]): number {
  const fit = shares.length > 3 ? lineFit([...shares.keys()], shares) : null;
  if (!fit?.r2) return 0;
  const error = Math.abs(fit.slope) * Math.sqrt((1 - fit.r2) / fit.r2 / (shares.length - 2));
  return Math.max(0, -fit.slope - 2 * error);
}

/** Speed of the last trials together, the slowest and fastest of them, and how long episodes were in all updates. */
export function speedOf(all: readonly Trial[], shares: readonly number[], beside: Omit<Beside, 'evaluation'>): Speed {
  const trials = all.slice(-TRIALS);
  const sum = (of: (trial: Trial) => number): number => trials.reduce((total, trial) => total + of(trial), 0);
  const rates = trials.map((t) => t.steps / t.seconds);
  const times = trials.map(msOf);
  const isSteady = trials.length === TRIALS && Math.max(...times) <= STEADY * Math.min(...times);
  const isKnown = isSteady || all.length >= MOST_TRIALS;
  return {
    stepsPerSecond: sum((t) => t.steps) / sum((t) => t.seconds),
    slowest: Math.min(...rates),
    // how much faster it becomes nobody knows yet
    fastest: isKnown ? Math.max(...rates) : Infinity,
    shares,
    // episodes become shorter from trial to trial, not longer
    later: mean(trials.at(-1)!.shares),
    falling: fallingOf(trials.flatMap((t) => t.shares)),
    isKnown,
    beside: { ...beside, evaluation: mean(trials.map((t) => t.evaluation)) },
  };
}

/** What is known of a size, and the copy that goes on, in its state; without one it begins. */
type Known = {
  readonly speed: Speed;
  readonly trials: readonly Trial[];
  readonly shares: readonly number[];
  readonly plan: Plan;
  /** on a core of its own */
  readonly isApart: boolean;
  /** seconds that it took to begin */
  readonly begun: number;
  readonly state: Checkpoint | undefined;
};

type Sizes = Pick<Plan, 'B' | 'T'>;
const stepsOf = ({ B, T }: Sizes): number => B * T;
const shownOf = (sizes: Sizes): number => Math.min(stepsOf(sizes), MOST_STEPS);

/** The speed of a run that is larger than the copy, which learns otherwise: its time is the most that the run takes. */
function ofLarger({ beside, ...speed }: Speed, run: Sizes, copy: Sizes): Speed {
  const { preparing, evaluation, snapshot } = beside;
  const times = stepsOf(run) / stepsOf(copy);
  const once = { preparing: times * preparing, evaluation: times * evaluation };
  const shown = (snapshot * shownOf(run)) / shownOf(copy);
  return { ...speed, fastest: Infinity, beside: { ...beside, ...once, snapshot: shown } };
}

async function timed<A>(work: () => A | Promise<A>): Promise<{ readonly value: A; readonly seconds: number }> {
  const from = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - from) / 1000 };
}

/** Seconds that it takes to give a state to the page, and to write it. */
async function timesOfKeeping(run: Run, checkpoint: Checkpoint): Promise<Pick<Beside, 'told' | 'written'>> {
  const told = await timed(() => structuredClone(checkpoint));
  const { plan, series } = run;
  // curves are little beside it
  const curves = series.part(run.update, run.update);
  const content = { config: plan.config, checkpoint, curves, backend: run.trainedOn, isRunning: true };
  const packed = await timed(() => pack(packCheckpoint(content), 1));
  return { told: told.seconds, written: WRITES * packed.seconds };
}

/** How fast this device trains, measured on a scratch copy, for every size of a run. */
export class Calibration {
  private readonly known = new Map<string, Known>();
  private readonly nextTurn = makeYield();

  /**
   * What is known after one more trial; as it is once it is known well. Null where it cannot be told: the device has no room
   * for a copy, even its smallest update takes too long, or `isIdle` said no before the time was over.
   */
  async measure(waits: Prepared | Config, devices: Devices, isIdle: () => boolean): Promise<Speed | null> {
    const run = 'plan' in waits ? prepared(waits) : await unprepared(waits, devices);
    if (!run) return null;
    const { evalEvery } = run.plan;
    const key = `${sizesOf(run.plan, run.kind)} ${evalEvery}`;
    const before = this.known.get(key);
    if (before?.speed.isKnown) return before.speed;
    const plan = before?.plan ?? copyOf(run, MOST_PRODUCTS);
    if (!plan) return null;
    const isApart = before?.isApart ?? (run.kind === 'cpu' && productsOf(plan.config) > MOST_PRODUCTS);
    const made = isApart ? ok(parallelBackendOn(() => devices.cores.take(1))) : await devices.makeScratch(plan);
    if (!made.ok || !isIdle()) return null;
    try {
      const create = await timed(() => Run.create(plan, made.value, before?.state));
      const scratch = create.value;
      try {
        const first = before?.state ? null : await this.train(scratch, evalEvery, WARM_MS, isIdle);
        const trial = (first || before?.state) && (await this.train(scratch, evalEvery, TRIAL_MS, isIdle));
        if (!trial) return null;
        const trials = [...(before?.trials ?? []), trial];
        const shares = [...(before?.shares ?? []), ...(first?.shares ?? []), ...trial.shares];
        // trained nothing, it has nothing to show
        const shown = await timed(() => (scratch.isFresh ? null : new Snapshots().make(scratch, 0)));
        const saved = await timed(() => scratch.checkpoint());
        const kept = await timesOfKeeping(scratch, saved.value);
        if (!isIdle()) return null;
        // one that goes on begins faster
        const begun = before?.state ? before.begun : create.seconds;
        const preparing = run.isPrepared ? 0 : begun;
        const once = { preparing, snapshot: shown.seconds, checkpoint: saved.seconds, ...kept };
        const found = speedOf(trials, shares, once);
        // a smaller copy learns otherwise, and episodes that were cut short would have ended some time
        const isSmaller = plan.B < run.plan.B || plan.T < run.plan.T;
        const speed = isSmaller ? ofLarger(found, run.plan, plan) : found;
        const larger = trials.length > 1 || isApart ? null : largerCopy(run, plan, msOf(trial));
        this.known.set(
          key,
          larger
            ? { speed, trials: [], shares: [], plan: larger, isApart, begun, state: undefined }
            : { speed, trials, shares, plan, isApart, begun, state: saved.value },
        );
        return speed;
      } finally {
        scratch.dispose();
      }
    } catch (error) {
      // no room for a second copy, or the device went away: the run itself will tell
      if (run.kind === 'webgpu') return null;
      throw error;
    }
  }

  /** Trains for so long, one update at least and one of each kind, with as many in flight as a run has. */
  private async train(scratch: Run, every: number, ms: number, isIdle: () => boolean): Promise<Trial | null> {
    const inFlight: Promise<UpdateRecord>[] = [];
    const kinds = [new Kind(), new Kind()] as const;
    const full = estimateCost(scratch.plan.config, null)!.stepsPerUpdate;
    const shares: number[] = [];
    const from = performance.now();
    let [steps, at] = [0, from];
    const take = async (): Promise<void> => {
      const { update, envSteps, metrics } = await inFlight.shift()!;
      const now = performance.now();
      kinds[every > 0 && update % scratch.plan.evalEvery === 0 ? 1 : 0].add(now - at);
      at = now;
      steps += envSteps;
      shares.push(envSteps / (full * batchesIn(metrics, scratch.plan)));
    };
    const isDue = (): boolean => at - from < ms || (every > 1 && kinds.some(({ n }) => n === 0));
    do {
      while (inFlight.length < scratch.depth) inFlight.push(scratch.submit());
      await take();
      await this.nextTurn();
    } while (isIdle() && isDue());
    while (inFlight.length > 0) await take();
    const seconds = (msOfMix(kinds, every) * shares.length) / 1000;
    return isIdle() ? { steps, seconds, shares, evaluation: msOfEvaluation(kinds) / 1000 } : null;
  }
}

type Prepared = { readonly plan: Plan; readonly backend: Pick<Backend, 'kind'> };
/** What waits for Run: a run, or a plan that is too large to be prepared before. */
type Waiting = { readonly plan: Plan; readonly kind: Backend['kind']; readonly isPrepared: boolean };

const prepared = ({ plan, backend }: Prepared): Waiting => ({ plan, kind: backend.kind, isPrepared: true });

async function unprepared(config: Config, devices: Devices): Promise<Waiting | null> {
  const plan = await checkedPlan(config);
  const where = plan.ok ? await devices.where(plan.value) : plan;
  return plan.ok && where.ok ? { plan: plan.value, kind: where.value ? 'webgpu' : 'cpu', isPrepared: false } : null;
}

/**
 * The plan that is measured: that of the run without what comes before the first update, with so few tasks and episodes that an
 * update is short, which are cut short as well where the policy does not look back over the steps of an episode. Steps per
 * second hardly depend on their number on the CPU, and grow with it on a device: there what is prepared is measured as it is.
 */
function copyOf({ plan, kind, isPrepared }: Waiting, mostProducts: number): Plan | null {
  const evaluated = { 'analysis.evalEvery': Math.min(plan.evalEvery, 2), 'run.updates': UPDATES };
  const alone = configWith({ 'policy.cloneEpisodes': 0, 'run.fork': '', 'run.events': '', ...evaluated }, plan.config);
  if (kind === 'webgpu' && isPrepared) return planOf(alone);
  const share = mostProducts / productsOf(alone);
  const P = Math.max(1, Math.min(plan.P, Math.floor(plan.P * share)));
  const G = Math.min(plan.G, Math.max(leastGroup(alone), Math.floor((plan.G * plan.P * share) / P)));
  const sizes = { 'rollout.tasksPerBatch': P, 'rollout.groupSize': G };
  const minibatches = Math.min(plan.minibatches, plan.objective.wholeGroups ? P : P * G);
  const few = configWith({ ...sizes, 'objective.minibatches': minibatches }, alone);
  const products = productsOf(few);
  const { remembered, mostSteps } = networkOf(plan.config.policy.method);
  const isCut = products > mostProducts && !remembered && !mostSteps;
  const T = Math.floor((plan.T * mostProducts) / products);
  const small = isCut && T > 0 ? configWith({ [`task.${plan.env.id}.maxSteps`]: T }, few) : few;
  // a copy keeps no checkpoints
  const { cpu, besideGpu, gpu } = memoryOf(configWith({ 'run.updates': 1 }, small))!;
  const held = kind === 'cpu' ? cpu : Math.max(besideGpu, gpu);
  return productsOf(small) > Math.max(MOST_APART, mostProducts) || held > SMALL.bytes ? null : planOf(small);
}

function planOf(config: Config): Plan | null {
  const made = makePlan(config);
  return made.ok ? made.value : null;
}

/** A copy nearer to the size of the run, where an update of this one took so few seconds; null where there is none. */
function largerCopy(run: Waiting, plan: Plan, seconds: number): Plan | null {
  const isSmaller = plan.B < run.plan.B || plan.T < run.plan.T;
  const ms = 1000 * seconds;
  if (!isSmaller || ms > QUICK_MS) return null;
  const products = productsOf(plan.config);
  // smaller as long as there is no room for it: devices take far more
  for (let most = (products * QUICK_MS) / ms; most > products; most *= 0.7) {
    const larger = copyOf(run, most);
    // hardly more would not tell more
    if (larger) return stepsOf(larger) === stepsOf(run.plan) || stepsOf(larger) > 1.25 * stepsOf(plan) ? larger : null;
  }
  return null;
}

/** Batches that were played for an update: more than one where episodes are played beside it. */
export function batchesIn(metrics: Float64Array, { S, B }: Pick<Plan, 'S' | 'B'>): number {
  const played = Array.from({ length: S }, (_, s) => metrics[s * METRICS + metricIndex.episodesPlayed]!);
  return mean(played.map((episodes) => (episodes > 0 ? episodes / B : 1)));
}

/** What the time of an update depends on. */
export function sizesOf({ env, S, P, B, T, layout, config, epochs, minibatches }: Plan, backend: string): string {
  const { rollout } = config;
  const plays = [rollout.method, JSON.stringify(rollout[rollout.method])];
  const methods = [env.id, config.policy.method, config.advantage.method, config.objective.method, ...plays];
  return [backend, ...methods, S, P, B, T, layout.size, epochs, minibatches].join(' ');
}
