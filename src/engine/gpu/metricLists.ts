import type { CommandList } from '../../gpu/recorder.ts';
import { kernels, policyMixWith, stepKernels } from '../../gpu/shaders/kernels.ts';
import { stepSums } from '../../gpu/stepSums.ts';
import { addTogether, type Given } from '../../gpu/together.ts';
import { blockOf } from '../groups.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { clipForm } from './clipForm.ts';
import { REPORT, REPORT_WORDS } from './report.ts';
import { grammarDims } from './grammarDims.ts';

/**
 * What a finished batch says of the policy by itself, once its credit has its final `size`, which is told with it, and after the look
 * at the start.
 */
export async function addBatchMetrics(list: CommandList, plan: Plan, b: RunBuffers, size: Given[]): Promise<void> {
  const { S, B, T, P, actions, temperature } = plan;
  const { own: length, credit, sampled, rowSums: sums, choice } = b;
  const { ending, taskIndex } = b.columns;
  const floatSection = b.section;
  // entropies are those of the policy that trains
  const policy = b.seen ?? { probs: b.columns.probs, sampled: b.sampled };
  const own = { length, ending, credit, sampled, taskIndex, sums, record: b.report(REPORT.credit, REPORT_WORDS) };
  const groups = { B, T, P, block: blockOf(plan), floatSection };
  const credits = stepSums(list.gpu, stepKernels.creditSums, S, { ...own, parts: b.parts }, groups);
  const record = b.report(REPORT.mix, REPORT_WORDS);
  const tokens = b.tokens;
  const mix = { probs: policy.probs, length, choice, sampled: policy.sampled, record, parts: b.parts };
  const dims = { B, T, actions, section: b.section, floatSection, temperature };
  const words = tokens && { grammar: tokens.grammar };
  const kernel = policyMixWith(actions, tokens !== null);
  const of = stepSums(list.gpu, kernel, S, { ...mix, ...words }, { ...dims, ...(tokens ? grammarDims(tokens) : {}) });
  await addTogether(list, [size, credits, of]);
  if (b.values < 2) return;
  const [x, y] = [b.batch.plane('valueHeads', 0), b.batch.plane('valueHeads', 1)];
  await list.add(kernels.meanDistance, { x, y, length, record }, { B, T, at: 2 }, [1, 1, S]);
}

/** How the ratios stand after a look at the batch, into a section of the report. */
export function ratioStats(plan: Plan, b: RunBuffers, section: number): Given[] {
  const { S, B, T, P } = plan;
  const { stats, sampled, credit, unitsAt } = b;
  const rowSum = section === REPORT.start ? b.startSum : b.rowSum;
  const record = b.report(section, REPORT_WORDS);
  const dims = { B, T, P, block: blockOf(plan), unitsAt, section: b.section, ...clipForm(plan) };
  const { taskIndex } = b.columns;
  const buffers = { stats, plan: b.plan, sampled, credit, taskIndex, rowSum, record, parts: b.parts };
  return stepSums(b.gpu, stepKernels.ratioStats, S, buffers, dims);
}

/** How far the steps of the batch are from the policy after the update. */
export function updateStats({ S, B, T }: Plan, b: RunBuffers): Given[] {
  const { stats, plan, parts, unitsAt } = b;
  const decisions = b.tokens?.units ?? b.columns.length;
  const buffers = { stats, plan, decisions, record: b.report(REPORT.update), parts };
  return stepSums(b.gpu, stepKernels.updateStats, S, buffers, { B, T, unitsAt });
}

/** Where the weights went in this update; the last thing it does. */
export async function addWeightMetrics(list: CommandList, plan: Plan, b: RunBuffers): Promise<void> {
  const { theta, gradient, lastTheta: last, lastGradient } = b;
  const record = b.report(REPORT.weights, REPORT_WORDS);
  await list.add(kernels.weightStats, { theta, gradient, last, lastGradient, record }, { size: plan.layout.size }, [
    1,
    1,
    plan.S,
  ]);
}
