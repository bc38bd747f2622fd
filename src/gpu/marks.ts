import type { Kernel } from './kernel.ts';
import trajectoryMarks from './shaders/objective/trajectoryMarks/trajectoryMarks.wgsl?raw';

/** The marks of an objective that needs no more than the units of a trajectory for them. */
export const marksWith = (objective: string): Kernel => ({
  id: 'trajectoryMarks',
  wgsl: trajectoryMarks,
  link: [objective],
});
