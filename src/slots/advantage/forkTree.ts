import type { Batch } from '../../contract/columns.ts';
import { mean } from '../../core/stats.ts';
import { given } from './given.ts';
import type { Heads } from './segments.ts';

/**
 * Steps with the same origin, each set under the index of the step that was sampled. Walk up from (i,t) while t < branchStep: the step where that ends is the owner. Each
 * trajectory copies the owners of its parent, parents first; a parent that is no trajectory of the same task, or a circle
 * of parents, ends the walk.
 */
export function ownerHeads(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'branchParent' | 'branchStep'>,
): Heads {
  const { B, T, length, taskIndex } = batch;
  const parent = given(batch, 'branchParent');
  const step = given(batch, 'branchStep');
  const owner = new Int32Array(B * T).fill(-1);
  const isDone = new Uint8Array(B);
  for (let first = 0; first < B; first++) {
    const path: number[] = [];
    for (let i = first; i >= 0 && i < B && isDone[i] === 0; i = parent[i]!) {
      isDone[i] = 1;
      path.push(i);
    }
    for (const i of path.reverse()) {
      const p = parent[i]!;
      const isForked = p >= 0 && p < B && taskIndex[p] === taskIndex[i];
      for (let t = 0; t < length[i]!; t++) {
        const inherited = isForked && t < step[i]! ? owner[p * T + t]! : -1;
        owner[i * T + t] = inherited >= 0 ? inherited : i * T + t;
      }
    }
  }
  return owner;
}

/** A state of the tree is named by the step that led to it; the start: −1. */
const START = -1;

export type Forked = Pick<
  Batch,
  'B' | 'T' | 'length' | 'taskIndex' | 'success' | 'entropy' | 'branchParent' | 'branchStep'
>;

/** What a search found out about the episodes of one task. */
export type NodeValues = {
  /** of the episodes that go on from one state, the one that was backed up; in the order of the batch */
  readonly chosen: readonly number[];
  /** of the states that these passed, by the step that led there: the backed-up sum v, and how often one of them came by */
  readonly value: ReadonlyMap<number, number>;
  readonly visits: ReadonlyMap<number, number>;
  /** false: no episode went on from another one */
  readonly wasSearched: boolean;
};

/**
 * The values of the tree of one task. `owner`: see `ownerHeads`. Without forks nothing was searched: every episode counts.
 *
 * Episodes that go on from one state compete: of the successes, else of the failures, the one with the lowest mean entropy is
 * backed up, ±max(d/n, 0.1) into its state at depth d of n. Successes add up, and so do failures where no success passed.
 */
export function nodeValues(batch: Forked, rows: readonly number[], owner: ArrayLike<number>): NodeValues {
  const { T, length, success, entropy } = batch;
  const openings = new Map<number, number[]>();
  for (const row of rows) {
    let t = 0;
    while (t < length[row]! && owner[row * T + t] !== row * T + t) t++;
    const from = t === 0 ? START : owner[row * T + t - 1]!;
    openings.set(from, [...(openings.get(from) ?? []), row]);
  }
  const surprise = (row: number): number => mean(entropy.subarray(row * T, row * T + length[row]!));
  const best = (those: readonly number[]): number => {
    const correct = those.filter((row) => success[row] === 1);
    return (correct.length > 0 ? correct : those).reduce((a, b) => (surprise(b) < surprise(a) ? b : a));
  };
  const wasSearched = openings.size > 1;
  const chosen = wasSearched ? [...openings.values()].map(best).sort((a, b) => a - b) : rows;
  const [value, visits] = [new Map<number, number>(), new Map<number, number>()];
  for (const outcome of [-1, 1])
    for (const row of chosen.filter((i) => (success[i] === 1 ? 1 : -1) === outcome)) {
      const n = length[row]!;
      for (let d = 1; d <= n; d++) {
        const node = owner[row * T + d - 1]!;
        const before = value.get(node) ?? 0;
        // a success takes the place of failures
        const sum = before * outcome < 0 ? 0 : before;
        value.set(node, sum + (wasSearched ? outcome * Math.max(d / n, 0.1) : outcome));
        visits.set(node, (visits.get(node) ?? 0) + 1);
      }
    }
  return { chosen, value, visits, wasSearched };
}
