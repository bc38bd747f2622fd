import { canonicalJson } from '../../config/canonical.ts';
import type { Config } from '../../config/slots.ts';
import { prepareTask } from '../../config/level.ts';
import { configWith } from '../../config/schema.ts';
import type { MakeBackend } from '../../engine/backend.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { Run } from '../../engine/run.ts';
import { planTogether } from '../../engine/together.ts';
import { trainsOnCpu } from '../../engine/trainsOnCpu.ts';
import type { Final } from '../../lab/bundle/weightLimit.ts';
import type { RunRecord } from '../../lab/runs/record.ts';
import { cellOf } from '../../lab/runs/ofSweep.ts';
import { trainRun, type Begun } from '../../lab/sweep/cell.ts';
import { packCheckpoint, readCheckpoint } from '../../store/checkpoints.ts';
import type { Packed } from '../../store/packed.ts';
import { makeYield } from '../pace.ts';
import type { Told } from '../protocol.ts';
import { Telling } from '../telling.ts';
import { begunRun, kept, keepDone, keepFailed, type CellEnd, type KeepRuns } from './ends.ts';
import { Midway, type Places } from './midway.ts';

/** Seconds of an update of all that train together, and environment steps that each takes in it, at the beginning. */
export type CellPace = { readonly secondsPerUpdate: number; readonly stepsPerUpdate: number };

/** How far runs are: the share of each, the seconds they have trained, and how those have ended that are over. */
export type Tell = Told<[shares: readonly number[], seconds: number, ends: readonly (CellEnd | null)[]]>;

/** Trains runs of a sweep, one after the other on a core of its own, or several at once on WebGPU. */
export interface CellTrainer {
  /**
   * Trains runs from their beginning, or on from their checkpoint, and keeps each with its curves as soon as it has
   * ended: one on the CPU path, or several of one kind (`kindOf`) on WebGPU.
   */
  train(runs: readonly RunRecord[], tell: Tell): Promise<readonly CellEnd[]>;
  /** Between two updates it waits as long as it is held. */
  hold(isHeld: boolean): Promise<void>;
  /** How fast configs train together here; null where that cannot be told. */
  measure(configs: readonly Config[]): Promise<CellPace | null>;
}

/** A graphics device that cells train on. */
export type CellDevice = {
  readonly make: MakeBackend;
  /** the sentence of why nothing trains on it any more; null: it is there */
  readonly gone: () => Promise<string | null>;
};
/** Opens it, once; a sentence where there is none. */
export type OpenDevice = () => Promise<CellDevice | string>;

/** What training needs from where it happens. */
export type Surroundings = {
  readonly keep: KeepRuns;
  readonly places: Places;
  readonly open: OpenDevice;
  /** lets messages be heard, and waits while it is held */
  readonly pause: () => Promise<void>;
};

/** Milliseconds between two messages about progress, and between two turns for messages that wait. */
export const TELL_MS = 250;
export const TURN_MS = 20;
const MEASURE_MS = 150;
const MANY = 20_000;

const NO_DEVICE: OpenDevice = () => Promise.resolve('No graphics device can be opened here.');

/** Trains in the thread that it is called in. */
export class OwnThread implements CellTrainer {
  private readonly around: Surroundings;
  private readonly nextTurn = makeYield();
  private held: Promise<void> | null = null;
  private release = (): void => undefined;

  constructor(keep: KeepRuns, places: Places, open: OpenDevice = NO_DEVICE) {
    const pause = async (): Promise<void> => {
      await this.nextTurn();
      while (this.held) await this.held;
    };
    this.around = { keep, places, open, pause };
  }

  async train(runs: readonly RunRecord[], tell: Tell): Promise<readonly CellEnd[]> {
    if (runs[0]!.backend === 'cpu') return [await trainAlone(runs[0]!, tell, this.around)];
    // loaded where something trains on WebGPU
    const { trainBatch } = await import('./batch.ts');
    return trainBatch(runs, tell, this.around);
  }

  hold(isHeld: boolean): Promise<void> {
    if (isHeld) this.held ??= new Promise((resolve) => (this.release = resolve));
    else {
      this.held = null;
      this.release();
    }
    return Promise.resolve();
  }

  /** Weights and last batch of a run that has finished on the CPU path, by training it again; or why there are none. */
  async final(run: RunRecord): Promise<Final | string> {
    const { finalOf } = await import('../../lab/bundle/finalState.ts');
    return finalOf(cellOf(run, '', 0), run.digest!);
  }

  async measure(configs: readonly Config[]): Promise<CellPace | null> {
    const [first] = configs;
    await prepareTask(first!);
    // as long as it is measured it is not over
    const plan = planTogether(configs.map((config) => configWith({ 'run.updates': MANY }, config)));
    if (!plan.ok) return null;
    const isOnCpu = first!.run['backend'] === 'cpu' || trainsOnCpu(plan.value);
    const device = isOnCpu ? { make: makeCpuBackend } : await this.around.open();
    if (typeof device === 'string') return null;
    const run = await Run.create(plan.value, device.make);
    try {
      // the first update fills caches, and evaluates
      await run.submit();
      const [from, since] = [performance.now(), run.update];
      do await run.submit();
      while (performance.now() - from < MEASURE_MS);
      const updates = run.update - since;
      const steps = run.series.envSteps(run.update - 1) - run.series.envSteps(since - 1);
      return {
        secondsPerUpdate: (performance.now() - from) / 1000 / updates,
        stepsPerUpdate: steps / updates,
      };
    } finally {
      run.dispose();
    }
  }
}

/** Trains one run on the CPU path. */
async function trainAlone(run: RunRecord, tell: Tell, { keep, places, pause }: Surroundings): Promise<CellEnd> {
  const { id, config } = run;
  const midway = new Midway(places);
  const telling = new Telling(tell, TELL_MS);
  let turned = performance.now();
  const between = async (share: number, at: Run, seconds: number): Promise<void> => {
    const now = performance.now();
    if (telling.isDue(now)) telling.say(now, [share], seconds, [null]);
    if (now - turned < TURN_MS) return;
    await midway.offer(id, async () => {
      const [checkpoint, curves] = [await at.checkpoint(), at.series.part(0, at.update)];
      return packCheckpoint({ config, checkpoint, curves, seconds, backend: 'cpu', isRunning: true });
    });
    await pause();
    turned = performance.now();
  };
  const begin = async (): Promise<CellEnd> => {
    const running = begunRun(run);
    const asked = await kept(keep, running, [], null);
    if (asked) return asked;
    const begun = await midway.read([id], (packed) => begunAt(packed, config));
    const trained = await trainRun(cellOf(run, '', 0), { between, begun });
    if ('problem' in trained) return keepFailed(keep, run, trained.problem);
    return keepDone(keep, running, { ...trained, series: trained.run.series });
  };
  const end = await begin();
  // where the end could not be kept, it is what the run goes on from
  if (end.kind !== 'unkept') await midway.drop();
  return end;
}

/** Where a run of this config stands by its checkpoint; null where it is one of something else. */
function begunAt(packed: Packed, config: Config): Begun | null {
  const read = readCheckpoint(packed);
  if (!read.ok || canonicalJson(read.config) !== canonicalJson(config)) return null;
  const { checkpoint, curves, seconds = 0 } = read;
  return { checkpoint, curves, seconds };
}
