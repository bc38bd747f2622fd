import type { ColumnName } from '../../contract/columns.ts';
import { runsOnGpu } from '../../contract/module.ts';
import { signalNames } from '../../contract/signals.ts';
import type { Plan } from '../plan.ts';
import { scoreOf } from '../stepScores.ts';

const readsSignals = ({ estimator }: Plan): boolean => signalNames.some((name) => estimator.needs.includes(name));

/** True where credit on a device reads signals of the world, which the device makes. */
export const readsSignalsOnDevice = (plan: Plan): boolean => plan.estimator.gpu !== undefined && readsSignals(plan);

/** True where the estimator runs on the CPU and reads what a rollout does not make: scores of steps, or signals. */
export const readsMadeOnHost = (plan: Plan): boolean =>
  !plan.estimator.gpu && (scoreOf(plan) !== null || readsSignals(plan));

/** True where every reward module of a run has a WebGPU form with its settings; else all of them are computed on the CPU. */
export const shapesOnGpu = ({ rewards }: Pick<Plan, 'rewards'>): boolean =>
  rewards.every(({ module, params }) => runsOnGpu(module, params));

/** False where the estimator sees what the world pays, and no signal. */
export const shapes = (plan: Plan): boolean => plan.rewards.length > 0 || readsSignalsOnDevice(plan);

/** Columns that the reward modules of a run make. */
export const madeBy = ({ rewards }: Pick<Plan, 'rewards'>): readonly ColumnName[] =>
  rewards.flatMap(({ module }) => (module.makes ?? []) as readonly ColumnName[]);
