import { PROFILED_SLOTS, type Profile } from '../lab/profileTypes.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import type { Config } from '../config/slots.ts';
import type { Run } from '../engine/run.ts';
import type { Calibration } from './calibration.ts';
import type { Devices } from './devices.ts';
import type { Speed } from './protocol.ts';
import { LOST, unlessLost } from './troubles.ts';

/** Updates a profile looks at: enough for a steady mean, few enough to be over soon. */
const UPDATES = 3;

/** Profiles a scratch copy of a waiting run, and keeps the last trace for whoever wants the file. */
export class Profiling {
  private trace: string | null = null;
  private calibration: Calibration | null = null;
  /** ends when nothing is being calibrated */
  calibrated: Promise<unknown> = Promise.resolve();

  /** Null where the device of the run cannot be had just now, or goes away meanwhile. */
  async profile(run: Run, devices: Devices): Promise<Profile | null> {
    const profile = await unlessLost(run, this.measure(run, devices));
    return profile === LOST ? null : profile;
  }

  private async measure(run: Run, devices: Devices): Promise<Profile | null> {
    const made = await devices.makeScratch(run.plan);
    if (!made.ok) return null;
    const { profileRun, traceOf } = await import('../lab/profile.ts');
    // slots that are worked on by several cores at once have no time of their own: one core is looked at
    const make = run.backend.kind === 'cpu' ? makeCpuBackend : made.value;
    const found = await profileRun(run.plan, await run.checkpoint(), make, devices.opened, UPDATES);
    const profile = { ...found, runDevice: run.backend.description };
    this.trace = traceOf(profile);
    // the page draws one update; the file holds them all
    return { ...profile, bars: profile.bars.filter((bar) => bar.update === profile.updates - 1) };
  }

  /** How fast this device trains what waits: the run, or else a config that has not been prepared, until it waits no more. */
  calibrate(devices: Devices, waits: Run | Config | undefined, isIdle: () => boolean): Promise<Speed | null> {
    const found = import('./calibration.ts').then(({ Calibration }) => {
      this.calibration ??= new Calibration();
      return waits && isIdle() ? this.calibration.measure(waits, devices, isIdle) : null;
    });
    this.calibrated = found.catch(() => undefined);
    return found;
  }

  /** The last profile as a trace-event file. */
  file(): string {
    return this.trace ?? JSON.stringify({ traceEvents: [], slots: PROFILED_SLOTS });
  }
}
