import type { AnyValues } from '../../core/settings.ts';
import { waitingReward } from '../../envs/perturb/delayed.ts';
import { addNorm } from '../../gpu/norm.ts';
import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { kernels, rolloutWith } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import { isControlled } from '../control.ts';
import { isRevised } from '../creditRevision.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addRevision } from './creditRevision.ts';
import { addJudge, addKeep } from './klStop.ts';
import { addStep } from './optimizerStep.ts';
import { REPORT } from './report.ts';
import { addBefore } from './stepPreview.ts';

/** Dims of the kernels of `rollout.wgsl`, step aside. */
export function rolloutDims(plan: Plan, b: RunBuffers) {
  const { S, B, T, env, obsWords, perturbation, sight } = plan;
  const { section, assignAt, endingAt, finalKeyAt, taskAt, lengthAt, turnAt } = b;
  return {
    ...{ S, B, T, words: env.words, obsWords, section, assignAt, endingAt, finalKeyAt, taskAt, lengthAt, turnAt },
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

/** One of the world's moves in a rollout, at step t where it has one. */
export async function addWorld(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  entry: 'start' | 'turn' | 'observe' | 'step' | 'finish',
  t = 0,
): Promise<void> {
  const { levels, state, obs, choice, result, reals } = b;
  const buffers = { levels, state, obs, choice, result, reals };
  const { wgsl, flicker } = plan.env.gpu!;
  const dims = { ...rolloutDims(plan, b), t };
  await list.add(rolloutWith(wgsl, entry, flicker), buffers, dims, [Math.ceil(plan.B / 64), 1, plan.S]);
}

/** Brings the credit to the size of another method's, if asked for, revises it, and reports its size. */
export async function addMatchSize(list: CommandList, plan: Plan, b: RunBuffers): Promise<void> {
  const { S, B, T } = plan;
  const { credit, flags } = b;
  const add = (length: Slice, matched: boolean): Promise<void> =>
    addSums(
      list,
      kernels.matchSize,
      S,
      { length, credit, rms: b.report(REPORT.rms, 1), flags, parts: b.parts },
      { B, T, matched: Number(matched) },
      matched,
    );
  await add(b.length, plan.matched);
  if (isRevised(plan.revision)) await addRevision(list, plan, b);
  if (isRevised(plan.revision) || b.ownLength) await add(b.own, false);
}

/**
 * Optimizer step k of an update: norm, step, sums of the losses. Rates are those of step k; of every replica where these
 * count their steps by themselves; of the present step where each is prepared on the CPU.
 */
export async function addOptimizerStep(list: CommandList, plan: Plan, b: RunBuffers, k: number): Promise<void> {
  const { S, B, T, layout } = plan;
  const { size } = layout;
  const norms = b.report(REPORT.norms, 2);
  const { gradient, rates, theta, m, v, flags, stats } = b;
  await addKeep(list, plan, b, k);
  await addNorm(list, S, size, { gradient, squares: b.squares, norms, flags });
  await addJudge(list, plan, b, k);
  await addBefore(list, plan, b);
  const perReplica = plan.objective.survey !== undefined || isControlled(plan.control);
  const at = plan.objective.survey ? 0 : perReplica ? k * S : k;
  await addStep(list, plan, b, { gradient, norms, rates, theta, m, v }, { k: at, perReplica: perReplica ? 1 : 0 });
  const losses = b.report(REPORT.losses, 2);
  await addSums(list, kernels.lossSums, S, { stats, losses, parts: b.parts }, { B, T });
}
