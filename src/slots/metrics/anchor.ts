import type { Batch } from '../../contract/columns.ts';
import { anchorHeads, countHeads, headsOfWords, type Heads } from '../advantage/segments.ts';

type Keyed = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey'>;
type Moves = Keyed & Pick<Batch, 'finalStateKey' | 'action'>;

/** Share of real steps whose state occurs at least twice in the task group: GiGPO's coverage (spec metrics §6). */
export function anchorShare(batch: Keyed): number {
  return shareInLargerSets(anchorHeads(batch));
}

/** Share of the members whose set has more than one member; NaN without members. */
function shareInLargerSets(head: Heads): number {
  const count = countHeads(head);
  let members = 0;
  let shared = 0;
  for (let k = 0; k < head.length; k++) {
    if (head[k]! < 0) continue;
    members++;
    if (count[head[k]!]! > 1) shared++;
  }
  return shared / members;
}

/** Steps as a plain list: task group, state, action and next state, each as one u32 word. */
export type Transitions = {
  readonly task: ArrayLike<number>;
  readonly state: ArrayLike<number>;
  readonly action: ArrayLike<number>;
  readonly next: ArrayLike<number>;
};

export type AnchorStats = {
  /** share of steps in anchor groups of more than one */
  readonly coverage: number;
  readonly groups: number;
  /** mean over groups, and mean over steps of the size of their group */
  readonly meanSizeAll: number;
  readonly meanSizeStepWeighted: number;
  /** share of steps whose anchor group holds at least two different actions */
  readonly contrastCoverage: number;
  /** 1 − distinct edges (task, state, action, next) / steps, and share of steps on an edge with several members */
  readonly mergeRatio: number;
  readonly mergedShare: number;
};

/** Sizes, contrast and merging of the step groups of a batch (spec metrics §6). */
export function anchorStats(steps: Transitions): AnchorStats {
  const n = steps.task.length;
  const all = new Uint8Array(n).fill(1);
  const anchors = headsOfWords(columns(n, [steps.task, steps.state]), 2, all);
  const edges = headsOfWords(columns(n, [steps.task, steps.state, steps.action, steps.next]), 4, all);
  const size = countHeads(anchors);
  const groups = size.reduce((total, count) => total + (count > 0 ? 1 : 0), 0);
  const distinctEdges = countHeads(edges).reduce((total, count) => total + (count > 0 ? 1 : 0), 0);
  const hasContrast = new Uint8Array(n);
  for (let k = 0; k < n; k++) if (steps.action[k] !== steps.action[anchors[k]!]) hasContrast[anchors[k]!] = 1;
  let weighted = 0;
  let contrast = 0;
  for (let k = 0; k < n; k++) {
    weighted += size[anchors[k]!]!;
    contrast += hasContrast[anchors[k]!]!;
  }
  return {
    coverage: shareInLargerSets(anchors),
    groups,
    meanSizeAll: n / groups,
    meanSizeStepWeighted: weighted / n,
    contrastCoverage: contrast / n,
    mergeRatio: 1 - distinctEdges / n,
    mergedShare: shareInLargerSets(edges),
  };
}

/**
 * Of the edges that several steps share, how many were met with different outcomes: only there does merging change credit
 * (SALT). `outcome`: of the trajectory of each step. Null without shared edges.
 */
export function mergedOutcomes(steps: Transitions, outcome: ArrayLike<number>): number | null {
  const n = steps.task.length;
  const all = new Uint8Array(n).fill(1);
  const edges = headsOfWords(columns(n, [steps.task, steps.state, steps.action, steps.next]), 4, all);
  const size = countHeads(edges);
  const differs = new Uint8Array(n);
  for (let k = 0; k < n; k++) if (outcome[k] !== outcome[edges[k]!]) differs[edges[k]!] = 1;
  let shared = 0;
  let mixed = 0;
  for (let e = 0; e < n; e++) {
    if (!(size[e]! > 1)) continue;
    shared++;
    mixed += differs[e]!;
  }
  return shared > 0 ? mixed / shared : null;
}

/** The real steps of a batch as transitions; states are numbered, equal numbers mean equal states of one task. */
export function transitionsOf(batch: Moves): Transitions {
  const { B, T, length } = batch;
  const n = B * T;
  const words = new Uint32Array((n + B) * 3);
  const isMember = new Uint8Array(n + B);
  const name = (at: number, task: number, key: Uint32Array, keyAt: number): void => {
    words[3 * at] = task;
    words[3 * at + 1] = key[keyAt]!;
    words[3 * at + 2] = key[keyAt + 1]!;
    isMember[at] = 1;
  };
  for (let i = 0; i < B; i++) {
    const task = batch.taskIndex[i]!;
    for (let k = i * T; k < i * T + length[i]!; k++) name(k, task, batch.stateKey, 2 * k);
    name(n + i, task, batch.finalStateKey, 2 * i);
  }
  const node = headsOfWords(words, 3, isMember);
  const steps = length.reduce((total, x) => total + x, 0);
  const list = { task: new Uint32Array(steps), state: new Uint32Array(steps), action: new Uint32Array(steps) };
  const next = new Uint32Array(steps);
  let at = 0;
  for (let i = 0; i < B; i++) {
    const last = i * T + length[i]! - 1;
    for (let k = i * T; k <= last; k++, at++) {
      list.task[at] = batch.taskIndex[i]!;
      list.state[at] = node[k]!;
      list.action[at] = batch.action[k]!;
      next[at] = node[k < last ? k + 1 : n + i]!;
    }
  }
  return { ...list, next };
}

function columns(n: number, list: readonly ArrayLike<number>[]): Uint32Array {
  const words = new Uint32Array(n * list.length);
  list.forEach((column, c) => {
    for (let k = 0; k < n; k++) words[k * list.length + c] = column[k]!;
  });
  return words;
}
