import type { Kernel } from '../kernel.ts';
import cell from './network/gruCell/gruCell.wgsl?raw';
import back from './network/gruCell/gruCellBackward.wgsl?raw';

/** A step of a gated recurrent unit, there and back: apart from kernels.ts, as only a run with that network loads them. */
export const gruCell: Kernel = { id: 'gruCell', wgsl: cell };
export const gruCellBackward: Kernel = { id: 'gruCellBackward', wgsl: back };
