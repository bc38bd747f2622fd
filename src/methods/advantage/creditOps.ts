import { fillSteps, groupsOf, returnsToGo, stepsOf, type Batch } from '../../core/batch.ts';
import { EPSILON, isDegenerate, leaveOneOut, normalize, std } from '../../core/stats.ts';
import type { Column, CompareMode, CreditOps, Sets } from '../types.ts';
import { generalizedAdvantage } from './gae.ts';
import { given } from './given.ts';
import { contextHeads } from './hgpo.ts';
import { edgeHeads } from './salt.ts';
import { meanOverHeads, normalizeHeads, realSteps, type Heads } from './segments.ts';

/** The numbers behind a column of `creditOpsOf`. */
export function dataOf(column: Column): Float32Array {
  return column.handle as Float32Array; // every column of creditOpsOf is made by `column` below
}

const headsOf = (sets: Sets): Heads => sets.handle as Heads; // every set of creditOpsOf is made by `sets` below
const column = (per: Column['per'], data: Float32Array): Column => ({ per, handle: data });

/**
 * What every operation of `CreditOps` means, on plain arrays of one replica. The GPU compositions of the estimators are
 * tested against their definitions with these; the kernels are tested against the same definitions.
 */
export function creditOpsOf(batch: Batch): CreditOps {
  const isReal = realSteps(batch);
  return {
    outcome: column('trajectory', batch.outcome),
    reward: column('step', batch.reward),
    value: column('step', batch.value),
    logp: column('step', batch.logp),
    get logpPhi() {
      return column('step', given(batch, 'logpPhi'));
    },
    get greedy() {
      const greedy = given(batch, 'greedyReturn');
      return column(
        'trajectory',
        Float32Array.from(batch.taskIndex, (g) => greedy[g]!),
      );
    },
    returnsToGo: (x, gamma) => column('step', returnsToGo({ ...batch, reward: dataOf(x) }, gamma)),
    gae(gamma, lambda, cut) {
      const { adv, target } = generalizedAdvantage(batch, gamma, lambda, cut);
      return { adv: column('step', adv), target: column('step', target) };
    },
    normalize: (x, over, mode) => column(x.per, overSets(dataOf(x), setsOf(batch, x.per, over), mode)),
    sets: ({ of, past }) => ({ handle: of === 'edge' ? edgeHeads(batch, past) : contextHeads(batch, past)[past]! }),
    normalizeSets(x, sets, mode, population = false) {
      return column('step', normalizeHeads(dataOf(x), headsOf(sets), mode, population));
    },
    overLevels(x, levels, mode) {
      const credit = new Float32Array(batch.B * batch.T);
      const weight = new Float32Array(batch.B * batch.T);
      for (const { sets, w } of levels) {
        const head = headsOf(sets);
        const members = new Map<number, number[]>();
        head.forEach((h, k) => void (h >= 0 && members.set(h, [...(members.get(h) ?? []), k])));
        const counts = overSets(dataOf(x), [...members.values()], 'comparable');
        normalizeHeads(dataOf(x), head, mode, true).forEach((a, k) => (credit[k]! += w * a));
        counts.forEach((n, k) => (weight[k]! += w * n));
      }
      return { credit: column('step', credit), weight: column('step', weight) };
    },
    meanOver: (x, sets, count) => column('step', meanOverHeads(batch, dataOf(x), headsOf(sets), count)),
    broadcast(x) {
      const result = new Float32Array(batch.B * batch.T);
      for (let i = 0; i < batch.B; i++) fillSteps(result, batch, i, dataOf(x)[i]!);
      return column('step', result);
    },
    combine(a, x, b, y) {
      const at = (of: Column, k: number): number => dataOf(of)[of.per === 'step' ? k : Math.floor(k / batch.T)]!;
      return column(
        'step',
        Float32Array.from(isReal, (real, k) => (real === 1 ? a * at(x, k) + b * at(y, k) : 0)),
      );
    },
    ratio(x, y) {
      const divisor = dataOf(y);
      return column(
        'step',
        dataOf(x).map((value, k) => (isReal[k] === 1 && divisor[k]! > 0 ? value / divisor[k]! : 0)),
      );
    },
    scaleByLargest(x, floor) {
      const largest = dataOf(x).reduce(
        (size, value, k) => (isReal[k] === 1 ? Math.max(size, Math.abs(value)) : size),
        0,
      );
      return column(
        'step',
        dataOf(x).map((value, k) => (isReal[k] === 1 && largest > floor ? value / largest : 0)),
      );
    },
    threshold: (x, least) =>
      column(
        'trajectory',
        dataOf(x).map((value) => (Math.abs(value) >= least ? 1 : 0)),
      ),
  };
}

/** Flat indices of each set: trajectories or real steps, of each task group or of the whole batch. */
function setsOf(batch: Batch, per: Column['per'], over: 'task' | 'batch'): number[][] {
  const groups = over === 'task' ? groupsOf(batch) : [Array.from({ length: batch.B }, (_, i) => i)];
  return per === 'trajectory' ? groups : groups.map((group) => stepsOf(batch, group));
}

function overSets(x: Float32Array, sets: number[][], mode: CompareMode): Float32Array {
  const result = new Float32Array(x.length);
  for (const set of sets) {
    const members = set.map((k) => x[k]!);
    const compared = compareWithin(members, mode);
    set.forEach((k, at) => (result[k] = compared[at]!));
  }
  return result;
}

function compareWithin(x: readonly number[], mode: CompareMode): ArrayLike<number> {
  switch (mode) {
    case 'std':
    case 'mean':
      return normalize(x, mode);
    case 'leaveOneOut':
      return leaveOneOut(x);
    case 'leaveOneOutStd':
      return x.length < 2 ? [0] : leaveOneOut(x).map((a) => a / (std(x, true) + EPSILON));
    case 'comparable':
      return x.map(() => (isDegenerate(x) ? 0 : 1));
  }
}
