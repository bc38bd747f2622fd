import type { Kernel } from '../kernel.ts';
import sets from './credit/likeSets/likeSets.wgsl?raw';

/** Kernels of credit that compares observations: loaded for runs that have such credit. */
export const likeSets: Kernel = { id: 'likeSets', wgsl: sets };
