import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { playsSeveral } from '../behaviour.ts';
import { comparesInLoss } from '../control.ts';
import { mostInMinibatch } from '../minibatch.ts';
import type { Plan } from '../plan.ts';
import type { GpuMask } from './actionMask.ts';
import type { RunBuffers } from './buffers.ts';
import { clipForm } from './clipForm.ts';
import { addHold } from './stopAbove.ts';
import { addBatchMetrics, addRatioMetrics, addWeightMetrics } from './metricLists.ts';
import type { GpuPast } from './past.ts';
import { paceOf, sizesOf } from './pace.ts';
import { REPORT } from './report.ts';
import { addOwnWeights } from './givenRows.ts';
import { addCut } from './cutStep.ts';
import type { Minibatch, SurveyLists } from './surveyLists.ts';
import {
  addCommandChunk,
  addLastValueChunk,
  addLookChunk,
  addLookStart,
  addSeenCommands,
  addUnits,
  addUnitStats,
  addUnitWeights,
  type CommandBatch,
} from './tokenCommandList.ts';
import { addGradientEnd, addSteps, chunksOf } from '../../networks/transformer/tokenList.ts';
import { Sequence } from './tokenSequence.ts';
import type { TokenScoreNorms } from './tokenScoreNorms.ts';
import { addTurnLast } from './turns.ts';
import { addNoChange, addStartMetrics } from './updateStart.ts';
import { valueForm } from './valueForm.ts';
import type { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';
import { weightMode } from './weightMode.ts';
import { addRevisions, addOptimizerStep, addWorld } from './worldList.ts';

/** The batch of a run as the lists of commands name it. */
export function commandBatch(plan: Plan, b: RunBuffers): CommandBatch {
  const { obs, choice, section, sampled, roll, shown, flags, stats, credit, live, marksAt, creditAt } = b;
  const { length, probs, command: commands } = b.columns;
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
    marksAt,
    creditAt,
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

/** The parts of an update, in the order in which they come. */
type Parts = {
  readonly list: (name: string) => CommandList;
  /** once; returns the list that goes on */
  readonly begin: (sequence: Sequence) => Promise<CommandList>;
  /** lists the steps of a minibatch */
  readonly weigh: (into: CommandList, epoch: number, minibatch: number) => Promise<void>;
  /** lists the steps that have a weight once more */
  readonly again: (into: CommandList) => Promise<void>;
  /** chunks: that learn, and that only look */
  readonly learn: CommandList;
  readonly glance: CommandList;
  /** chunks of a minibatch, and of the whole batch */
  readonly some: number;
  readonly all: number;
  /** step k, after its chunks; returns the list that goes on */
  readonly step: (sequence: Sequence, k: number) => Promise<CommandList>;
  /** after the chunks of the look at the whole batch */
  readonly finish: (sequence: Sequence) => Promise<void>;
};

async function partsOf(gpu: Gpu, plan: Plan, b: RunBuffers, tokens: TokenBuffers, past: GpuPast): Promise<Parts> {
  const { minibatches } = plan;
  const batch = commandBatch(plan, b);
  const list = (name: string): CommandList => new CommandList(gpu, name, b.all);
  const [p0, p1, p2, p3] = plan.objective.uniforms(plan.objectiveParams as never);
  const perStep = plan.ratioLevel !== 'unit';
  const look = {
    objective: plan.objective.wgsl,
    params: [p0, p1, p2, p3] as const,
    ratioLevel: plan.ratioLevel,
    temperature: plan.temperature,
    value: valueForm(plan),
    clip: clipForm(plan),
  };
  const reference = comparesInLoss(plan.control, plan.live) ? b.reference : null;
  const most = perStep ? 1 : tokens.shape.grammar.decisions;
  const units = perStep ? b.columns.length : tokens.units;
  const learn = list('learn');
  await addLookChunk(learn, tokens, batch, past.seen, reference, look, true);
  const glance = list('look');
  await addLookChunk(glance, tokens, { ...batch, live: b.look }, past.seen, reference, look, false);
  const again = (into: CommandList): Promise<void> => addLookStart(into, tokens, batch);
  const weigh: Parts['weigh'] = async (into, epoch, minibatch) => {
    const mode = weightMode(plan);
    const buffers = { length: b.columns.length, units, member: b.member, plan: b.plan, parts: b.parts };
    await addUnitWeights(into, tokens, buffers, { mode, epoch, minibatch, most });
    await addHold(into, plan, b, { epoch, minibatch });
    await again(into);
  };
  const some = chunksOf(tokens, 'weighted', mostInMinibatch(plan));
  return {
    list,
    begin: async (sequence) => {
      const first = sequence.add(list('begin'));
      await addRevisions(first, plan, b);
      await addUnits(first, tokens, batch, tokens.units);
      const { seen } = b;
      if (!seen) {
        await addBatchMetrics(first, plan, b);
        return first;
      }
      await addNoChange(first, plan, b);
      await weigh(first, plan.epochs, 0);
      const start = sequence.add(list('start'), chunksOf(tokens, 'weighted'));
      await addLookChunk(start, tokens, { ...batch, live: b.look }, past.seen, null, look, false);
      await addSeenCommands(
        start,
        tokens,
        batch,
        { buffer: seen.buffer, probsAt: b.probsAt },
        plan.temperature,
        b.report(REPORT.mismatchMax, 1),
      );
      const after = sequence.add(list('optimize'));
      await addStartMetrics(after, plan, b, seen);
      await addBatchMetrics(after, plan, b);
      return after;
    },
    weigh,
    again,
    learn,
    glance,
    some,
    all: chunksOf(tokens, 'weighted'),
    step: async (sequence, k) => {
      const step = sequence.add(list('optimize'));
      await addOwnWeights(step, plan, b);
      if (!b.seen && k === 0 && minibatches === 1) await addRatioMetrics(step, plan, b, REPORT.start);
      await addGradientEnd(step, tokens, b.gradient);
      await addOptimizerStep(step, plan, b, k);
      if (plan.behaviour.unified) await past.addRounding(step);
      if (!b.before) return step;
      await again(step);
      sequence.add(glance, some);
      const after = sequence.add(list('optimize'));
      await addCut(after, plan, b, past, k);
      return after;
    },
    finish: async (sequence) => {
      const statistics = sequence.add(list('statistics'));
      await addOwnWeights(statistics, plan, b);
      await addUnitStats(statistics, tokens, batch, b.report(REPORT.update));
      await addRatioMetrics(statistics, plan, b, REPORT.ratios);
      await addWeightMetrics(statistics, plan, b);
    },
  };
}

/** All optimizer steps of an update, and the look at the batch after them. */
export async function tokenOptimize(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  tokens: TokenBuffers,
  past: GpuPast,
): Promise<Sequence> {
  const { epochs, minibatches } = plan;
  const { begin, weigh, learn, glance, some, all, step, finish } = await partsOf(gpu, plan, b, tokens, past);
  const sequence = new Sequence(paceOf(gpu, `optimize ${sizesOf(plan)}`));
  let between = await begin(sequence);
  for (let k = 0; k < epochs * minibatches; k++) {
    await weigh(between, Math.floor(k / minibatches), k % minibatches);
    sequence.add(learn, some);
    between = await step(sequence, k);
  }
  await weigh(between, epochs, 0);
  sequence.add(glance, all);
  await finish(sequence);
  return sequence;
}

/** The same with a look at every minibatch before its step, for objectives with a survey. */
export async function tokenSurvey(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  tokens: TokenBuffers,
  past: GpuPast,
  scores: TokenScoreNorms | null,
): Promise<SurveyLists> {
  const { epochs, minibatches } = plan;
  const { list, begin, weigh, again, learn, glance, some, all, step, finish } = await partsOf(
    gpu,
    plan,
    b,
    tokens,
    past,
  );
  const paced = (work: string): Sequence => new Sequence(paceOf(gpu, `${work} ${sizesOf(plan)}`));
  const look = async (epoch: number, minibatch: number): Promise<Sequence> => {
    const isAll = epoch === epochs;
    const sequence = paced('look');
    await weigh(sequence.add(list('look')), epoch, minibatch);
    if (scores) scores.addTo(sequence, isAll ? plan.B : mostInMinibatch(plan));
    else sequence.add(glance, isAll ? all : some);
    return sequence;
  };
  const first = paced('begin');
  await begin(first);
  const made: Minibatch[] = [];
  for (let k = 0; k < epochs * minibatches; k++) {
    const own = paced('optimize');
    await again(own.add(list('optimize')));
    own.add(learn, some);
    await step(own, k);
    made.push({ look: await look(Math.floor(k / minibatches), k % minibatches), step: own });
  }
  const end = paced('statistics');
  await again(end.add(list('statistics')));
  end.add(glance, all);
  await finish(end);
  return { begin: first, minibatches: made, all: { look: await look(epochs, 0), step: end } };
}
