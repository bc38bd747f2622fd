import type { ColumnName } from '../../contract/columns.ts';
import { runsOnGpu } from '../../contract/module.ts';
import type { Plan } from '../plan.ts';
import { readsSignalsOnDevice } from '../stepScores.ts';

/** True where every reward module of a run has a WebGPU form with its settings; else all of them are computed on the CPU. */
export const shapesOnGpu = ({ rewards }: Pick<Plan, 'rewards'>): boolean =>
  rewards.every(({ module, params }) => runsOnGpu(module, params));

/** False where the estimator sees what the world pays, and no signal. */
export const shapes = (plan: Plan): boolean => plan.rewards.length > 0 || readsSignalsOnDevice(plan);

/** Columns that the reward modules of a run make. */
export const madeBy = ({ rewards }: Pick<Plan, 'rewards'>): readonly ColumnName[] =>
  rewards.flatMap(({ module }) => (module.makes ?? []) as readonly ColumnName[]);
