import type { AnyValues } from '../../core/settings.ts';
import { waitingReward } from '../../envs/perturb/delayed.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { coefficientsWith, kernels, optimizeWith, rolloutWith } from '../../gpu/shaders/kernels.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { Column } from '../../methods/types.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { GpuCreditOps } from './creditOps.ts';
import { addBackward, addForward } from './networkList.ts';

/** Sections of the report: batch statistics, evaluation, update statistics, norms, losses, RMS of the credit, hash. */
export const REPORT = { batch: 0, eval: 1, update: 2, norms: 3, losses: 4, rms: 5, hash: 6, flags: 7 } as const;
const AGGREGATE = { unitMean: 0, seqMeanUnitMean: 1, seqMeanUnitSum: 2, constant: 3 } as const;

/** Everything an update dispatches, recorded once. */
export type Lists = {
  readonly rollout: CommandList;
  readonly evalStats: CommandList;
  readonly credit: CommandList;
  readonly optimize: CommandList;
  /** columns of the estimator's parts, for views */
  readonly parts: Readonly<Record<string, Column>>;
};

/** Dims of the kernels of `rollout.wgsl`, step aside. */
export function rolloutDims(plan: Plan, b: Pick<RunBuffers, 'section' | 'endingAt' | 'finalKeyAt' | 'taskAt'>) {
  const { S, B, T, env, obsWords, perturbation, sight } = plan;
  const { section, endingAt, finalKeyAt, taskAt } = b;
  return {
    ...{ S, B, T, words: env.words, obsWords, section, endingAt, finalKeyAt, taskAt },
    delay: perturbation.actionDelay,
    waiting: waitingReward(plan.config.reward[env.id] as AnyValues),
    rewardDelay: perturbation.rewardDelay,
    rewardNoise: perturbation.rewardNoise,
    obsNoise: perturbation.obsNoise,
    parts: sight.parts,
    partBits: sight.bits,
    partStride: sight.stride,
    partStep: sight.step,
    spared: sight.spared,
  };
}

async function rolloutList(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<CommandList> {
  const { S, B, T } = plan;
  const { shape } = denseOf(plan);
  const list = new CommandList(gpu, 'rollout', b.all);
  const { levels, assign, state, obs, choice, length, result, reals } = b;
  const buffers = { levels, assign, state, obs, choice, length, result, reals };
  const groups = [Math.ceil(B / 64), 1, S] as const;
  const dims = { ...rolloutDims(plan, b), t: 0 };
  const { wgsl, flicker } = plan.env.gpu!;
  await list.add(rolloutWith(wgsl, 'start', flicker), buffers, dims, groups);
  for (let t = 0; t < T; t++) {
    await list.add(rolloutWith(wgsl, 'observe', flicker), buffers, { ...dims, t }, groups);
    await addForward(list, plan, b, b.theta, b.out, { slot: t });
    await list.add(
      kernels.policyHead,
      { logits: b.out, length, roll: b.roll, choice, sampled: b.sampled, probs: b.probs, flags: b.flags },
      {
        B,
        T,
        t,
        actions: shape.actions,
        n: outputs(shape),
        maxRows: B * T,
        section: b.section,
        floatSection: b.section,
        inverse: 1 / plan.temperature,
      },
      groups,
    );
    await list.add(rolloutWith(wgsl, 'step', flicker), buffers, { ...dims, t }, groups);
  }
  await list.add(rolloutWith(wgsl, 'finish', flicker), buffers, dims, groups);
  if (shape.critic) await addForward(list, plan, b, b.theta, b.out, { slot: T });
  return list;
}

async function statsInto(list: CommandList, plan: Plan, b: RunBuffers, report: number): Promise<void> {
  const { S, B, T, P } = plan;
  const buffers = {
    length: b.length,
    ending: b.ending,
    outcome: b.outcome,
    sampled: b.sampled,
    count: b.count,
    groups: b.groups,
    record: b.report(report),
  };
  await list.add(kernels.batchStats, buffers, { B, T, P, floatSection: b.section }, [1, 1, S]);
}

async function creditList(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<Pick<Lists, 'credit' | 'parts'>> {
  const { S, B, T, P } = plan;
  const list = new CommandList(gpu, 'credit', b.all);
  const { length, taskIndex } = b;
  await list.add(kernels.keyMatch, { key: b.key, length, taskIndex, head: b.head, count: b.count }, { B, T }, [
    Math.ceil((B * T) / 64),
    1,
    S,
  ]);
  let parts: Readonly<Record<string, Column>> = {};
  if (plan.estimator.gpu) {
    const ops = new GpuCreditOps(plan, b);
    const credit = plan.estimator.gpu(ops, plan.estimatorParams as never);
    ops.combineInto(1, credit.A, 0, credit.A, b.creditPart(0));
    if (credit.target) ops.combineInto(1, credit.target, 0, credit.target, b.creditPart(1));
    parts = credit.parts ?? {};
    await ops.flush(list);
  }
  await list.add(
    kernels.segmentStats,
    { x: b.outcome, length, taskIndex, stats: b.groups },
    { B, cols: 1, segments: P },
    [P, 1, S],
  );
  await statsInto(list, plan, b, REPORT.batch);
  const hash = {
    assign: b.assign,
    length,
    choice: b.choice,
    milli: b.milli,
    rowHash: b.rowHash,
    hash: b.report(REPORT.hash),
  };
  await list.add(kernels.hashRows, hash, { S, B, T, section: b.section }, [Math.ceil((S * B) / 64)]);
  await list.add(kernels.hashAll, hash, { S, B, T, section: b.section }, [Math.ceil(S / 64)]);
  return { credit: list, parts };
}

async function optimizeList(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<CommandList> {
  const { S, B, T, layout, epochs, minibatches } = plan;
  const { shape } = denseOf(plan);
  const list = new CommandList(gpu, 'optimize', b.all);
  const all = [Math.ceil((B * T) / 64), 1, S] as const;
  const [p0, p1, p2, p3] = plan.objective.uniforms(plan.objectiveParams as never);
  const coefficientDims = {
    S,
    B,
    T,
    actions: shape.actions,
    n: outputs(shape),
    section: b.section,
    floatSection: b.section,
    inverse: 1 / plan.temperature,
    valueCoef: plan.valueCoef,
    valueClip: plan.valueClip,
    p0,
    p1,
    p2,
    p3,
  };
  const [q0, q1, q2, q3] = plan.optimizer.uniforms(plan.optimizerParams as never);
  const look = async (epoch: number, minibatch: number): Promise<void> => {
    const mode = AGGREGATE[plan.aggregate];
    await list.add(
      kernels.weights,
      { length: b.length, member: b.member, plan: b.plan },
      { S, B, T, mode, epoch, minibatch },
      [Math.ceil(S / 64)],
    );
    await addForward(list, plan, b, b.theta, b.out, 'all');
    await list.add(
      coefficientsWith(plan.objective.wgsl),
      {
        out: b.out,
        ref_: b.refOut ?? b.out,
        choice: b.choice,
        sampled: b.sampled,
        credit: b.credit,
        plan: b.plan,
        dOut: b.dOut,
        stats: b.stats,
        live: b.live,
      },
      coefficientDims,
      all,
    );
  };
  await list.add(
    kernels.matchSize,
    { length: b.length, credit: b.credit, rms: b.report(REPORT.rms, 1), flags: b.flags },
    { B, T, matched: plan.matched ? 1 : 0 },
    [1, 1, S],
  );
  if (b.refOut) await addForward(list, plan, b, b.reference, b.refOut, 'all');
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let m = 0; m < minibatches; m++) {
      await look(epoch, m);
      await addBackward(list, plan, b);
      await list.add(
        kernels.gradNorm,
        { gradient: b.gradient, norms: b.report(REPORT.norms, 2), flags: b.flags },
        { size: layout.size },
        [1, 1, S],
      );
      await list.add(
        optimizeWith(plan.optimizer.wgsl),
        {
          gradient: b.gradient,
          norms: b.report(REPORT.norms, 2),
          rates: b.rates,
          theta: b.theta,
          m: b.m,
          v: b.v,
          flags: b.flags,
        },
        { size: layout.size, k: epoch * minibatches + m, clipNorm: plan.clipNorm, p0: q0, p1: q1, p2: q2, p3: q3 },
        [Math.ceil(layout.size / 64), 1, S],
      );
      await list.add(kernels.lossSums, { stats: b.stats, losses: b.report(REPORT.losses, 2) }, { steps: B * T }, [
        1,
        1,
        S,
      ]);
    }
  }
  await look(epochs, 0);
  await list.add(kernels.updateStats, { stats: b.stats, plan: b.plan, record: b.report(REPORT.update) }, { B, T }, [
    1,
    1,
    S,
  ]);
  return list;
}

export async function recordLists(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<Lists> {
  const evalStats = new CommandList(gpu, 'evaluation', b.all);
  await statsInto(evalStats, plan, b, REPORT.eval);
  return {
    rollout: await rolloutList(gpu, plan, b),
    evalStats,
    ...(await creditList(gpu, plan, b)),
    optimize: await optimizeList(gpu, plan, b),
  };
}
