import type { Kernel } from './kernel.ts';
import groupMarks from './shaders/objective/groupMarks/groupMarks.wgsl?raw';

/** The marks of an objective that compares the returns of the own episodes of a task. */
export const groupMarksWith = (objective: string): Kernel => ({
  id: 'groupMarks',
  wgsl: groupMarks,
  link: [objective],
});
