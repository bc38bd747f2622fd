import { PROFILED_SLOTS, type Profile } from '../lab/profileTypes.ts';
import type { Config } from '../config/slots.ts';
import type { Run } from '../engine/run.ts';
import type { Calibration } from './calibration.ts';
import type { Devices } from './devices.ts';
import type { Speed } from './protocol.ts';
import { LOST, unlessLost } from './troubles.ts';

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
    const { profileScratch } = await import('./profileScratch.ts');
    const found = await profileScratch(run, devices);
    this.trace = found?.trace ?? this.trace;
    return found && found.profile;
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
