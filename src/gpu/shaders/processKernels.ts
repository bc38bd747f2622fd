import type { Kernel } from '../kernel.ts';
import { treeOf } from './kernels.ts';
import addDelta from './network/addDelta/addDelta.wgsl?raw';
import preference from './objective/preference/preference.wgsl?raw';
import preferenceScores from './objective/preference/scores.wgsl?raw';
import stepRates from './rollout/stepRates/stepRates.wgsl?raw';

/** Kernels of a process model: loaded for runs that have one. */
export const processKernels = {
  addDelta: { id: 'addDelta', wgsl: addDelta },
  preferenceScores: { id: 'preferenceScores', wgsl: preferenceScores },
  preference: { id: 'preference', wgsl: preference, link: [treeOf(64)] },
  stepRates: { id: 'stepRates', wgsl: stepRates },
} as const satisfies Readonly<Record<string, Kernel>>;
