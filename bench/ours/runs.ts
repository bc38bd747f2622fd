import { configWith } from '../../src/config/schema.ts';
import { problemLine } from '../../src/config/problems.ts';
import type { Config } from '../../src/config/slots.ts';
import type { Gpu } from '../../src/gpu/device.ts';
import { metricIndex } from '../../src/slots/metrics/metrics.ts';
import type { MakeBackend, UpdateRecord } from '../../src/engine/backend.ts';
import { makeCpuBackend } from '../../src/engine/cpu/cpuBackend.ts';
import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { profileRun } from '../../src/lab/profile.ts';
import type { ProfiledSlot } from '../../src/lab/profileTypes.ts';
import { createRun, type Run } from '../../src/engine/run.ts';
import type { Contender } from '../types.ts';

export type Changes = Readonly<Record<string, unknown>>;

/** Where a run trains: on a device, on one core of the CPU, or as a backend has it. */
type Where = Gpu | MakeBackend | null;

/** The lab's own run of a config. Evaluations are off. */
export async function labRun(where: Where, changes: Changes): Promise<Run> {
  const config = configWith({ 'analysis.evalEvery': 0, 'run.seeds': 1, 'run.updates': 100_000, ...changes });
  return openRun(where, config);
}

/** A run of a whole config; fails with a sentence. */
export async function openRun(where: Where, config: Config): Promise<Run> {
  const make = typeof where === 'function' ? where : where ? gpuBackendOn(where) : makeCpuBackend;
  const made = await createRun(config, make);
  if (!made.ok) throw new Error(problemLine(made.problem));
  return made.value;
}

/** Does `count` updates as the lab does, as many in flight as the backend allows, and waits for the last record. */
export async function updates(run: Run, count: number): Promise<UpdateRecord> {
  const inFlight: Promise<UpdateRecord>[] = [];
  let last: UpdateRecord | null = null;
  for (let k = 0; k < count; k++) {
    inFlight.push(run.submit());
    if (inFlight.length >= run.backend.depth) last = await inFlight.shift()!;
  }
  for (const record of inFlight) last = await record;
  if (!last) throw new Error('No update was asked for.');
  const bad = last.bad.find((slot) => slot !== 0);
  if (bad !== undefined) throw new Error(`a number was not finite after update ${last.update}`);
  return last;
}

/** The kernels of a slot that take most of an update's device time, in per cent of the update: `keyMatch 3.1 %, …`. */
export async function heaviest(run: Run, gpu: Gpu, slot: ProfiledSlot): Promise<string> {
  const { kernels } = await profileRun(run.plan, await run.checkpoint(), gpuBackendOn(gpu), gpu, 1);
  const total = kernels.reduce((sum, { ms }) => sum + ms, 0);
  return kernels
    .filter((k) => k.slot === slot)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 4)
    .map(({ kernel, ms }) => `${kernel} ${((100 * ms) / total).toFixed(1)} %`)
    .join(', ');
}

/** Share of won episodes in the last `over` updates. */
export function success(run: Run, over: number): number {
  const { series } = run;
  let sum = 0;
  for (let u = series.length - over; u < series.length; u++) sum += series.at(u, 0, metricIndex.success);
  return sum / over;
}

export type TimedUpdate = {
  readonly changes: Changes;
  readonly rates: { readonly learning: number; readonly timed: number };
  readonly checkUpdates: number;
};

/**
 * Updates of the lab as a contender. With one learning rate it must learn within `checkUpdates`; the clock sees another one
 * near 0, so that episodes keep their length and everyone does equal work. The check gives the share of won episodes, and the
 * digest of what was learned.
 */
export async function oursUpdate(name: string, where: Where, update: TimedUpdate): Promise<Contender> {
  const { changes, rates, checkUpdates } = update;
  const timed = await labRun(where, { ...changes, 'optimizer.learningRate': rates.timed });
  return {
    name,
    async run(times) {
      await updates(timed, times);
    },
    async check() {
      const learning = await labRun(where, { ...changes, 'optimizer.learningRate': rates.learning });
      await updates(learning, checkUpdates);
      const share = success(learning, 3);
      const { all } = await learning.digest();
      learning.dispose();
      return Float32Array.of(share, ...Array.from(all, (letter) => letter.charCodeAt(0)));
    },
    dispose: () => timed.dispose(),
  };
}
