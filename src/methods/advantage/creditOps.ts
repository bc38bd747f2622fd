import { fillSteps, groupsOf, returnsToGo, stepsOf, type Batch } from '../../core/batch.ts';
import { leaveOneOut, normalize, type NormalizeMode } from '../../core/stats.ts';
import type { Column, CreditOps } from '../types.ts';
import { generalizedAdvantage } from './gae.ts';
import { anchorHeads, normalizeHeads } from './segments.ts';

/** The numbers behind a column of `creditOpsOf`. */
export function dataOf(column: Column): Float32Array {
  return column.handle as Float32Array; // every column of creditOpsOf is made by `column` below
}

const column = (per: Column['per'], data: Float32Array): Column => ({ per, handle: data });

/**
 * What every operation of `CreditOps` means, on plain arrays of one replica. The GPU compositions of the estimators are
 * tested against their definitions with these; the kernels are tested against the same definitions.
 */
export function creditOpsOf(batch: Batch): CreditOps {
  return {
    outcome: column('trajectory', batch.outcome),
    reward: column('step', batch.reward),
    value: column('step', batch.value),
    returnsToGo: (x, gamma) => column('step', returnsToGo({ ...batch, reward: dataOf(x) }, gamma)),
    gae(gamma, lambda, cut) {
      const { adv, target } = generalizedAdvantage(batch, gamma, lambda, cut);
      return { adv: column('step', adv), target: column('step', target) };
    },
    normalize: (x, over, mode) => column(x.per, overSets(dataOf(x), setsOf(batch, x.per, over), mode)),
    normalizeAnchor: (x, mode) => column('step', normalizeHeads(dataOf(x), anchorHeads(batch), mode)),
    broadcast(x) {
      const result = new Float32Array(batch.B * batch.T);
      for (let i = 0; i < batch.B; i++) fillSteps(result, batch, i, dataOf(x)[i]!);
      return column('step', result);
    },
    combine(a, x, b, y) {
      const other = dataOf(y);
      return column(
        'step',
        dataOf(x).map((value, k) => a * value + b * other[k]!),
      );
    },
  };
}

/** Flat indices of each set: trajectories or real steps, of each task group or of the whole batch. */
function setsOf(batch: Batch, per: Column['per'], over: 'task' | 'batch'): number[][] {
  const groups = over === 'task' ? groupsOf(batch) : [Array.from({ length: batch.B }, (_, i) => i)];
  return per === 'trajectory' ? groups : groups.map((group) => stepsOf(batch, group));
}

function overSets(x: Float32Array, sets: number[][], mode: NormalizeMode | 'leaveOneOut'): Float32Array {
  const result = new Float32Array(x.length);
  for (const set of sets) {
    const members = set.map((k) => x[k]!);
    const compared = mode === 'leaveOneOut' ? leaveOneOut(members) : normalize(members, mode);
    set.forEach((k, at) => (result[k] = compared[at]!));
  }
  return result;
}
