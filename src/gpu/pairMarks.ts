import type { Kernel } from './kernel.ts';
import wgsl from './shaders/objective/pairMarks/pairMarks.wgsl?raw';

/** The marks of objectives that learn from pairs of episodes of one task. */
export const pairMarks: Kernel = { id: 'pairMarks', wgsl };
