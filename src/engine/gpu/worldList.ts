import type { AnyValues } from '../../core/settings.ts';
import { addNorm } from '../../gpu/norm.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import type { Given } from '../../gpu/together.ts';
import { rolloutWith, type LinkedWorld } from '../../gpu/shaders/kernels.ts';
import { wrappedWorld } from '../../gpu/wrapped.ts';
import { linkedWrappers } from '../wrapping.ts';
import { revisesOnCpu } from '../creditRevision.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { hasRatesEach } from './control.ts';
import { GpuReviseOps } from './creditRevision.ts';
import { addJudge, addKeep } from './stopAbove.ts';
import { addStep } from './optimizerStep.ts';
import { REPORT } from './report.ts';
import { addBefore } from './cutStep.ts';

/** Dims of the kernels of `rollout.wgsl`, step aside. */
export function rolloutDims(plan: Plan, b: RunBuffers) {
  const { S, B, T, env, obsWords } = plan;
  const { section, assignAt, beginsAt, batch } = b;
  return {
    ...{ S, B, T, words: env.words, obsWords, section, assignAt },
    endingAt: batch.at('ending'),
    finalKeyAt: batch.at('finalStateKey'),
    taskAt: batch.at('taskIndex'),
    lengthAt: batch.at('length'),
    turnAt: batch.at('turns'),
    beginsAt,
  };
}

/** True where rows go on from others and rewards of an episode are settled at its end: a fork needs them as they came. */
export const settlesLate = ({ scheme, wrapping }: Plan): boolean =>
  scheme?.forks === true && wrapping.settle.length > 0;

/** States and observations as the kernels of a rollout know them: near ones have the names that a world uses. */
export const worldColumns = ({ state, obs }: Pick<RunBuffers, 'state' | 'obs'>) => ({
  ...{ state, states: state },
  ...{ obs, sights: obs },
});

/** The world of a plan behind its wrappers, as kernels are linked to it. */
export async function linkedWorld(plan: Plan): Promise<LinkedWorld> {
  const { wrapping, env, bareEnv, sight, config } = plan;
  const { step, next, flicker } = await bareEnv.gpu!.wgsl();
  const rewards = config.reward[bareEnv.id] as AnyValues;
  const level = plan.level(plan.firstLevelSeed);
  const wrappers = await linkedWrappers(wrapping, bareEnv, { sight, rewards, level });
  return {
    ...{ words: env.words, obsWords: plan.obsWords, levelWords: env.gpu!.packLevel(level).length },
    step,
    // wrappers change what is seen of a world
    next: wrappers.length === 0 ? next : undefined,
    flicker,
    wrapped: wrappedWorld(wrappers, settlesLate(plan)),
  };
}

/** One of the world's moves in a rollout, at step t where it has one; it observes at T what the episodes have ended with. */
export async function addWorld(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  entry: 'start' | 'turn' | 'observe' | 'step' | 'late',
  t = 0,
): Promise<void> {
  const { levels, choice, result, reals } = b;
  const buffers = { levels, ...worldColumns(b), choice, result, reals };
  const dims = { ...rolloutDims(plan, b), t };
  await list.add(rolloutWith(await linkedWorld(plan), entry), buffers, dims, [Math.ceil(plan.B / 64), 1, plan.S]);
}

/** Revises the credit, unless that was done on the CPU; comes with what reports its size. */
export async function addRevisions(list: CommandList, plan: Plan, b: RunBuffers): Promise<Given[]> {
  const ops = new GpuReviseOps(list, plan, b);
  const chosen = revisesOnCpu(plan.revisions) ? [] : plan.revisions;
  for (const { module, params } of chosen) await module.gpu!(ops, params as never);
  return ops.report();
}

/**
 * Optimizer step k of an update: norm with the sums of the losses, unless the way back has added these up, and step. Rates are
 * those of step k; of every replica where these count their steps by themselves; of the present step where each is prepared on
 * the CPU.
 */
export async function addOptimizerStep(list: CommandList, plan: Plan, b: RunBuffers, k: number): Promise<void> {
  const { S, B, T, layout } = plan;
  const { size } = layout;
  const norms = b.report(REPORT.norms, 2);
  const { gradient, rates, theta, m, v, flags, stats } = b;
  await addKeep(list, plan, b, k);
  const losses = { stats, losses: b.report(REPORT.losses, 2), steps: B * T };
  if (!b.sums) await addNorm(list, S, size, { gradient, squares: b.squares, norms, flags }, losses);
  await addJudge(list, plan, b, k);
  await addBefore(list, plan, b);
  const perReplica = hasRatesEach(plan);
  const at = plan.objective.survey ? 0 : perReplica ? k * S : k;
  const row = { k: at, perReplica: perReplica ? 1 : 0 } as const;
  if (b.sums) await (await import('./summedStep.ts')).addSummedStep(list, plan, b, b.sums, row);
  else await addStep(list, plan, b, { gradient, norms, rates, theta, m, v }, row);
}
