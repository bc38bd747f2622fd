import type { Batch } from '../../contract/columns.ts';
import { EPSILON, SPREAD, type NormalizeMode } from '../../core/stats.ts';

/**
 * Sets of steps inside a batch, written as one number per step: `head[i*T + t]` is the smallest flat index of the set
 * the step belongs to, −1 for padding and for steps outside every set. Two steps are in one set when heads are equal.
 */
export type Heads = Int32Array;

type Ragged = Pick<Batch, 'B' | 'T' | 'length'>;

/** Sets of equal rows: step k carries the words `words[k*stride … + stride)`; only steps with `isMember[k] = 1` count. */
export function headsOfWords(words: Uint32Array, stride: number, isMember: Uint8Array): Heads {
  const n = isMember.length;
  const head = new Int32Array(n).fill(-1);
  let capacity = 16;
  while (capacity < 2 * n) capacity *= 2;
  const slot = new Int32Array(capacity).fill(-1);
  for (let k = 0; k < n; k++) {
    if (isMember[k] === 0) continue;
    let h = 0;
    for (let w = 0; w < stride; w++) {
      h = Math.imul(h ^ words[k * stride + w]!, 0x9e3779b1);
      h ^= h >>> 15;
    }
    // Open addressing: the table only finds candidates, equality of all words decides.
    let at = h & (capacity - 1);
    while (slot[at]! >= 0 && !sameWords(words, stride, slot[at]!, k)) at = (at + 1) & (capacity - 1);
    if (slot[at]! < 0) slot[at] = k;
    head[k] = slot[at]!;
  }
  return head;
}

function sameWords(words: Uint32Array, stride: number, j: number, k: number): boolean {
  for (let w = 0; w < stride; w++) if (words[j * stride + w] !== words[k * stride + w]) return false;
  return true;
}

/** 1 on real steps from step `from` of each trajectory on, 0 elsewhere. */
export function realSteps(batch: Ragged, from = 0): Uint8Array {
  const isReal = new Uint8Array(batch.B * batch.T);
  for (let i = 0; i < batch.B; i++) {
    const length = batch.length[i]!;
    if (from < length) isReal.fill(1, i * batch.T + from, i * batch.T + length);
  }
  return isReal;
}

/** Sets of real steps that agree in every column. A column reads one u32 word of step t of trajectory i, k = i*T + t. */
export function headsBy(batch: Ragged, ...columns: ((i: number, t: number, k: number) => number)[]): Heads {
  const stride = columns.length;
  const words = new Uint32Array(batch.B * batch.T * stride);
  for (let i = 0; i < batch.B; i++)
    for (let t = 0; t < batch.length[i]!; t++) {
      const k = i * batch.T + t;
      for (let c = 0; c < stride; c++) words[k * stride + c] = columns[c]!(i, t, k);
    }
  return headsOfWords(words, stride, realSteps(batch));
}

/** Anchor groups: all steps of one task group, or of pooled ones, that start in the same state (arXiv 2505.10978). */
export function anchorHeads(batch: Ragged & Pick<Batch, 'taskIndex' | 'stateKey' | 'apart' | 'pools'>): Heads {
  const { apart, pools = batch.taskIndex } = batch;
  return headsBy(
    batch,
    (i) => pools[i]!,
    // as small integers, which make no object each
    (_i, _t, k) => batch.stateKey[2 * k]! | 0,
    (_i, _t, k) => batch.stateKey[2 * k + 1]! | 0,
    ...(apart ? [aloneIn(apart)] : []),
  );
}

/** A column that no other step shares where a step is compared with none. */
export const aloneIn =
  (apart: Uint8Array) =>
  (_i: number, _t: number, k: number): number =>
    apart[k] === 1 ? k + 1 : 0;

/** All real steps of a task group form one set. */
export function taskHeads(batch: Ragged & Pick<Batch, 'taskIndex'>): Heads {
  return headsBy(batch, (i) => batch.taskIndex[i]!);
}

/** Steps of a task group with the same index form one set. */
export function timeHeads(batch: Ragged & Pick<Batch, 'taskIndex'>): Heads {
  return headsBy(
    batch,
    (i) => batch.taskIndex[i]!,
    (_i, t) => t,
  );
}

/** All real steps of the batch form one set. */
export function batchHeads(batch: Ragged): Heads {
  return headsBy(batch, () => 0);
}

/** Members of each set, at the place of its head; 0 elsewhere. */
export function countHeads(head: Heads): Uint32Array {
  const count = new Uint32Array(head.length);
  for (let k = 0; k < head.length; k++) if (head[k]! >= 0) count[head[k]!]!++;
  return count;
}

/**
 * Normalize(S) of core/stats inside every set at once: 0 where the set has fewer than two members or agrees,
 * else (x − mean) / (std + 1e-6), or x − mean, or x − mean of the others. Two passes, f64, in index order.
 */
export function normalizeHeads(
  x: ArrayLike<number>,
  head: Heads,
  mode: NormalizeMode | 'leaveOneOut',
  population = false,
): Float32Array {
  const n = head.length;
  const count = countHeads(head);
  const mean = new Float64Array(n);
  const low = new Float64Array(n).fill(Infinity);
  const high = new Float64Array(n).fill(-Infinity);
  for (let k = 0; k < n; k++) {
    const g = head[k]!;
    if (g < 0) continue;
    const value = x[k]!;
    mean[g]! += value;
    if (value < low[g]!) low[g] = value;
    if (value > high[g]!) high[g] = value;
  }
  for (let g = 0; g < n; g++) if (count[g]! > 0) mean[g]! /= count[g]!;
  const squares = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const g = head[k]!;
    if (g >= 0) squares[g]! += (x[k]! - mean[g]!) * (x[k]! - mean[g]!);
  }
  const result = new Float32Array(n);
  for (let k = 0; k < n; k++) {
    const g = head[k]!;
    if (g < 0 || isDegenerateSet(count[g]!, low[g]!, high[g]!)) continue;
    const std = Math.sqrt(squares[g]! / (population ? count[g]! : count[g]! - 1));
    const others = count[g]! / (count[g]! - 1); // x − mean of the others = n/(n − 1)·(x − mean)
    const scale = mode === 'std' ? 1 / (std + EPSILON) : mode === 'mean' ? 1 : others;
    result[k] = (x[k]! - mean[g]!) * scale;
  }
  return result;
}

/** Mean of x over the set of each step. `count`: every visit is a member, or each trajectory once per set. */
export function meanOverHeads(
  batch: Ragged,
  x: ArrayLike<number>,
  head: Heads,
  count: 'visit' | 'trajectory' = 'visit',
): Float32Array {
  const total = new Float64Array(head.length);
  const members = new Uint32Array(head.length);
  const seenBy = new Int32Array(head.length).fill(-1);
  for (let k = 0; k < head.length; k++) {
    const g = head[k]!;
    if (g < 0) continue;
    const i = Math.floor(k / batch.T);
    if (count === 'trajectory' && seenBy[g] === i) continue;
    seenBy[g] = i;
    total[g]! += x[k]!;
    members[g]!++;
  }
  return Float32Array.from(head, (g) => (g < 0 ? 0 : total[g]! / members[g]!));
}

function isDegenerateSet(count: number, low: number, high: number): boolean {
  return count < 2 || high - low <= SPREAD * Math.max(1, Math.abs(low), Math.abs(high));
}

/** Whiten: Normalize over all real steps of the batch; long trajectories contribute more members. */
export function whiten(batch: Ragged, x: ArrayLike<number>): Float32Array {
  return normalizeHeads(x, batchHeads(batch), 'std');
}
