import { CommandList, type Slice } from '../../gpu/recorder.ts';
import { setCalls } from '../../gpu/match.ts';
import { segmentStatsCall } from '../../gpu/segments.ts';
import { kernels, stepKernels } from '../../gpu/shaders/kernels.ts';
import { stepSums } from '../../gpu/stepSums.ts';
import { addTogether, type Given } from '../../gpu/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { Column } from '../../slots/types.ts';
import { blockOf } from '../groups.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { GpuControl } from './control.ts';
import type { DeviceScores } from './deviceScores.ts';
import type { GpuRestriction } from './restriction.ts';
import { GpuCreditOps } from './creditOps.ts';
import type { GpuSideEpisodes } from './sideEpisodes.ts';
import { paySequence } from './klReward.ts';
import type { GpuPast } from './past.ts';
import type { GpuPhases } from './phases.ts';
import { pacedList, paceOf, sizesOf } from './pace.ts';
import type { GpuProcessModel } from './processModel.ts';
import { REPORT } from './report.ts';
import { rolloutList } from './rolloutList.ts';
import type { GpuShaping } from './shaping.ts';
import type { GpuStepScores } from './stepScores.ts';
import type { GivenRows } from './givenRows.ts';
import type { SurveyedUpdate } from './surveyed.ts';
import { passesOf } from './passesOf.ts';
import type { ToldMarks } from './toldMarks.ts';
import { Sequence } from './tokenSequence.ts';
import type { GpuTurns } from './turns.ts';
import { UpdateLists } from './updateLists.ts';

/** Only where a run has a process model. */
const processLists = () => import('./processLists.ts');

/** Everything an update dispatches, recorded once. */
export type Lists = {
  readonly rollout: Sequence;
  readonly evalStats: Sequence;
  /** where evaluations play on held-out levels too */
  readonly panelStats: Sequence;
  readonly credit: Sequence;
  /** all steps of an update, or where every minibatch is surveyed before its step, what does them */
  readonly optimize: Sequence | SurveyedUpdate;
  /** where the device makes marks of which the objective says something */
  readonly told: ToldMarks | null;
  /** columns of the estimator's parts, for views */
  readonly parts: Readonly<Record<string, Column>>;
  /** takes trajectories that the estimator leaves out from all minibatches */
  readonly drop: CommandList | null;
  /** what the process model does: scores before the credit, a step after the policy's */
  readonly score: Sequence | null;
  /** rewards pay for the reference before the credit */
  readonly pay: Sequence | null;
  readonly learn: Sequence | null;
};

/** Is every minibatch surveyed before its step? */
export const isSurveyed = (optimize: Lists['optimize']): optimize is SurveyedUpdate => 'asked' in optimize;

/** What only some estimators need, made with the run's buffers. */
export type Extras = {
  readonly past: GpuPast;
  readonly turns: GpuTurns | null;
  readonly restriction: GpuRestriction | null;
  readonly control: GpuControl;
  readonly process: GpuProcessModel | null;
  readonly side: GpuSideEpisodes | null;
  readonly shown: GivenRows | null;
  readonly phases: GpuPhases | null;
  readonly shaping: GpuShaping | null;
  readonly scores: GpuStepScores | null;
  readonly scored: DeviceScores | null;
};

function batchStats(plan: Plan, b: RunBuffers, report: number, length: Slice): Given[] {
  const { S, B, T, P } = plan;
  const buffers = {
    length,
    ending: b.columns.ending,
    outcome: b.columns.outcome,
    sampled: b.sampled,
    next: b.next,
    groups: b.groups,
    record: b.report(report),
    parts: b.parts,
  };
  return stepSums(b.gpu, stepKernels.batchStats, S, buffers, { B, T, P, floatSection: b.section });
}

async function creditList(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  { process, side, shaping }: Extras,
): Promise<Pick<Lists, 'credit' | 'parts' | 'drop'>> {
  const { S, B, T, P } = plan;
  // estimators differ in what they dispatch
  const credit = new Sequence(paceOf(gpu, `credit ${plan.estimator.id} ${sizesOf(plan)}`));
  const list = credit.add(new CommandList(gpu, 'credit', b.all));
  const { own } = b;
  const { length, taskIndex } = b.columns;
  const block = blockOf(plan);
  const match = (length: Slice): Given[] => {
    const buffers = { key: b.columns.stateKey, length, taskIndex, table: b.table, match_: b.head, next: b.next };
    return setCalls('key', { S, B, T, block }, gpu.software).map((call) => ({ ...call, buffers }));
  };
  const returns = { x: b.columns.outcome, length: own, taskIndex, stats: b.groups };
  await addTogether(list, [match(length), [{ ...segmentStatsCall(S, B, 1, P, block), buffers: returns }]]);
  let parts: Readonly<Record<string, Column>> = {};
  let drop: CommandList | null = null;
  if (plan.estimator.gpu) {
    const ops = new GpuCreditOps(plan, b, {
      ...(process ? { logpPhi: process.logpPhi } : {}),
      ...(shaping?.planMask ? { planMask: shaping.planMask } : {}),
      ...(shaping?.rewardParts ? { rewardParts: shaping.rewardParts } : {}),
      ...(b.ownLength ? {} : { returns: b.groups }),
      ...(side ? { perTask: { [side.column.name]: side.column.slice } } : {}),
    });
    const made = plan.estimator.gpu(ops, plan.estimatorParams as never);
    ops.end(made.A, made.target, made.parts);
    parts = made.parts ?? {};
    await ops.flush(list);
    if (made.keep) drop = await dropList(gpu, plan, b, made.keep);
  }
  if (b.ownLength) await addTogether(list, [match(own)]);
  const { assign, choice, rowHash, section } = b;
  const { rewardMilli: milli } = b.columns;
  const hash: Given = {
    kernel: kernels.hashRows,
    dims: { S, B, T, section },
    groups: [Math.ceil((S * B) / 64), 1, 1],
    buffers: { assign, length, choice, milli, rowHash },
  };
  await addTogether(list, [batchStats(plan, b, REPORT.batch, own), [hash]]);
  return { credit, parts, drop };
}

async function dropList(gpu: Gpu, plan: Plan, b: RunBuffers, keep: Column): Promise<CommandList> {
  const rows = plan.S * plan.B;
  const list = new CommandList(gpu, 'filter', b.all);
  const buffers = { keep: keep.handle as Slice, member: b.member };
  await list.add(kernels.dropRows, buffers, { rows, epochs: plan.epochs }, [Math.ceil(rows / 64)]);
  return list;
}

async function optimizeOf(gpu: Gpu, plan: Plan, b: RunBuffers, past: GpuPast): Promise<Lists['optimize']> {
  // few objectives survey: what does it is loaded for them alone
  if (plan.objective.survey) return (await import('./surveyed.ts')).SurveyedUpdate.record(gpu, plan, b, past);
  return new UpdateLists(gpu, plan, b, past, await passesOf(gpu, plan, b, past)).steps();
}

async function toldOf(plan: Plan, b: RunBuffers): Promise<ToldMarks | null> {
  const { tells, survey } = plan.objective;
  return tells && !survey ? new (await import('./toldMarks.ts')).ToldMarks(plan, b) : null;
}

/** `fused`: many steps of an episode in one dispatch where the network allows it; false only to compare. */
export async function recordLists(gpu: Gpu, plan: Plan, b: RunBuffers, extras: Extras, fused: boolean): Promise<Lists> {
  const { process, side, restriction } = extras;
  const form = { isFused: fused, restriction };
  if (side) await side.record(await rolloutList(gpu, side.plan, side.b, form), b);
  const stats = (work: string, report: number): Promise<Sequence> =>
    pacedList(gpu, plan, b.all, work, (list) => addTogether(list, [batchStats(plan, b, report, b.columns.length)]));
  return {
    rollout: await rolloutList(gpu, plan, b, form),
    evalStats: await stats('evaluation', REPORT.eval),
    panelStats: await stats('held-out levels', REPORT.panel),
    ...(await creditList(gpu, plan, b, extras)),
    score: process && (await (await processLists()).scoreSequence(gpu, plan, b, process)),
    pay: await paySequence(gpu, plan, b),
    learn: process && (await (await processLists()).learnSequence(gpu, plan, b, process)),
    optimize: await optimizeOf(gpu, plan, b, extras.past),
    told: await toldOf(plan, b),
  };
}
