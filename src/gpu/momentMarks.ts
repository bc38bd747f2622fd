import type { Kernel } from './kernel.ts';
import wgsl from './shaders/objective/momentMarks/momentMarks.wgsl?raw';
import stretches from './shaders/objective/stretches/stretches.wgsl?raw';

/** The marks of M2PO: the units that hold most of the second moment of what changed before the update are left out. */
export const momentMarks: Kernel = { id: 'momentMarks', wgsl, link: [stretches] };
