import { PROFILED_SLOTS, type Profile } from '../train/profileTypes.ts';
import { makeCpuBackend } from '../train/cpu/cpuBackend.ts';
import { profileRun, traceOf } from '../train/profile.ts';
import { Run } from '../train/run.ts';
import type { Devices } from './devices.ts';

/** Updates a profile looks at: enough for a steady mean, few enough to be over soon. */
const UPDATES = 3;

/** Profiles a scratch copy of a waiting run, and keeps the last trace for whoever wants the file. */
export class Profiling {
  private trace: string | null = null;

  /** Null where the device of the run cannot be had just now. */
  async measure(run: Run, devices: Devices): Promise<Profile | null> {
    const made = await devices.make(run.plan);
    if (!made.ok) return null;
    // slots that are worked on by several cores at once have no time of their own: one core is looked at
    const make = run.backend.kind === 'cpu' ? makeCpuBackend : made.value;
    const profile = await profileRun(run.plan, await run.checkpoint(), make, devices.opened, UPDATES);
    this.trace = traceOf(profile);
    // the page draws one update; the file holds them all
    return { ...profile, bars: profile.bars.filter((bar) => bar.update === UPDATES - 1) };
  }

  /** Trains a scratch copy for up to 200 ms; the run itself does not move. */
  async calibrate({ plan }: Run, devices: Devices): Promise<{ stepsPerSecond: number } | null> {
    const made = await devices.make(plan);
    if (!made.ok) return null;
    const scratch = await Run.create(plan, made.value);
    await scratch.submit();
    const from = performance.now();
    let steps = 0;
    while (performance.now() - from < 200) steps += (await scratch.submit()).envSteps;
    const stepsPerSecond = (steps * 1000) / (performance.now() - from);
    scratch.dispose();
    return { stepsPerSecond };
  }

  /** The last profile as a trace-event file. */
  file(): string {
    return this.trace ?? JSON.stringify({ traceEvents: [], slots: PROFILED_SLOTS });
  }
}
