import { trainsOnCpuFor } from '../contract/columns.ts';
import { columnsOfRun } from '../config/runColumns.ts';
import { isCpuOnly } from '../slots/rollout/types.ts';
import type { Plan } from './plan.ts';
import { rolloutOf } from './rolloutOf.ts';

/** True for a plan that trains on the CPU whatever device there is: something of it has no WebGPU form. */
export const trainsOnCpu = (plan: Plan): boolean =>
  !plan.policy.network.gpu ||
  rolloutOf(plan).module.memory !== undefined ||
  (plan.scheme !== null && (isCpuOnly(plan.scheme) || !hasDevice(rolloutOf(plan)))) ||
  plan.behavior.versions.clock !== undefined ||
  trainsOnCpuFor([...columnsOfRun(plan)]);

/** False for a rollout that a device cannot play with its settings. */
const hasDevice = ({ module, params }: ReturnType<typeof rolloutOf>): boolean =>
  module.onGpu?.(params as never) !== false;
