import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import type { Run } from '../engine/run.ts';
import { profileRun, traceOf } from '../lab/profile.ts';
import type { Profile } from '../lab/profileTypes.ts';
import type { Devices } from './devices.ts';

/** Updates a profile looks at: enough for a steady mean, few enough to be over soon. */
const UPDATES = 3;

/** Of a scratch copy of a run: one update as the page draws it, and the file that holds them all. Null without its device. */
export async function profileScratch(run: Run, devices: Devices): Promise<{ profile: Profile; trace: string } | null> {
  const made = await devices.makeScratch(run.plan);
  if (!made.ok) return null;
  // slots that are worked on by several cores at once have no time of their own: one core is looked at
  const make = run.backend.kind === 'cpu' ? makeCpuBackend : made.value;
  const found = await profileRun(run.plan, await run.checkpoint(), make, devices.opened, UPDATES);
  const profile = { ...found, runDevice: run.backend.description };
  const bars = profile.bars.filter((bar) => bar.update === profile.updates - 1);
  return { profile: { ...profile, bars }, trace: traceOf(profile) };
}
