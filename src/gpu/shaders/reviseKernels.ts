import type { Kernel } from '../kernel.ts';
import clip from './credit/reviseCredit/boundCredit.wgsl?raw';

/** Kernels of revisions that few runs have: loaded for those. */
export const boundCredit: Kernel = { id: 'boundCredit', wgsl: clip };
