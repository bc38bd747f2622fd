import type { Kernel } from '../kernel.ts';
import answers from './rollout/rewardNet/answers.wgsl?raw';
import ranking from './rollout/rankedPairs/ranking.wgsl?raw';
import deltas from './rollout/rewardNet/deltas.wgsl?raw';
import milestoneSlopes from './rollout/rewardNet/milestoneSlopes.wgsl?raw';
import outcomeSlopes from './rollout/rewardNet/outcomeSlopes.wgsl?raw';
import rankingSlopes from './rollout/rewardNet/rankingSlopes.wgsl?raw';
import restGradient from './rollout/rewardNet/restGradient.wgsl?raw';
import rowAnswers from './rollout/rewardNet/rowAnswers.wgsl?raw';
import step from './rollout/rewardNet/step.wgsl?raw';
import total from './rollout/rewardNet/total.wgsl?raw';

const part = (name: string, wgsl: string, link?: readonly string[]): Kernel => ({
  id: `rewardNet.${name}`,
  wgsl,
  ...(link ? { link } : {}),
});

/** Kernels of a model of rewards: loaded for runs that have one. */
export const rewardNet = {
  answers: part('answers', answers),
  rowAnswers: part('rowAnswers', rowAnswers),
  states: part('states', milestoneSlopes, [total]),
  steps: part('steps', outcomeSlopes, [total]),
  ranking: part('ranking', rankingSlopes, [ranking, total]),
  deltas: part('deltas', deltas),
  restGradient: part('restGradient', restGradient),
  step: part('step', step),
};
