import type { Snapshot } from '../../worker/protocol.ts';

type Walked = Pick<Snapshot, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'action' | 'forks'>;

/** An episode in the tree of its task: where it left another one, and how deep it hangs below the start. */
export type Branch = {
  readonly row: number;
  /** −1: it begins at the start by itself */
  readonly parent: number;
  /** first step that is not shared with the parent */
  readonly step: number;
  readonly depth: number;
};

/** Steps that two episodes begin with alike: the same states and actions. */
function shared({ T, length, stateKey, action }: Walked, i: number, j: number): number {
  const most = Math.min(length[i]!, length[j]!);
  let t = 0;
  for (; t < most; t++) {
    const [a, b] = [i * T + t, j * T + t];
    if (action[a] !== action[b] || stateKey[2 * a] !== stateKey[2 * b] || stateKey[2 * a + 1] !== stateKey[2 * b + 1])
      break;
  }
  return t;
}

/**
 * The episodes of a task, each right below the one that it parts from. Where a rollout forked them it says so; else an
 * episode parts from the earlier one with which it shares the most steps.
 */
export function branchesOf(batch: Walked, task: number): Branch[] {
  const rows = Array.from({ length: batch.B }, (_, i) => i).filter((i) => batch.taskIndex[i] === task);
  const from = new Map(
    rows.map((row, k): [number, { parent: number; step: number }] => {
      if (batch.forks) {
        const parent = batch.forks.parent[row]!;
        return [row, { parent, step: parent < 0 ? 0 : batch.forks.step[row]! }];
      }
      let [parent, step] = [-1, 0];
      for (const other of rows.slice(0, k)) {
        const same = shared(batch, row, other);
        if (same > step) [parent, step] = [other, same];
      }
      return [row, { parent, step }];
    }),
  );
  const below = (parent: number, depth: number): Branch[] =>
    rows
      .filter((row) => from.get(row)!.parent === parent)
      .sort((a, b) => from.get(a)!.step - from.get(b)!.step || a - b)
      .flatMap((row) => [{ row, ...from.get(row)!, depth }, ...below(row, depth + 1)]);
  return below(-1, 0);
}

/** Counts of numbers from 0 to 1 in ten bins; 1 is in the last. */
export function histogram(values: readonly number[]): readonly number[] {
  const bins = Array<number>(10).fill(0);
  for (const x of values) bins[Math.min(9, Math.max(0, Math.floor(10 * x)))]!++;
  return bins;
}

/** Where forks part, as shares of the length of their parents, and the median; NaN without forks. */
export function depthsOf({ forks, length }: Pick<Snapshot, 'forks' | 'length'>): { depths: number[]; median: number } {
  const depths = Array.from(forks?.parent ?? []).flatMap((parent, row) =>
    parent < 0 ? [] : [forks!.step[row]! / length[parent]!],
  );
  const sorted = [...depths].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return { depths, median: sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2 };
}
