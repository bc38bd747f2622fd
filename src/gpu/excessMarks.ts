import type { Kernel } from './kernel.ts';
import excessMarks from './shaders/objective/excessMarks/excessMarks.wgsl?raw';
import ranked from './shaders/objective/stretches/ranked.wgsl?raw';
import stretches from './shaders/objective/stretches/stretches.wgsl?raw';

/** The marks of the units that are furthest beyond the bounds of an objective. */
export const excessMarksWith = (objective: string): Kernel => ({
  id: 'excessMarks',
  wgsl: excessMarks,
  link: [stretches, ranked, objective],
});
