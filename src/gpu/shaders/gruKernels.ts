import type { Kernel } from '../kernel.ts';
import cell from './network/gruCell/gruCell.wgsl?raw';
import back from './network/gruCell/gruCellBackward.wgsl?raw';
import everyStep from './network/gruCell/everyStep.wgsl?raw';
import kept from './network/gruCell/kept.wgsl?raw';
import learned from './network/gruCell/learned.wgsl?raw';
import listedSteps from './network/gruCell/listedSteps.wgsl?raw';
import played from './network/gruCell/played.wgsl?raw';
import unit from './network/gruCell/unit.wgsl?raw';
import unitBack from './network/gruCell/unitBack.wgsl?raw';
import startOf from './rollout/liveSteps/startOf.wgsl?raw';

const [CELL, BACK] = [
  { id: 'gruCell', wgsl: cell },
  { id: 'gruCellBackward', wgsl: back },
];
const LISTED = [startOf, listedSteps];

/**
 * A step of a gated recurrent unit while an episode is played and while it learns, there and back, over all steps or those of
 * a list: apart from kernels.ts, as only a run with that network loads them.
 */
export const gruCellPlayed: Kernel = { ...CELL, link: [unit, everyStep, played] };
export const gruCell: Kernel = { ...CELL, link: [unit, everyStep, kept, learned] };
export const gruCellBackward: Kernel = { ...BACK, link: [unitBack, everyStep] };
export const gruCellListed: Kernel = { ...CELL, link: [unit, ...LISTED, kept, learned] };
export const gruCellListedBackward: Kernel = { ...BACK, link: [unitBack, ...LISTED] };
