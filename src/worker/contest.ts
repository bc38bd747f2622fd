import { productsOf } from '../config/caps.ts';
import { memoryOf } from '../config/memory.ts';
import type { Backend, MakeBackend, UpdateRecord } from '../engine/backend.ts';
import { gpuProblem } from '../engine/gpu/errors.ts';
import type { Plan } from '../engine/plan.ts';
import { Run, type Checkpoint } from '../engine/run.ts';
import { backendKey } from '../engine/story.ts';
import { sizesOf } from './calibration.ts';
import type { Cores } from './cores.ts';
import { makeYield } from './pace.ts';
import type { Choice } from './protocol.ts';
import type { RowCores } from './rowCores.ts';

/** WebGPU takes over where it is so many times as fast: less is within what measurements differ by. */
export const CLEARLY = 1.2;
/** First updates fill caches and find how much a device can be given at once. */
const WARM_MS = 50;
/** Updates of one trial last this long at least, and there is one update. */
const TRIAL_MS = 120;

/** What a run, its copy and a device may take at once, and the multiplications of an update that somebody can wait for on the CPU path. */
const MOST_BYTES = 512 * 2 ** 20;
const MOST_PRODUCTS = 2e9;

/** What was found, and where a run goes on. */
export type Verdict = { readonly choice: Choice; readonly winner: Backend['kind'] };

/** Environment steps per second of both paths, from the same state of the same run; the CPU path on so many cores. */
export type Rates = { readonly webgpu: number; readonly cpu: number; readonly cores: number };

/** The CPU path on so many cores. */
export type CpuWay = { readonly cores: number; readonly make: MakeBackend };
/** What the CPU path of this machine runs on. */
type CpuCores = Pick<Cores, 'most' | 'make'> & { ofRows(): Promise<Pick<RowCores, 'ways' | 'rest'> | null> };

/** Which path is the faster one. A tie stays on the CPU path, which repeats every bit everywhere. */
export const winnerOf = ({ webgpu, cpu }: Pick<Rates, 'webgpu' | 'cpu'>): Backend['kind'] =>
  webgpu >= CLEARLY * cpu ? 'webgpu' : 'cpu';

/** What was measured on this device, by what the time of an update depends on. */
const known = new Map<string, Rates>();
const sizesIn = (plan: Plan): string => sizesOf(plan, 'both');

/**
 * What is known of a plan before anything is measured: the rates of an equal run, or that it is too large to be tried twice
 * and trains on WebGPU; null: both paths have to be tried.
 */
export function verdictFor(plan: Plan): Verdict | null {
  const rates = known.get(sizesIn(plan));
  if (rates) return { choice: { kind: 'measured', ...rates }, winner: winnerOf(rates) };
  const memory = memoryOf(plan.config);
  const isSmall =
    memory !== null && 2 * memory.cpu + memory.gpu <= MOST_BYTES && productsOf(plan.config) <= MOST_PRODUCTS;
  return isSmall ? null : { choice: { kind: 'large' }, winner: 'webgpu' };
}

/** Environment steps per second from a state between two updates; null where nobody wants to know any more. */
export type Trial = (run: Run, from: Checkpoint, backend: Backend, isWanted: () => boolean) => Promise<number | null>;

/** On the arrays of the backend itself; whoever needs them afterwards loads them again. */
export const trialBy =
  (now: () => number, nextTurn: () => Promise<void>): Trial =>
  async (run, from, backend, isWanted) => {
    const lent: MakeBackend = async (_plan, state) => {
      backend.load(state);
      return backend;
    };
    const scratch = await Run.create(run.whole, lent, from);
    // another backend may follow from another update on: that is not what is measured
    const key = backendKey(run.whole, from.state.update);
    const isLeft = (): boolean => scratch.update < scratch.updates && backendKey(run.whole, scratch.update) === key;
    const train = async (ms: number): Promise<number | null> => {
      const inFlight: Promise<UpdateRecord>[] = [];
      const begun = now();
      let [steps, at] = [0, begun];
      const count = ({ envSteps }: UpdateRecord): void => void ([steps, at] = [steps + envSteps, now()]);
      do {
        while (inFlight.length < Math.max(1, scratch.depth) && isLeft()) inFlight.push(scratch.submit());
        const oldest = inFlight.shift();
        if (!oldest) break;
        count(await oldest);
        await nextTurn();
      } while (isWanted() && at - begun < ms);
      (await Promise.all(inFlight)).forEach(count);
      return isWanted() && at > begun ? (steps * 1000) / (at - begun) : null;
    };
    const warm = await train(WARM_MS);
    // a run of few updates is over before it is warm
    return warm !== null && isLeft() ? train(TRIAL_MS) : warm;
  };

export const trialHere = (): Trial => trialBy(() => performance.now(), makeYield());

/**
 * A run that trains on the CPU path, and a backend on a device that was made beside it. Both are measured on arrays
 * of their own from the same state; the run goes on upon the faster one.
 */
export class Contest {
  private readonly rival: Backend;
  private readonly trial: Trial;
  private readonly cores: CpuCores;
  private isTaken = false;

  constructor(rival: Backend, trial: Trial, cores: CpuCores) {
    this.rival = rival;
    this.trial = trial;
    this.cores = cores;
  }

  /**
   * Between two updates: measures both from this state, and puts the run on WebGPU where that is clearly faster. Null where
   * nobody waits for it any more; the run is as it was.
   * @param again makes backends that the run needs later
   */
  async decide(run: Run, from: Checkpoint, again: MakeBackend, isWanted: () => boolean): Promise<Verdict | null> {
    const { plan } = run.startOf(from);
    const { most, make } = this.cores;
    // several seeds are spread as they are, over all cores; the rows of one in the ways that there are, from one core to all
    const rows = plan.S > 1 ? null : await this.cores.ofRows();
    const [least, ...more] = rows?.ways(plan) ?? [{ cores: Math.max(1, Math.min(most, plan.S)), make }];
    const here = await this.measureWay(least!, run, from, isWanted);
    const there = here === null ? null : await this.measureRival(run, from, isWanted);
    if (here === null || there === null || !isWanted()) return null;
    if (typeof there !== 'number') return { choice: there, winner: 'cpu' };
    let rates: Rates = { webgpu: there, cpu: here, cores: least!.cores };
    for (const way of more) {
      // others are called only where they could change who wins
      if (winnerOf({ webgpu: there, cpu: (here * way.cores) / least!.cores }) === 'webgpu') continue;
      if (winnerOf(rates) === 'cpu') break;
      // cores that do not come are none
      const rate = await this.measureWay(way, run, from, isWanted).catch(() => 0);
      if (rate === null || !isWanted()) return null;
      if (rate > rates.cpu) rates = { webgpu: there, cpu: rate, cores: way.cores };
    }
    known.set(sizesIn(run.plan), rates);
    const winner = winnerOf(rates);
    if (winner === 'webgpu') await run.restore(from, this.handOut(again));
    // a run that goes on with several cores calls them when it has found how many
    rows?.rest();
    return { choice: { kind: 'measured', ...rates }, winner };
  }

  private async measureWay(way: CpuWay, run: Run, from: Checkpoint, isWanted: () => boolean): Promise<number | null> {
    const { plan, state } = run.startOf(from);
    const backend = await way.make(plan, state);
    return this.trial(run, from, backend, isWanted).finally(() => backend.dispose());
  }

  /** A device that fails in its trial has lost; why is told. */
  private async measureRival(run: Run, from: Checkpoint, isWanted: () => boolean): Promise<number | null | Choice> {
    try {
      return await this.trial(run, from, this.rival, isWanted);
    } catch (error) {
      return failed(error);
    }
  }

  /** Gives the rival once; backends for other plans are made anew. */
  private handOut(again: MakeBackend): MakeBackend {
    return async (plan, state) => {
      if (this.isTaken) return again(plan, state);
      this.isTaken = true;
      this.rival.load(state);
      return this.rival;
    };
  }

  /** Frees what is on the device, unless the run goes on there. */
  leave(): void {
    if (!this.isTaken) this.rival.dispose();
  }
}

/** The device could not be tried. */
export const failed = (error: unknown): Choice => ({
  kind: 'failed',
  why: gpuProblem(error) ?? { kind: 'unexpected', message: error instanceof Error ? error.message : String(error) },
});
