import type { Kernel } from '../kernel.ts';
import act from './network/activation/act.wgsl?raw';
import activation from './network/activation/activation.wgsl?raw';
import denseBackward from './network/denseBackward/denseBackward.wgsl?raw';
import denseForward from './network/denseForward/denseForward.wgsl?raw';
import denseGradient from './network/denseGradient/denseGradient.wgsl?raw';
import sparseForward from './network/sparseForward/sparseForward.wgsl?raw';
import sparseGradient from './network/sparseGradient/sparseGradient.wgsl?raw';

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
