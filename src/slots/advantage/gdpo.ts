import type { Batch } from '../../contract/columns.ts';
import { REWARD_PARTS } from '../../contract/columnTable.ts';
import { fillSteps, groupsOf } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { normalize } from '../../core/stats.ts';
import { defineEstimator, type Column } from '../types.ts';
import { common } from './common.ts';
import { given } from './given.ts';
import { whiten } from './segments.ts';
import type { Singleton } from './trajectoryCredit.ts';

const weight = (label: string) => ({
  ...({ kind: 'number', label, default: 1, min: 0, max: 10, formula: 'w' } as const),
  doc: 'How much this part counts, whatever its size: each has a spread of 1 before it.',
});

/** Σ_k w_k·Normalize(x_k) over i's task group, on every real step of i; parts in the columns of `rewardParts`. */
export function sumOfNormalized(batch: Batch, weights: readonly number[], singleton: Singleton): Float32Array {
  const x = given(batch, 'rewardParts');
  const K = x.length / batch.B;
  const S = new Float32Array(batch.B * batch.T);
  for (const group of groupsOf(batch)) {
    const total = new Float64Array(group.length);
    for (let k = 0; k < K; k++) {
      const part = Float64Array.from(group, (i) => x[i * K + k]!);
      const isGiven = group.length === 1 && singleton === 'return';
      const a = isGiven ? part : normalize(part);
      for (let n = 0; n < total.length; n++) total[n]! += (weights[k] ?? 0) * a[n]!;
    }
    group.forEach((i, n) => fillSteps(S, batch, i, total[n]!));
  }
  return S;
}

/**
 * Group reward-decoupled normalization: every part of the reward is normalized by itself, so that none drowns the others.
 *
 *   S[i] = Σ_k w_k·(x_k[i] − mean x_k) / (std x_k + 1e-6)   over i's task group        A = Whiten(S on every real step)
 *
 * x_k is the sum over the episode of what part k pays: the world first, then the reward modules in their order, a module
 * that replaces the reward in place of the world. A part that is equal in a group adds 0. A silent group gets −mean/std and
 * not 0: Whiten weighs by length, the mean of a group does not. A KL term in the reward is no part.
 */
export const gdpo = defineEstimator({
  id: 'gdpo',
  title: 'GDPO',
  rev: 1,
  source: {
    title: 'GDPO: Group reward-Decoupled Normalization Policy Optimization',
    arxiv: '2601.05242',
    level: 'code',
  },
  needs: ['rewardParts', 'taskIndex', 'length'],
  formula: 'A = whiten(Σ w·(x − mean x) / std x), each part x of the reward over its task group',
  look: 'With a large shaping beside success: GRPO on the sum follows the shaping, GDPO keeps both.',
  params: settings({
    world: weight('Reward of the world'),
    first: weight('First reward module'),
    second: weight('Second reward module'),
    third: weight('Further reward modules'),
    singleton: common.singleton,
  }),
  alone: ({ singleton, ...weights }, tasks) =>
    singleton === 'return' && tasks > 1 && Object.values(weights).some((w) => w > 0) ? 'anyway' : 'nothing',
  run(batch, { world, first, second, third, singleton }) {
    return { A: whiten(batch, sumOfNormalized(batch, [world, first, second, third], singleton)) };
  },
  scratch: ({ singleton }) => (singleton === 'return' ? 2 : 1) * REWARD_PARTS,
  gpu(ops, { world, first, second, third, singleton }) {
    const weights = [world, first, second, third];
    const terms = (mode: 'std' | 'alone') =>
      ops.rewardParts.map((x, k) => [weights[k]!, ops.normalize(x, 'task', mode)] as const);
    const [start, next, ...others] = [...terms('std'), ...(singleton === 'return' ? terms('alone') : [])];
    let S: Column = ops.combine(...start!, ...next!);
    for (const [w, x] of others) S = ops.combine(1, S, w, x);
    return { A: ops.normalize(S, 'batch', 'std') };
  },
});
