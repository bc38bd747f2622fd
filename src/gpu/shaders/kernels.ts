import type { Kernel } from '../kernel.ts';
import activation from './activation/activation.wgsl?raw';
import batchStats from './batchStats/batchStats.wgsl?raw';
import coefficients from './coefficients/coefficients.wgsl?raw';
import combine from './combine/combine.wgsl?raw';
import denseBackward from './denseBackward/denseBackward.wgsl?raw';
import denseForward from './denseForward/denseForward.wgsl?raw';
import denseGradient from './denseGradient/denseGradient.wgsl?raw';
import gradNorm from './gradNorm/gradNorm.wgsl?raw';
import keyMatch from './keyMatch/keyMatch.wgsl?raw';
import lossSums from './lossSums/lossSums.wgsl?raw';
import matchSize from './matchSize/matchSize.wgsl?raw';
import normalizeAnchor from './normalizeAnchor/normalizeAnchor.wgsl?raw';
import normalizeBy from './normalizeBy/normalizeBy.wgsl?raw';
import optimize from './optimize/optimize.wgsl?raw';
import policyHead from './policyHead/policyHead.wgsl?raw';
import random from './random/random.wgsl?raw';
import reverseScan from './reverseScan/reverseScan.wgsl?raw';
import rollout from './rollout/rollout.wgsl?raw';
import segmentStats from './segmentStats/segmentStats.wgsl?raw';
import sparseForward from './sparseForward/sparseForward.wgsl?raw';
import sparseGradient from './sparseGradient/sparseGradient.wgsl?raw';
import tdError from './tdError/tdError.wgsl?raw';
import updateHash from './updateHash/updateHash.wgsl?raw';
import updateStats from './updateStats/updateStats.wgsl?raw';
import weights from './weights/weights.wgsl?raw';

/** Every kernel, by the name of its folder. Adding one is a folder and a line here. */
export const kernels = {
  sparseForward: { id: 'sparseForward', wgsl: sparseForward },
  sparseGradient: { id: 'sparseGradient', wgsl: sparseGradient },
  denseForward: { id: 'denseForward', wgsl: denseForward },
  denseBackward: { id: 'denseBackward', wgsl: denseBackward },
  denseGradient: { id: 'denseGradient', wgsl: denseGradient },
  activate: { id: 'activate', wgsl: activation, entry: 'forward' },
  activateBackward: { id: 'activateBackward', wgsl: activation, entry: 'backward' },
  policyHead: { id: 'policyHead', wgsl: policyHead, link: [random] },
  reverseScan: { id: 'reverseScan', wgsl: reverseScan },
  tdError: { id: 'tdError', wgsl: tdError },
  segmentStats: { id: 'segmentStats', wgsl: segmentStats },
  normalizeBy: { id: 'normalizeBy', wgsl: normalizeBy },
  keyMatch: { id: 'keyMatch', wgsl: keyMatch },
  normalizeAnchor: { id: 'normalizeAnchor', wgsl: normalizeAnchor },
  combine: { id: 'combine', wgsl: combine },
  weights: { id: 'weights', wgsl: weights },
  gradNorm: { id: 'gradNorm', wgsl: gradNorm },
  lossSums: { id: 'lossSums', wgsl: lossSums },
  matchSize: { id: 'matchSize', wgsl: matchSize },
  batchStats: { id: 'batchStats', wgsl: batchStats },
  updateStats: { id: 'updateStats', wgsl: updateStats },
  hashRows: { id: 'hashRows', wgsl: updateHash, link: [random], entry: 'rows' },
  hashAll: { id: 'hashAll', wgsl: updateHash, link: [random], entry: 'all' },
} as const satisfies Readonly<Record<string, Kernel>>;

/** Kernels that an objective, an optimizer or an environment completes. */
export const coefficientsWith = (objective: string): Kernel => ({
  id: 'coefficients',
  wgsl: coefficients,
  link: [objective],
});
export const optimizeWith = (optimizer: string): Kernel => ({ id: 'optimize', wgsl: optimize, link: [optimizer] });
export const rolloutWith = (step: string, entry: 'start' | 'observe' | 'step' | 'finish'): Kernel => ({
  id: `rollout.${entry}`,
  wgsl: rollout,
  link: [random, step],
  entry,
});
/** Functions of random.wgsl, for kernels outside this folder and for tests. */
export const randomWgsl: string = random;
