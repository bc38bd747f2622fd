import type { Kernel } from '../kernel.ts';
import act from './activation/act.wgsl?raw';
import activation from './activation/activation.wgsl?raw';
import denseBackward from './denseBackward/denseBackward.wgsl?raw';
import denseForward from './denseForward/denseForward.wgsl?raw';
import denseGradient from './denseGradient/denseGradient.wgsl?raw';
import sparseForward from './sparseForward/sparseForward.wgsl?raw';
import sparseGradient from './sparseGradient/sparseGradient.wgsl?raw';

/** The first, plain form of kernels that runs use in faster ones: read them first. They are tested and not shipped. */
export const naive = {
  sparseForward: { id: 'sparseForward', wgsl: sparseForward },
  sparseGradient: { id: 'sparseGradient', wgsl: sparseGradient },
  denseForward: { id: 'denseForward', wgsl: denseForward },
  denseBackward: { id: 'denseBackward', wgsl: denseBackward },
  denseGradient: { id: 'denseGradient', wgsl: denseGradient },
  activate: { id: 'activate', wgsl: activation, link: [act], entry: 'forward' },
  activateBackward: { id: 'activateBackward', wgsl: activation, link: [act], entry: 'backward' },
} as const satisfies Readonly<Record<string, Kernel>>;
