import type { Objective } from '../types.ts';

/**
 * How a device makes the marks of an objective by itself, where a step is one unit: what the objective says in WGSL, and the
 * kernel that it is linked into (src/engine/gpu/marks.ts).
 */
export type DeviceMarks = {
  /**
   * - `look`: after every look, from all units of a trajectory: `fn termOf(A, delta) -> vec2f` is summed over its n units,
   *   `fn markOf(sum, n, A, delta) -> f32` is the mark of each
   * - `start`: the same once before the first step, with Δ = log π_prox − log π_old, 0 on fresh data
   */
  readonly when: 'look' | 'start';
  readonly wgsl: string;
};

/** The objective as a device runs it: without a survey where it makes the marks itself, of steps that are one unit each. */
export function onDevice(objective: Objective, writes: boolean): Objective {
  if (!objective.marks || writes) return objective;
  const { survey: _survey, ...rest } = objective;
  return rest;
}
