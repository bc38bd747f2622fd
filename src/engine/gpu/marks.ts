import { LEFT_OUT } from '../../core/math/clip.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import type { Counts, DeviceMarks, WeightForm } from '../../slots/objective/types.ts';
import { outputsOf } from '../../networks/policy.ts';
import { blockOf } from '../groups.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { REPORT, REPORT_WORDS, wordOf } from './report.ts';
import type { Squares } from './scoreNorms.ts';

type Groups = readonly [number, number, number];

/** Behind look number `pass` of an update, or without one where nothing has moved; with the scores that it has measured. */
export type MarkedLook = { readonly pass: number | 'still'; readonly squares: Squares | null };

/** The marks of the units that a look went over. */
export async function addMarks(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  marks: DeviceMarks,
  { pass, squares }: MarkedLook,
): Promise<void> {
  const { S, B, T } = plan;
  const buffers = { plan: b.plan, stats: b.stats, credit: b.credit };
  const dims = { B, T, marksAt: b.marksAt };
  const rows: Groups = [Math.ceil(B / 64), 1, S];
  if (marks.of === 'batch') {
    const { batchMarksWith } = await import('../../gpu/batchMarks.ts');
    const sizes = { ...dims, toldAt: S * B * T, empty: LEFT_OUT };
    return list.add(batchMarksWith(marks.wgsl), { ...buffers, known: knownOf(plan, b) }, sizes, [1, 1, S]);
  }
  if (marks.of === 'moment') {
    const { momentMarks } = await import('../../gpu/momentMarks.ts');
    const reads = { plan: b.plan, known: knownOf(plan, b), credit: b.credit };
    return list.add(momentMarks, reads, { ...dims, limit: marks.limit }, [1, 1, S]);
  }
  const outputs = { actions: plan.actions, n: outputsOf(plan), inverse: 1 / plan.temperature };
  if (marks.of === 'excess') {
    const { sampled, choice, out } = b;
    const { excessMarksWith } = await import('../../gpu/excessMarks.ts');
    const all = { ...buffers, sampled, choice, out, counts: countsOf(plan, b, marks.counts) };
    return list.add(excessMarksWith(marks.wgsl), all, { ...dims, ...outputs }, [1, 1, S]);
  }
  if (marks.of === 'next') {
    const { choice, out, credit } = b;
    const { nextMarksWith } = await import('../../gpu/nextMarks.ts');
    const reads = { plan: b.plan, choice, out, probs: b.columns.probs, credit };
    const groups: Groups = [Math.ceil((B * T) / 64), 1, S];
    return list.add(nextMarksWith(marks.wgsl), reads, { ...dims, ...outputs, empty: LEFT_OUT }, groups);
  }
  if (marks.of === 'group') {
    const { outcome, taskIndex, length } = b.columns;
    const own = marks.isOfAll ? length : b.own;
    const all = { ...buffers, sampled: b.sampled, outcome, taskIndex, own };
    // every kind of marks is loaded for its own objectives
    const { groupMarksWith } = await import('../../gpu/groupMarks.ts');
    return list.add(groupMarksWith(marks.wgsl), all, { ...dims, block: blockOf(plan), empty: LEFT_OUT }, rows);
  }
  if (marks.of === 'pairs') {
    const { outcome, taskIndex } = b.columns;
    const { target, byGap, mean, ofLogp, ...form } = marks.form;
    const flags = {
      squared: Number(target !== null),
      byGap: Number(byGap),
      mean: Number(mean),
      ofLogp: Number(ofLogp),
    };
    const sizes = { ...dims, block: blockOf(plan), ...form, apart: target ?? 0, ...flags, empty: LEFT_OUT };
    const { pairMarks } = await import('../../gpu/pairMarks.ts');
    const all = { ...buffers, sampled: b.sampled, outcome, taskIndex, scores: scoresOf(plan, b) };
    return list.add(pairMarks, all, sizes, [1, 1, S]);
  }
  if (marks.of === 'weight') {
    const { weightMarks } = await import('../../gpu/weightMarks.ts');
    const { outcome, taskIndex } = b.columns;
    const scored = squares ?? { buffer: b.stats, columns: 0 };
    const all = { ...buffers, outcome, taskIndex, squares: scored.buffer, rates: b.rates, scores: scoresOf(plan, b) };
    const sizes = { ...dims, block: blockOf(plan), columns: scored.columns, empty: LEFT_OUT };
    return list.add(weightMarks, all, { ...sizes, ...weightDims(plan, marks.form, Number(pass)) }, [1, 1, S]);
  }
  if (marks.of === 'covariance') {
    const { roll } = b;
    const all = { ...buffers, sampled: b.sampled, counts: countsOf(plan, b, marks.counts), roll };
    // a replica that stops has taken fewer steps when it looks at the whole batch
    const stops = plan.control.stopsAt !== null && pass === plan.epochs * plan.minibatches;
    const taken = { taken: b.report(REPORT.control, REPORT_WORDS) };
    const which = { look: Number(pass), words: stops ? REPORT_WORDS : 0, at: wordOf('control', 'taken') };
    const { covarianceMarksWith } = await import('../../gpu/covarianceMarks.ts');
    return list.add(covarianceMarksWith(marks.wgsl), { ...all, ...taken }, { ...dims, ...which }, [1, 1, S]);
  }
  const { marksWith } = await import('../../gpu/marks.ts');
  const still = Number(pass === 'still');
  return list.add(marksWith(marks.wgsl), buffers, { ...dims, still, empty: LEFT_OUT }, rows);
}

/** What weighs and what shortens the step of look number `pass`: the one at the end has none. */
function weightDims({ S, epochs, minibatches }: Plan, { logCap, baseline, step }: WeightForm, pass: number) {
  const takes = step !== null && pass < epochs * minibatches;
  return {
    logCap,
    credit: baseline === null ? 0 : baseline === 'paper' ? 1 : 2,
    rule: takes ? (step.rule === 'sqrt' ? 1 : 2) : 0,
    base: step?.base ?? 1,
    ratesAt: takes ? pass * S : 0,
  };
}

/** Behind the look at the start of an update: log π_prox − log π_old of all units, which marks of whole minibatches read. */
export async function keepProx(list: CommandList, plan: Plan, b: RunBuffers): Promise<void> {
  const { S, B, T } = plan;
  const { marksWith } = await import('../../gpu/marks.ts');
  const kept = marksWith(`fn termOf(A: f32, delta: f32) -> vec2f { return vec2f(); }
fn markOf(sum: vec2f, n: f32, A: f32, delta: f32) -> f32 { return delta; }`);
  const buffers = { plan: b.plan, stats: b.stats, credit: knownOf(plan, b) };
  await list.add(kept, buffers, { B, T, marksAt: 0, still: 0, empty: 0 }, [Math.ceil(B / 64), 1, S]);
}

/** A buffer that few objectives need: made where it is first asked for, and freed with the others of its run. */
function madeOnce<A extends readonly unknown[]>(make: (plan: Plan, b: RunBuffers, ...of: A) => GPUBuffer) {
  const held = new WeakMap<RunBuffers, GPUBuffer>();
  return (plan: Plan, b: RunBuffers, ...of: A): GPUBuffer => {
    const known = held.get(b);
    if (known) return known;
    const made = make(plan, b, ...of);
    b.all.push(made);
    held.set(b, made);
    return made;
  };
}

/** [2, S, B, T] what marks of whole minibatches read beside the batch, 0 on fresh data, and what their objective tells of. */
export const knownOf = madeOnce(({ S, B, T }, { gpu }) => gpu.buffer('batch', 2 * S * B * T, 0x80 | 0x08 | 0x04));

/** [S, B, 3] what a kernel remembers of every trajectory while it goes over pairs or weighs. */
const scoresOf = madeOnce(({ S, B }, { gpu }) => gpu.buffer('batch', 3 * S * B, 0x80));

/** How many units are marked, by the number of units of a minibatch: rounding is that of the CPU. */
const countsOf = madeOnce(({ B, T }, { gpu }, counts: Counts) => {
  const table = new Uint32Array(2 * (B * T + 1));
  for (let n = 1; n <= B * T; n++) table.set(counts(n), 2 * n);
  const made = gpu.buffer('tasks', table.length, 0x80 | 0x08);
  gpu.device.queue.writeBuffer(made, 0, table);
  return made;
});
