import type { WorldWgsl } from '../types.ts';
import step from './step.wgsl?raw';

/** The functions of rules.ts in WGSL. */
export const stepWgsl: WorldWgsl = { step };
