import type { Kernel } from './kernel.ts';
import batchMarks from './shaders/objective/batchMarks/batchMarks.wgsl?raw';

/** The marks of an objective that looks at all units of a minibatch. */
export const batchMarksWith = (objective: string): Kernel => ({
  id: 'batchMarks',
  wgsl: batchMarks,
  link: [objective],
});
