import { AGGREGATES } from '../../core/aggregate.ts';
import type { Gpu } from '../../gpu/device.ts';
import { addNorm } from '../../gpu/norm.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { processKernels } from '../../gpu/shaders/processKernels.ts';
import { addSums } from '../../gpu/sums.ts';
import { blockOf } from '../groups.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addLogpCoefficients } from './denseLook.ts';
import type { GpuProcessModel } from './processModel.ts';
import { addStep } from './optimizerStep.ts';
import { REPORT } from './report.ts';
import { addLookChunk, addLookStart, logpLook } from './tokenCommandList.ts';
import { chunksOf } from '../../networks/transformer/tokenList.ts';
import { addGradientEnd } from '../../networks/transformer/tokenOps.ts';
import { paceOf, sizesOf } from './pace.ts';
import { Sequence } from './tokenSequence.ts';
import { commandBatch } from './tokenRollout.ts';
import { addWeights } from './weights.ts';

/**
 * One pass of a network φ over the batch: Δ = log π_φ − log π_old of every step with a weight, and if it learns the gradient
 * of Σ weight·log π_φ.
 */
type Pass = {
  readonly theta: GPUBuffer;
  /** the coefficients that it reads */
  readonly live: GPUBuffer;
  /** where its outputs go where it answers all steps at once */
  readonly out: GPUBuffer;
  readonly weights: GPUBuffer;
  readonly learns: boolean;
};

/** Weights of a pass in which every trajectory counts alike. */
export async function scoreWeights(
  list: CommandList,
  plan: Plan,
  { columns: { length }, parts }: RunBuffers,
  { member, epoch, weights }: { readonly member: GPUBuffer; readonly epoch: number; readonly weights: GPUBuffer },
): Promise<void> {
  const how = { most: 1, mode: AGGREGATES.indexOf('seqMeanUnitSum'), look: epoch, minibatches: 1 };
  await addWeights(list, plan, { length, units: length, member, plan: weights, parts }, how);
}

/** log π_φ of the stored actions, from φ as it is. */
export async function scoreSequence(gpu: Gpu, plan: Plan, b: RunBuffers, p: GpuProcessModel): Promise<Sequence> {
  const { S, B, T } = plan;
  const sequence = new Sequence(paceOf(gpu, `score ${sizesOf(plan)}`));
  const start = sequence.add(new CommandList(gpu, 'score', b.all));
  const { length } = b.columns;
  await scoreWeights(start, plan, b, { member: p.member, epoch: 0, weights: p.scored });
  const pass = { theta: p.phi, live: p.live, out: b.out, weights: p.scored, learns: false };
  const end = await addPass(sequence, start, plan, b, pass);
  const logp = b.columns.logp;
  await end.add(processKernels.addDelta, { logp, stats: b.stats, length, y: p.logpPhi }, { rows: S * B, cols: T }, [
    Math.ceil((S * B * T) / 64),
  ]);
  return sequence;
}

/** One step of φ on the preference loss of the scored batch. */
export async function learnSequence(gpu: Gpu, plan: Plan, b: RunBuffers, p: GpuProcessModel): Promise<Sequence> {
  const { S, B, T, layout } = plan;
  const { size } = layout;
  const { beta, score, clipNorm } = p.settings;
  const sequence = new Sequence(paceOf(gpu, `learn ${sizesOf(plan)}`));
  const start = sequence.add(new CommandList(gpu, 'preference', b.all));
  const { flags, gradient } = b;
  const { length, taskIndex, ending } = b.columns;
  const { q, slopes, norms, steps, rates, table, rate, most } = p;
  const record = b.report(REPORT.extra);
  const sizes = { beta, mean: score === 'mean' ? 1 : 0 };
  const logp = b.columns.logp;
  await start.add(processKernels.preferenceScores, { phi: p.logpPhi, logp, length, q }, { rows: S * B, T, ...sizes }, [
    Math.ceil((S * B) / 64),
  ]);
  const pairs = { length, taskIndex, ending, q, plan: slopes, record, parts: b.parts };
  await addSums(start, processKernels.preference, S, pairs, { B, G: blockOf(plan), ...sizes }, true);
  const pass = { theta: p.phi, live: p.live, out: b.out, weights: slopes, learns: true };
  const end = await addPass(sequence, start, plan, b, pass);
  await addNorm(end, S, size, { gradient, squares: b.squares, norms, flags });
  await end.add(processKernels.stepRates, { record, table, rate, norms, steps, rates }, { S, most }, [
    Math.ceil(S / 64),
  ]);
  const phi = { gradient, norms, rates, theta: p.phi, m: p.m, v: p.v };
  await addStep(end, { ...plan, clipNorm }, b, phi, { k: 0, perReplica: 1 });
  return sequence;
}

/** Adds a pass after `start`; returns the list that what follows goes into. The gradient ends in `b.gradient`. */
export async function addPass(
  sequence: Sequence,
  start: CommandList,
  plan: Plan,
  b: RunBuffers,
  pass: Pass,
): Promise<CommandList> {
  if (!b.tokens) {
    await addDensePass(start, plan, b, pass);
    return start;
  }
  const { tokens, gpu } = b;
  const batch = { ...commandBatch(plan, b), plan: pass.weights, live: pass.live };
  await addLookStart(start, tokens, batch);
  const chunk = sequence.add(new CommandList(gpu, 'chunk', b.all), chunksOf(tokens, 'weighted'));
  const look = logpLook(plan.temperature, pass.learns);
  await addLookChunk(chunk, tokens, batch, { theta: pass.theta, reference: null }, look);
  const end = sequence.add(new CommandList(gpu, 'process model', b.all));
  if (pass.learns) await addGradientEnd(end, tokens, b);
  return end;
}

async function addDensePass(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { theta, live, out, weights, learns }: Pass,
): Promise<void> {
  await b.network.addForward(list, theta, out, 'all');
  await addLogpCoefficients(list, plan, b, { out, live }, weights);
  if (learns) await b.network.addBackward(list, theta, b.dOut);
}
