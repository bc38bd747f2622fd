import { log } from '../../core/fmath.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** What is done to the credit between the advantage slot and the objective: `train/creditRevision.ts` on the GPU. */
export async function addRevision(list: CommandList, plan: Plan, b: RunBuffers): Promise<void> {
  const { S, B, T, P, actions } = plan;
  const { negative, targetEntropy } = plan.revision;
  const { length, taskIndex, groups, credit, ending, sampled, choice, probs, section, parts } = b;
  if (negative)
    await list.add(kernels.scaleNegative, { length, taskIndex, groups, credit }, { B, T, P, ...negative }, [
      Math.ceil((B * T) / 64),
      1,
      S,
    ]);
  if (targetEntropy === null) return;
  const pulled = { length, ending, sampled, choice, probs, credit, parts };
  const dims = { B, T, actions, section, target_: targetEntropy * log(actions) };
  await addSums(list, kernels.pullToTarget, S, pulled, dims, true);
}
