import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { REPORT, REPORT_WORDS } from './report.ts';

/**
 * KL stop on the GPU: whether a replica goes on is decided there, between the gradient and the step, so that nothing has
 * to come back within an update. Runs without it record nothing here.
 */
type Entry = 'hold' | 'keep';
const KERNELS = { hold: kernels.stopAboveHold, keep: kernels.stopAboveKeep } as const;

async function add(list: CommandList, plan: Plan, b: RunBuffers, entry: Entry, k: number): Promise<void> {
  const { held } = b;
  if (!held) return;
  const { S, B, layout } = plan;
  const { gradient } = b;
  const { size } = layout;
  const record = b.report(REPORT.control, REPORT_WORDS);
  const groups = {
    hold: [Math.ceil((S * B) / 64)],
    keep: [Math.ceil(size / 64), 1, S],
  } as const;
  await list.add(KERNELS[entry], { plan: b.plan, gradient, held, record }, { S, B, size, k }, groups[entry]);
}

/** Which trajectories are looked at: look l is at minibatch l mod `minibatches` of an epoch, the one behind the last step at the whole batch. */
export type Looked = { readonly look: number; readonly minibatches: number };

/** Behind the weights of a look: 0 for the trajectories of a replica that has stopped, but for the look after the last step. */
export async function addHold(list: CommandList, plan: Plan, b: RunBuffers, k: number): Promise<void> {
  if (k > 0 && k < plan.epochs * plan.minibatches) await add(list, plan, b, 'hold', k);
}

/** Behind the gradient of look k: a replica that has stopped keeps its last one. */
export const addKeep = (list: CommandList, plan: Plan, b: RunBuffers, k: number): Promise<void> =>
  add(list, plan, b, 'keep', k);

/** Behind its norm: counts looks and steps, and stops the replicas that have moved too far. */
export async function addJudge(list: CommandList, plan: Plan, b: RunBuffers, k: number): Promise<void> {
  if (!b.held) return;
  const { S, B, T } = plan;
  const { stats, parts, unitsAt } = b;
  const [norms, record] = [b.report(REPORT.norms, 2), b.report(REPORT.control, REPORT_WORDS)];
  const dims = { B, T, k, unitsAt, limit: plan.control.stopsAt! };
  await addSums(list, kernels.stopAboveJudge, S, { stats, plan: b.plan, norms, record, parts }, dims);
}
