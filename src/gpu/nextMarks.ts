import type { Kernel } from './kernel.ts';
import nextMarks from './shaders/objective/nextMarks/nextMarks.wgsl?raw';

/** The marks of an objective that looks at the next step of a trajectory. */
export const nextMarksWith = (objective: string): Kernel => ({
  id: 'nextMarks',
  wgsl: nextMarks,
  link: [objective],
});
