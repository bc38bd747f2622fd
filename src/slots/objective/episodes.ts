/** Trajectories of a minibatch whose units lie one after the other: their numbers, and where the units of each begin. */
export type Spans = {
  readonly ids: readonly number[];
  /** one more than there are trajectories: the last is the end */
  readonly starts: readonly number[];
};

/** Spans of units, given the trajectory of each; equal ones stand together. */
export function spansOf(trajectory: Uint32Array): Spans {
  const ids: number[] = [];
  const starts: number[] = [];
  trajectory.forEach((i, u) => {
    if (u > 0 && i === trajectory[u - 1]) return;
    ids.push(i);
    starts.push(u);
  });
  return { ids, starts: [...starts, trajectory.length] };
}

/** Sum over the units of every trajectory. */
export function sumsOf(x: Float64Array, { ids, starts }: Spans): Float64Array {
  return Float64Array.from(ids, (_, k) => {
    let sum = 0;
    for (let u = starts[k]!; u < starts[k + 1]!; u++) sum += x[u]!;
    return sum;
  });
}

/** Places in `ids` of the trajectories of each task group. */
export function taskGroups(ids: readonly number[], task: Uint32Array): number[][] {
  const groups = new Map<number, number[]>();
  ids.forEach((i, k) => groups.set(task[i]!, [...(groups.get(task[i]!) ?? []), k]));
  return [...groups.values()];
}
