import { estimateCost } from '../config/cost.ts';
import type { UpdateRecord } from '../train/backend.ts';
import type { Plan } from '../train/plan.ts';
import { Run } from '../train/run.ts';
import type { Devices } from './devices.ts';
import { makeYield } from './pace.ts';
import type { Speed } from './protocol.ts';

/** First updates fill caches and find how much a device can be given at once. */
const WARM_MS = 50;
const MEASURE_MS = 200;

/** How fast this device trains, measured on a scratch copy once for every size of a run. */
export class Calibration {
  private readonly known = new Map<string, Speed>();
  private readonly nextTurn = makeYield();

  /** Null where it cannot be told: the device has no room for a copy, or `isIdle` said no before the time was over. */
  async measure(run: Run, devices: Devices, isIdle: () => boolean): Promise<Speed | null> {
    const { plan } = run;
    const key = sizesOf(plan, run.backend.kind);
    const before = this.known.get(key);
    if (before) return before;
    const made = await devices.make(plan);
    if (!made.ok || !isIdle()) return null;
    try {
      const scratch = await Run.create(plan, made.value);
      try {
        await this.train(scratch, WARM_MS, isIdle);
        const speed = await this.train(scratch, MEASURE_MS, isIdle);
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

  /** Trains for so long, one update at least, with as many in flight as a run has. */
  private async train(scratch: Run, ms: number, isIdle: () => boolean): Promise<Speed | null> {
    const inFlight: Promise<UpdateRecord>[] = [];
    const from = performance.now();
    let [steps, updates] = [0, 0];
    do {
      while (inFlight.length < scratch.backend.depth) inFlight.push(scratch.submit());
      steps += (await inFlight.shift()!).envSteps;
      updates++;
      await this.nextTurn();
    } while (isIdle() && performance.now() - from < ms);
    for (const { envSteps } of await Promise.all(inFlight)) {
      steps += envSteps;
      updates++;
    }
    const seconds = (performance.now() - from) / 1000;
    const full = estimateCost(scratch.plan.config, null)?.stepsPerUpdate ?? steps / updates;
    return isIdle() ? { stepsPerSecond: steps / seconds, fullStepsPerSecond: (full * updates) / seconds } : null;
  }
}

/** What the time of an update depends on. */
function sizesOf({ env, S, P, B, T, layout, config, epochs, minibatches }: Plan, backend: string): string {
  const methods = [env.id, config.policy.method, config.advantage.method, config.objective.method];
  return [backend, ...methods, S, P, B, T, layout.size, epochs, minibatches].join(' ');
}
