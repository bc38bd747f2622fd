import { estimateCost } from '../config/cost.ts';
import { leastGroup, productsOf } from '../config/caps.ts';
import { configWith } from '../config/schema.ts';
import type { UpdateRecord } from '../engine/backend.ts';
import { makePlan, type Plan } from '../engine/plan.ts';
import { Run } from '../engine/run.ts';
import { mean } from '../core/stats.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import type { Devices } from './devices.ts';
import { makeYield } from './pace.ts';
import type { Speed } from './protocol.ts';

/** First updates fill caches and find how much a device can be given at once. */
const WARM_MS = 50;
/** Several short trials rather than one long one: how far they lie apart is how far the estimate can be trusted. */
const TRIALS = 5;
const TRIAL_MS = 40;

/** Most multiplications of an update that is measured on the CPU, which answers nobody while it works: less than a second. */
const MOST_PRODUCTS = 2e9;

/** What one trial has come to: environment steps, the same at full length, and how long that took. */
export type Trial = { readonly steps: number; readonly fullSteps: number; readonly seconds: number };

/** Speed of all trials together, and the slowest and fastest of them. */
export function speedOf(trials: readonly Trial[]): Speed {
  const all = (of: (trial: Trial) => number): number => trials.reduce((sum, trial) => sum + of(trial), 0);
  const seconds = all((t) => t.seconds);
  const rates = trials.map((t) => t.fullSteps / t.seconds);
  return {
    stepsPerSecond: all((t) => t.steps) / seconds,
    fullStepsPerSecond: all((t) => t.fullSteps) / seconds,
    slowest: Math.min(...rates),
    fastest: Math.max(...rates),
  };
}

/** How fast this device trains, measured on a scratch copy once for every size of a run. */
export class Calibration {
  private readonly known = new Map<string, Speed>();
  private readonly nextTurn = makeYield();

  /**
   * Null where it cannot be told: the device has no room for a copy, even its smallest update takes too long, or `isIdle`
   * said no before the time was over.
   */
  async measure(run: Run, devices: Devices, isIdle: () => boolean): Promise<Speed | null> {
    const plan = copyOf(run);
    if (!plan) return null;
    const key = sizesOf(plan, run.backend.kind);
    const before = this.known.get(key);
    if (before) return before;
    const made = await devices.makeScratch(plan);
    if (!made.ok || !isIdle()) return null;
    try {
      const scratch = await Run.create(plan, made.value);
      try {
        await this.train(scratch, WARM_MS, isIdle);
        const speed = await this.trials(scratch, isIdle);
        if (speed) this.known.set(key, speed);
        return speed;
      } finally {
        scratch.dispose();
      }
    } catch (error) {
      // no room for a second copy, or the device went away: the run itself will tell
      if (run.backend.kind === 'webgpu') return null;
      throw error;
    }
  }

  /** All trials put together, with the slowest and the fastest of them. */
  private async trials(scratch: Run, isIdle: () => boolean): Promise<Speed | null> {
    const trials: Trial[] = [];
    for (let k = 0; k < TRIALS; k++) {
      const trial = await this.train(scratch, TRIAL_MS, isIdle);
      if (!trial) return null;
      trials.push(trial);
    }
    return speedOf(trials);
  }

  /** Trains for so long, one update at least, with as many in flight as a run has. */
  private async train(scratch: Run, ms: number, isIdle: () => boolean): Promise<Trial | null> {
    const inFlight: Promise<UpdateRecord>[] = [];
    const from = performance.now();
    let [steps, batches] = [0, 0];
    const count = ({ envSteps, metrics }: UpdateRecord): void => {
      steps += envSteps;
      batches += batchesIn(metrics, scratch.plan);
    };
    do {
      while (inFlight.length < scratch.depth) inFlight.push(scratch.submit());
      count(await inFlight.shift()!);
      await this.nextTurn();
    } while (isIdle() && performance.now() - from < ms);
    (await Promise.all(inFlight)).forEach(count);
    const seconds = (performance.now() - from) / 1000;
    const full = estimateCost(scratch.plan.config, null)?.stepsPerUpdate ?? steps / batches;
    return isIdle() ? { steps, fullSteps: full * batches, seconds } : null;
  }
}

/**
 * The plan that is measured: that of the run without what comes before the first update, and on the CPU with so few tasks
 * and episodes that an update is short. Steps per second hardly depend on their number there.
 */
function copyOf({ plan, backend }: Run): Plan | null {
  const alone = configWith({ 'policy.cloneEpisodes': 0, 'run.fork': '', 'run.events': '' }, plan.config);
  const share = backend.kind === 'cpu' ? MOST_PRODUCTS / productsOf(alone) : 1;
  const P = Math.max(1, Math.min(plan.P, Math.floor(plan.P * share)));
  const G = Math.min(plan.G, Math.max(leastGroup(alone), Math.floor((plan.G * plan.P * share) / P)));
  const sizes = { 'rollout.tasksPerBatch': P, 'rollout.groupSize': G };
  const minibatches = Math.min(plan.minibatches, plan.objective.wholeGroups ? P : P * G);
  const small = configWith({ ...sizes, 'objective.minibatches': minibatches }, alone);
  if (backend.kind === 'cpu' && productsOf(small) > MOST_PRODUCTS) return null;
  const made = makePlan(small);
  return made.ok ? made.value : null;
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
