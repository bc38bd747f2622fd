import type { Kernel } from './kernel.ts';
import { randomWgsl } from './shaders/kernels.ts';
import covarianceMarks from './shaders/objective/covarianceMarks/covarianceMarks.wgsl?raw';
import drawn from './shaders/objective/covarianceMarks/drawn.wgsl?raw';
import largest from './shaders/objective/covarianceMarks/largest.wgsl?raw';
import ranked from './shaders/objective/stretches/ranked.wgsl?raw';
import stretches from './shaders/objective/stretches/stretches.wgsl?raw';

/** The marks of the units with the largest covariance, or drawn from those that the objective lets go. */
export const covarianceMarksWith = (objective: string | null): Kernel => ({
  id: 'covarianceMarks',
  wgsl: covarianceMarks,
  link: [stretches, ranked, ...(objective === null ? [largest] : [randomWgsl, objective, drawn])],
});
