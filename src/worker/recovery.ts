import type { Problem } from '../core/problem.ts';
import { onDevice, type Whole } from './aside.ts';
import type { Devices } from './devices.ts';

/**
 * Puts a run whose device failed on the next way to train, at its last complete state; why there is none, or null.
 * `error` null: someone has chosen another way. What is not of the device is thrown.
 */
export async function recover(
  { run, saved, history, health }: Pick<Whole, 'run' | 'saved' | 'history' | 'health'>,
  devices: Devices,
  error: unknown,
): Promise<Problem | null> {
  if (error !== null && run.backend.kind === 'cpu') throw error;
  const failed = error === null ? null : await devices.failed(error, { plan: run.plan, at: run.series.length });
  const problem = failed ?? (await onDevice(run, saved, devices));
  if (problem) return problem;
  history.goBack(run.update);
  health.goBack(run.update);
  return null;
}
