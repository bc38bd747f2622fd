import type { Gpu } from '../gpu/device.ts';
import { Profiler, type Timed } from '../gpu/profiler.ts';
import { whenDone } from '../gpu/deviceWait.ts';
import type { Backend, MakeBackend } from '../engine/backend.ts';
import type { Plan } from '../engine/plan.ts';
import { PROFILED_SLOTS, type Bar, type KernelProfile, type Profile, type ProfiledSlot } from './profileTypes.ts';
import type { Checkpoint } from '../engine/run.ts';
import { TaskFeed } from '../engine/taskFeed.ts';

const WARM_UP = 2;
/** On the CPU path single updates may be shorter than what a clock or a collection of garbage weighs. */
const LEAST_MS = 200;

/**
 * Trains a scratch copy from a checkpoint. On WebGPU: a few updates as the run would, for the honest total, then a few
 * with the profiler between the lists and the device, where slots are waited for one by one, so that their times do not
 * overlap. On the CPU path slots are timed as they are, and their sum is the total: at least `updates`, and so many as fill
 * LEAST_MS.
 */
export async function profileRun(
  plan: Plan,
  from: Checkpoint,
  makeBackend: MakeBackend,
  gpu: Gpu | null,
  updates: number,
): Promise<Profile> {
  const backend = await makeBackend(plan, from.state);
  const onGpu = backend.kind === 'webgpu' && gpu !== null;
  try {
    const work = new Work(plan, backend, from.state);
    for (let k = 0; k < WARM_UP; k++) await work.update();
    const plain = onGpu ? await work.timed(updates) : null;
    const profiler = onGpu ? new Profiler(gpu) : null;
    const memory = Object.entries(backend.memory()).map(([label, bytes]) => ({ label, bytes }));
    if (onGpu) gpu.profiler = profiler;
    const seen: Bar[] = [];
    const start = performance.now();
    let [done, steps] = [0, 0];
    for (; done < updates || (!onGpu && performance.now() - start < LEAST_MS); done++) {
      const k = done;
      if (profiler) profiler.update = k;
      steps += await work.update(async (slot, run) => {
        if (profiler) profiler.slot = slot;
        const began = performance.now();
        await run();
        const us = 1000 * (performance.now() - began);
        // the device ends one slot before the next begins; what it does meanwhile is counted by its own clock
        if (onGpu) await whenDone(gpu.device.queue);
        seen.push({ track: 'worker', name: slot, slot, update: k, startUs: 1000 * (began - start), us });
      });
    }
    const ms = performance.now() - start;
    if (onGpu) gpu.profiler = null;
    await profiler?.finish();
    const timed = profiler?.timed ?? [];
    return {
      backend: backend.kind,
      device: backend.description,
      runDevice: backend.description,
      updates: done,
      clock: profiler?.clock ?? 'wall',
      stampUs: profiler?.stampUs ?? null,
      ...(plain ?? { updateMs: ms / done, stepsPerSecond: (1000 * steps) / ms }),
      slots: PROFILED_SLOTS.map((slot) => {
        const own = timed.filter((t) => t.slot === slot);
        const cpu = seen.filter((bar) => bar.slot === slot).reduce((sum, bar) => sum + bar.us, 0);
        return {
          slot,
          cpuMs: cpu / 1000 / done,
          gpuMs: profiler ? sumMs(own) / done : null,
          dispatches: own.length / done,
          bytes: own.reduce((sum, t) => sum + t.bytes, 0) / done,
        };
      }),
      kernels: kernelsOf(timed, done),
      memory: memory.sort((a, b) => b.bytes - a.bytes),
      bars: [...seen, ...barsOf(timed)],
    };
  } finally {
    if (gpu) gpu.profiler = null;
    backend.dispose();
  }
}

type Around = (slot: ProfiledSlot, run: () => void | Promise<unknown>) => Promise<void>;

/** Updates of the scratch copy, one after the other. */
export class Work {
  private readonly plan: Plan;
  private readonly backend: Backend;
  private readonly feed: TaskFeed;
  private next: number;

  constructor(plan: Plan, backend: Backend, from: Checkpoint['state']) {
    this.plan = plan;
    this.backend = backend;
    this.feed = new TaskFeed(plan, from);
    this.next = from.update;
  }

  /** Environment steps of one update. `around` is given each slot to run. */
  async update(around: Around = async (_slot, run) => void (await run())): Promise<number> {
    const { plan, backend } = this;
    const u = this.next++;
    let envSteps = 0;
    await around('rollout', () => backend.rollout(this.feed.tasks(u), 'train'));
    await around('credit', () => backend.credit());
    await around('optimize', () => backend.optimize(u, plan.live));
    await around('report', async () => {
      const record = await backend.finish(u);
      this.feed.settle(record);
      envSteps = record.envSteps;
    });
    return envSteps;
  }

  async timed(updates: number): Promise<Pick<Profile, 'updateMs' | 'stepsPerSecond'>> {
    const from = performance.now();
    let steps = 0;
    for (let k = 0; k < updates; k++) steps += await this.update();
    const ms = performance.now() - from;
    return { updateMs: ms / updates, stepsPerSecond: (1000 * steps) / ms };
  }
}

const sumMs = (timed: readonly Timed[]): number => timed.reduce((sum, t) => sum + (t.us ?? 0), 0) / 1000;

function kernelsOf(timed: readonly Timed[], updates: number): KernelProfile[] {
  const groups = new Map<string, Timed[]>();
  for (const t of timed) {
    const key = `${t.slot} ${t.kernel}`;
    const known = groups.get(key);
    if (known) known.push(t);
    else groups.set(key, [t]);
  }
  return [...groups.values()]
    .map((own) => ({
      kernel: own[0]!.kernel,
      slot: own[0]!.slot as ProfiledSlot,
      calls: own.length / updates,
      ms: sumMs(own) / updates,
      bytes: own.reduce((sum, t) => sum + t.bytes, 0) / updates,
    }))
    .sort((a, b) => b.ms - a.ms);
}

/** Estimated kernels have no place in time: they are laid one after the other. */
function barsOf(timed: readonly Timed[]): Bar[] {
  let at = 0;
  return timed.map((t) => {
    const startUs = t.startUs ?? at;
    const us = t.us ?? 0;
    at = startUs + us;
    return { track: 'gpu' as const, name: t.kernel, slot: t.slot as ProfiledSlot, update: t.update, startUs, us };
  });
}

/**
 * The profile as a trace-event file, which Perfetto and chrome://tracing open (Trace Event Format, complete events).
 * The two tracks have clocks of their own, each starting at 0.
 */
export function traceOf(profile: Profile): string {
  const TRACKS = { worker: 1, gpu: 2 } as const;
  const names = { worker: 'worker', gpu: profile.clock === 'repeats' ? 'kernels (estimated)' : 'kernels' };
  const meta = (['worker', 'gpu'] as const).map((track) => ({
    name: 'thread_name',
    ph: 'M',
    pid: 1,
    tid: TRACKS[track],
    args: { name: names[track] },
  }));
  const events = profile.bars.map(({ track, name, slot, update, startUs, us }) => ({
    name,
    cat: slot,
    ph: 'X',
    pid: 1,
    tid: TRACKS[track],
    ts: startUs,
    dur: us,
    args: { slot, update },
  }));
  const { backend, device, clock, stampUs, updateMs, stepsPerSecond } = profile;
  const otherData = { backend, device, clock, stampUs, updateMs, stepsPerSecond };
  return JSON.stringify({ displayTimeUnit: 'ms', otherData, traceEvents: [...meta, ...events] });
}
