import type { WorldWgsl } from '../types.ts';
import flicker from './flicker.wgsl?raw';
import junction from './junction.wgsl?raw';
import next from './next.wgsl?raw';
import observe from './observe.wgsl?raw';
import own from './step.wgsl?raw';

/** The functions of rules.ts in WGSL. */
export const stepWgsl: WorldWgsl = { step: `${own}\n${observe}`, next, flicker, junction };
