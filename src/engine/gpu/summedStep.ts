import type { NormSums } from '../../gpu/norm.ts';
import { readsSums } from '../../gpu/normSums.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { optimizeWith } from '../../gpu/shaders/kernels.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { stepOf, type RatesAt } from './optimizerStep.ts';

/** One step of the optimizer with the norm and the losses that it makes of the sums of the way back. */
export function addSummedStep(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { sums }: NormSums,
  at: RatesAt,
): Promise<void> {
  const { gradient, rates, theta, m, v, flags, stepSums: norms } = b;
  const { dims, groups } = stepOf(plan, at);
  const buffers = { gradient, norms, sums, rates, theta, m, v, flags };
  const lossesAt = norms.size / 4 - 2 * plan.S;
  return list.add(optimizeWith(plan.optimizer.wgsl, readsSums), buffers, { ...dims, lossesAt }, groups);
}
