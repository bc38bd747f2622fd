import type { Kernel } from '../kernel.ts';
import exact from './credit/induction/induction.wgsl?raw';
import levelTable from './credit/induction/levelTable.wgsl?raw';
import advantage from './credit/induction/stepAdvantage.wgsl?raw';
import actionTree from './decision/units/actions.wgsl?raw';
import softmax from './decision/units/softmax.wgsl?raw';

/** Kernels of exact scores: loaded for runs whose estimator asks for them. */
export const induction: Kernel = { id: 'induction', wgsl: exact, link: [actionTree, softmax, levelTable] };
export const stepAdvantage: Kernel = { id: 'stepAdvantage', wgsl: advantage, link: [levelTable] };
