import type { Kernel } from '../kernel.ts';
import coefficientsOfRows from './objective/coefficients/rows.wgsl?raw';
import coefficients from './objective/coefficients/coefficients.wgsl?raw';
import klSlope from './objective/coefficients/klSlope.wgsl?raw';
import valueTerm from './network/critic/valueTerm.wgsl?raw';
import softMin from './network/critic/softMin.wgsl?raw';
import commandUnits from './decision/commandUnits/commandUnits.wgsl?raw';
import decided from './decision/commandUnits/decided.wgsl?raw';
import headOfRows from './decision/policyHead/rows.wgsl?raw';
import policyHead from './decision/policyHead/policyHead.wgsl?raw';
import decide from './decision/policyHead/decide.wgsl?raw';
import random from './decision/random/random.wgsl?raw';
import clipping from './objective/ratioStats/clipping.wgsl?raw';
import excess from './objective/ratioStats/excess.wgsl?raw';
import chunkRows from './decision/units/chunkRows.wgsl?raw';
import command from './decision/units/command.wgsl?raw';
import softmax from './decision/units/softmax.wgsl?raw';
import { WORDS } from './kernels.ts';

/** Kernels over steps that write a command, as only a run with such a network has them. */
export const commandKernels = {
  policyHeadWords: {
    id: 'policyHead.words',
    wgsl: policyHead,
    link: [random, softMin, ...WORDS, headOfRows, chunkRows, softmax, decide],
  },
  commandUnits: { id: 'commandUnits', wgsl: commandUnits, link: [command, decided] },
} as const satisfies Readonly<Record<string, Kernel>>;
export const coefficientsOfWordsWith = (objective: string): Kernel => ({
  id: 'coefficients.words',
  wgsl: coefficients,
  link: [objective, ...WORDS, coefficientsOfRows, chunkRows, excess, clipping, klSlope, valueTerm],
});
