/** Does what a task source expected come true? Tasks by the success that was expected of them, in ten bins. */

/** Bins of expected success: [0, 0.1), …, [0.9, 1]. */
export const BINS = 10;

/** What a source remembers that wants to be held to what it expected: of each bin how many tasks, what was expected, what came. */
export const reliabilityState = {
  reliability: { type: 'f64', per: 'replica', width: 3 * BINS, onFork: ['tasks'] },
} as const;

/** A task that was played: what was expected of it, its episodes, and their success. */
type Went = {
  readonly task: { readonly expected?: number };
  readonly tries: number;
  readonly success: number;
};

/** Counts the tasks of an update whose success was expected. */
export function addExpected(
  { reliability }: { readonly [name: string]: { [k: number]: number } },
  outcomes: readonly Went[],
): void {
  for (const { task, tries, success } of outcomes) {
    const { expected } = task;
    if (expected === undefined || tries === 0) continue;
    const bin = Math.min(BINS - 1, Math.floor(expected * BINS));
    reliability![bin]! += 1;
    reliability![BINS + bin]! += expected;
    reliability![2 * BINS + bin]! += success;
  }
}

/** Tasks of one bin: how many, the mean of what was expected, and the mean share of successes. */
export type ReliabilityBin = { readonly tasks: number; readonly expected: number; readonly success: number };

/** The bins that hold any task. */
export const reliabilityOf = (sums: ArrayLike<number>): readonly ReliabilityBin[] =>
  Array.from({ length: BINS }, (_, k) => {
    const tasks = sums[k]!;
    return { tasks, expected: sums[BINS + k]! / tasks, success: sums[2 * BINS + k]! / tasks };
  }).filter(({ tasks }) => tasks > 0);
