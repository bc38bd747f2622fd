import type { Kernel } from './kernel.ts';
import wgsl from './shaders/objective/weightMarks/weightMarks.wgsl?raw';

/** The marks of objectives that weigh whole trajectories. */
export const weightMarks: Kernel = { id: 'weightMarks', wgsl };
