import type { Batch } from '../../contract/columns.ts';
import { returnsToGo } from '../../core/batch.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineEstimator, type Credit, type CreditOps, type GpuCredit, type Sets } from '../types.ts';
import { common } from './common.ts';
import { groupInGroupTerms } from './explainSteps.ts';
import { anchorHeads, normalizeHeads, type Heads } from './segments.ts';
import { outcomeCredit, sumOfParts } from './trajectoryCredit.ts';

export const gigpoParams = settings({
  omega: common.omega,
  gamma: { ...common.gamma, doc: 'Below 1, reaching the goal sooner counts more in the step part.' },
  mode: { ...common.mode, doc: 'Divide both parts by the spread of their group, or only subtract the mean.' },
  episodeRows: {
    ...common.rows,
    label: 'Episode statistics',
    optionLabels: ['each trajectory once (paper)', 'each step once (released code)'],
  },
});

/**
 * Group in group: the task group compares whole episodes, anchor groups compare what followed the same state.
 *
 *   A[i,t] = Aᴱ[i] + ω·Aˢ[i,t]
 *   Aᴱ[i]   = Normalize(R) over i's task group
 *   Aˢ[i,t] = Normalize(G) over the steps of the task group that start in the same state,
 *   G[i,t]  = Σ_{k≥t} γ^(k−t) r[i,k]
 *
 * Every visit counts. A state met once gets Aˢ = 0, so without overlap this is GRPO. The paper takes the episode
 * statistics over trajectories; its code takes them over step rows (`episodeRows`).
 */
export const gigpo = defineEstimator({
  id: 'gigpo',
  title: 'GiGPO',
  rev: 1,
  source: { title: 'Group-in-Group Policy Optimization', arxiv: '2505.10978', level: 'code' },
  poolsLevels: true,
  needs: ['outcome', 'reward', 'taskIndex', 'length', 'stateKey'],
  formula: 'A = normalize(R over the task group) + ω · normalize(G over equal states)',
  look: 'Steps at junctions light up; the move away from the goal turns negative even inside a successful episode.',
  params: gigpoParams,
  parts: ['episode', 'step'],
  alone: ({ omega }) => (omega > 0 ? 'revisits' : 'nothing'),
  run: (batch, values) => groupInGroup(batch, anchorHeads(batch), values),
  explain: (batch, values, step) => groupInGroupTerms(batch, anchorHeads(batch), values, step),
  scratch: ({ omega }) => (omega === 1 ? 6 : 7),
  gpu: (ops, values) => groupInGroupOn(ops, ops.sets({ of: 'state', past: 0 }), values),
});

/** Both parts and their sum, for any choice of the steps that are compared with each other. */
export function groupInGroup(
  batch: Batch,
  anchors: Heads,
  { omega, gamma, mode, episodeRows }: ValuesOf<typeof gigpoParams>,
): Credit {
  const episode = outcomeCredit(batch, mode, episodeRows);
  const step = normalizeHeads(returnsToGo(batch, gamma), anchors, mode);
  for (let k = 0; k < step.length; k++) step[k]! *= omega;
  const parts = { episode, step };
  return { A: sumOfParts(parts), parts };
}

/** The same on a device. */
export function groupInGroupOn(
  ops: CreditOps,
  anchors: Sets,
  { omega, gamma, mode, episodeRows }: ValuesOf<typeof gigpoParams>,
): GpuCredit {
  const episode = ops.broadcast(ops.normalize(ops.outcome, 'task', mode, episodeRows));
  const anchored = ops.normalizeSets(ops.returnsToGo(ops.reward, gamma), anchors, mode);
  const step = omega === 1 ? anchored : ops.combine(omega, anchored, 0, anchored);
  return { A: ops.combine(1, episode, 1, step), parts: { episode, step } };
}
