/** The last batch of one seed, as far as it is kept. */
export type BatchToKeep = {
  readonly seed: number;
  /** number of the update, from 1 */
  readonly update: number;
  readonly B: number;
  readonly T: number;
  readonly actions: readonly string[];
  readonly levelSeeds: ArrayLike<number>;
  readonly taskIndex: ArrayLike<number>;
  readonly length: ArrayLike<number>;
  readonly success: ArrayLike<number>;
  readonly terminated: ArrayLike<number>;
  /** [B, T] */
  readonly action: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
  readonly entropy: ArrayLike<number>;
  /** [B, T] what the estimator sees in place of the reward; null where it sees what the world paid */
  readonly seen: ArrayLike<number> | null;
  /** [B, T, 2] and [B, 2] keys of the states */
  readonly stateKey: ArrayLike<number>;
  readonly finalStateKey: ArrayLike<number>;
  /** [B, T], or [B, T, K] of units */
  readonly A: ArrayLike<number>;
};

/** Trajectories of a seed that a bundle holds, at most; a single task may have more. */
const MOST = 64;

/** The shortest decimal that is the same f32. */
function short(x: number): number {
  for (const digits of [7, 8]) {
    const found = Number(x.toPrecision(digits));
    if (Math.fround(found) === x) return found;
  }
  return Number(x.toPrecision(9));
}

const hex = (x: number): string => x.toString(16).padStart(8, '0');
const keyAt = (words: ArrayLike<number>, k: number): string => hex(words[2 * k]!) + hex(words[2 * k + 1]!);

/** Rows of whole tasks, spread evenly over the batch: credit compares the episodes of a task, so none of them is missing. */
function rowsToKeep({ B, taskIndex }: Pick<BatchToKeep, 'B' | 'taskIndex'>): number[] {
  const rows = new Map<number, number[]>();
  for (let i = 0; i < B; i++) rows.set(taskIndex[i]!, [...(rows.get(taskIndex[i]!) ?? []), i]);
  const tasks = [...rows.values()];
  const largest = Math.max(...tasks.map((own) => own.length));
  const count = Math.min(tasks.length, Math.max(1, Math.floor(MOST / largest)));
  return Array.from({ length: count }, (_, k) => tasks[Math.floor((k * tasks.length) / count)]!).flat();
}

/** One line of JSON for each trajectory: its level, task, states, actions, rewards and credit. */
export function trajectoryLines({ seed, update, B, T, actions, ...batch }: BatchToKeep): string {
  const K = batch.A.length / (B * T);
  const lines = rowsToKeep({ B, taskIndex: batch.taskIndex }).map((i) => {
    const steps = Array.from({ length: batch.length[i]! }, (__, t) => i * T + t);
    const creditOf = (at: number): number | number[] =>
      K === 1 ? short(batch.A[at]!) : Array.from({ length: K }, (__, u) => short(batch.A[at * K + u]!));
    return JSON.stringify({
      ...{ seed, update, trajectory: i, task: batch.taskIndex[i], level: batch.levelSeeds[i] },
      ...{ success: batch.success[i] === 1, terminated: batch.terminated[i] === 1 },
      states: [...steps.map((at) => keyAt(batch.stateKey, at)), keyAt(batch.finalStateKey, i)],
      actions: steps.map((at) => actions[batch.action[at]!] ?? batch.action[at]),
      rewards: steps.map((at) => short(batch.reward[at]!)),
      ...(batch.seen ? { seen: steps.map((at) => short(batch.seen![at]!)) } : {}),
      entropy: steps.map((at) => short(batch.entropy[at]!)),
      credit: steps.map(creditOf),
    });
  });
  return `${lines.join('\n')}\n`;
}
