import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { playsSeveral } from '../behaviour.ts';
import { comparesInLoss } from '../control.ts';
import type { Plan } from '../plan.ts';
import type { GpuMask } from './actionMask.ts';
import type { RunBuffers } from './buffers.ts';
import { addHold } from './klStop.ts';
import { addBatchMetrics, addRatioMetrics, addWeightMetrics } from './metricLists.ts';
import { addWordMismatch } from './mismatch.ts';
import type { GpuPast } from './past.ts';
import { paceOf, sizesOf } from './pace.ts';
import { AGGREGATE, REPORT } from './report.ts';
import { addCut } from './stepPreview.ts';
import {
  addCommandChunk,
  addLastValueChunk,
  addLookChunk,
  addLookStart,
  addUnits,
  addUnitStats,
  addUnitWeights,
  type CommandBatch,
} from './tokenCommandList.ts';
import { addGradientEnd, addSteps, chunksOf } from './tokenList.ts';
import { Sequence } from './tokenSequence.ts';
import { addTurnLast } from './turns.ts';
import { valueForm } from './valueForm.ts';
import type { TokenBuffers } from './tokenBuffers.ts';
import { addMatchSize, addOptimizerStep, addWorld } from './worldList.ts';

/** The batch of a run as the lists of commands name it. */
export function commandBatch(plan: Plan, b: RunBuffers): CommandBatch {
  const { obs, length, choice, section, sampled, probs, roll, shown, flags, stats, credit, live } = b;
  const commands = { buffer: choice, offset: 8 * section, size: 4 * section };
  const { obsWords } = plan;
  return {
    obs,
    obsWords,
    commands,
    length,
    plan: b.plan,
    section,
    choice,
    sampled,
    probs,
    roll,
    shown,
    flags,
    stats,
    credit,
    live,
  };
}

/** A rollout in which actions are written as commands. */
export async function tokenRollout(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  tokens: TokenBuffers,
  mask: GpuMask | null,
): Promise<Sequence> {
  const batch = commandBatch(plan, b);
  const sequence = new Sequence(paceOf(gpu, `rollout ${sizesOf(plan)}`));
  const list = (name: string): CommandList => new CommandList(gpu, name, b.all);
  const write = list('commands');
  await addCommandChunk(write, tokens, batch, b.sampledTheta, plan.temperature, mask);
  // where several versions play a batch, the lists of a step are its own
  const inTurns = playsSeveral(plan.behaviour);
  const at = (t: number): number | null => (inTurns ? t : null);
  let world = sequence.add(list('start'), 1, at(-1));
  await addWorld(world, plan, b, 'start');
  for (let t = 0; t < plan.T; t++) {
    if (inTurns) await addWorld((world = sequence.add(list('turn'), 1, t)), plan, b, 'turn', t);
    await addWorld(world, plan, b, 'observe', t);
    await addSteps(world, tokens, batch, { t });
    sequence.add(write, chunksOf(tokens, { t }), at(t));
    world = sequence.add(list('step'), 1, at(t));
    await addWorld(world, plan, b, 'step', t);
  }
  if (inTurns) world = sequence.add(list('finish'));
  await addWorld(world, plan, b, 'finish');
  if (!plan.critic) return sequence;
  await addSteps(world, tokens, batch, 'last');
  const values = sequence.add(list('values'), chunksOf(tokens, 'last'));
  await addLastValueChunk(values, tokens, batch, b.sampledTheta);
  if (inTurns) await addTurnLast(sequence.add(list('turn')), plan, b);
  return sequence;
}

/** All optimizer steps of an update, and the look at the batch behind them. */
export async function tokenOptimize(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  tokens: TokenBuffers,
  past: GpuPast,
): Promise<Sequence> {
  const { B, epochs, minibatches } = plan;
  const batch = commandBatch(plan, b);
  const sequence = new Sequence(paceOf(gpu, `optimize ${sizesOf(plan)}`));
  const list = (name: string): CommandList => new CommandList(gpu, name, b.all);
  const [p0, p1, p2, p3] = plan.objective.uniforms(plan.objectiveParams as never);
  const perStep = plan.ratioLevel === 'step';
  const look = {
    objective: plan.objective.wgsl,
    params: [p0, p1, p2, p3] as const,
    perStep,
    temperature: plan.temperature,
    value: valueForm(plan),
  };
  const reference = comparesInLoss(plan.control, plan.live) ? b.reference : null;
  const most = perStep ? 1 : tokens.shape.grammar.decisions;
  const units = perStep ? b.length : tokens.units;
  const weigh = async (into: CommandList, epoch: number, minibatch: number): Promise<void> => {
    const mode = AGGREGATE[plan.aggregate];
    const buffers = { length: b.length, units, member: b.member, plan: b.plan };
    await addUnitWeights(into, tokens, buffers, { mode, epoch, minibatch, most });
    await addHold(into, plan, b, { epoch, minibatch });
    await addLookStart(into, tokens, batch);
  };
  const learn = list('learn');
  await addLookChunk(learn, tokens, batch, past.seen, reference, look, true);
  const glance = list('look');
  await addLookChunk(glance, tokens, { ...batch, live: b.look }, past.seen, reference, look, false);
  let between = sequence.add(list('optimize'));
  await addMatchSize(between, plan, b);
  await addBatchMetrics(between, plan, b);
  await addUnits(between, tokens, batch, tokens.units);
  between = await addWordMismatch(sequence, between, list, plan, b, { tokens, batch, past });
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let m = 0; m < minibatches; m++) {
      await weigh(between, epoch, m);
      sequence.add(learn, chunksOf(tokens, 'weighted', Math.ceil(B / minibatches)));
      between = sequence.add(list('optimize'));
      if (epoch === 0 && minibatches === 1) await addRatioMetrics(between, plan, b, REPORT.start);
      await addGradientEnd(between, tokens, b.gradient);
      await addOptimizerStep(between, plan, b, epoch * minibatches + m);
      if (plan.behaviour.unified) await past.addRounding(between);
      if (!b.before) continue;
      await addLookStart(between, tokens, batch);
      sequence.add(glance, chunksOf(tokens, 'weighted', Math.ceil(B / minibatches)));
      between = sequence.add(list('optimize'));
      await addCut(between, plan, b, past, epoch * minibatches + m);
    }
  }
  await weigh(between, epochs, 0);
  sequence.add(glance, chunksOf(tokens, 'weighted'));
  const statistics = sequence.add(list('statistics'));
  await addUnitStats(statistics, tokens, batch, b.report(REPORT.update));
  await addRatioMetrics(statistics, plan, b, REPORT.ratios);
  await addWeightMetrics(statistics, plan, b);
  return sequence;
}
