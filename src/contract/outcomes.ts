import { isDegenerate, mean, std } from '../core/stats.ts';
import { stateIn } from './passed.ts';
import { reachedIn } from './reached.ts';
import { OUTCOME, type Task, type TaskOutcome } from './tasks.ts';

/** What is read of the finished update of one replica: arrays of rows [B] and of steps [B, T]. */
export type PlayedRows = {
  readonly T: number;
  /** which task a row belongs to, how many steps it has, 1 if it reached the goal, its return */
  readonly taskIndex: ArrayLike<number>;
  readonly length: ArrayLike<number>;
  readonly success: ArrayLike<number>;
  readonly outcome: ArrayLike<number>;
  /** 0: not an episode of the policy itself, so that it says nothing of how it fares */
  readonly measured: ArrayLike<number> | null;
  /** null where nobody asks for the size of the credit */
  readonly A: ArrayLike<number> | null;
  /** null where there is no critic, or nobody asks for its error */
  readonly target: ArrayLike<number> | null;
  readonly value: ArrayLike<number>;
  /** true where somebody asks for V before the first steps, and there is a critic */
  readonly start?: boolean;
};

/** Rows of each task that say how the policy fares, in their order. */
export function measuredRows(
  P: number,
  { taskIndex, measured }: Pick<PlayedRows, 'taskIndex' | 'measured'>,
): number[][] {
  const groups: number[][] = Array.from({ length: P }, () => []);
  for (let i = 0; i < taskIndex.length; i++) if (measured?.[i] !== 0) groups[taskIndex[i]!]!.push(i);
  return groups;
}

/**
 * How the tasks of one replica went, as rows of OUTCOME numbers in `out` from `at`: sums in the order of rows and steps, in
 * f64. A task whose episodes all come from somewhere else has 0 tries, and NaN for the rest.
 */
export function writeOutcomes(P: number, rows: PlayedRows, out: Float64Array, at: number): void {
  const { T, length, success, outcome, A, target, value, start } = rows;
  measuredRows(P, rows).forEach((group, p) => {
    const returns = group.map((i) => outcome[i]!);
    let [steps, credit, error] = [0, 0, 0];
    for (const i of group)
      for (let k = i * T; k < i * T + length[i]!; k++) {
        steps++;
        if (A) credit += Math.abs(A[k]!);
        if (target) error += Math.abs(target[k]! - value[k]!);
      }
    const won = mean(group.map((i) => success[i]!));
    const spread = isDegenerate(returns) && returns.length > 0 ? 0 : std(returns, true);
    const perStep = [A ? credit / steps : NaN, target ? error / steps : NaN];
    const begun = start ? mean(group.map((i) => value[i * T]!)) : NaN;
    out.set([group.length, won, mean(returns), spread, ...perStep, begun], at + p * OUTCOME.length);
  });
}

/**
 * What an update tells of the tasks of one replica: [P, OUTCOME]; [P, words] where states were asked for, and [P, REACHED]
 * where checkpoints were.
 */
export type ToldOutcomes = {
  readonly numbers: Float64Array;
  readonly passed?: Uint32Array | undefined;
  readonly reached?: Uint32Array | undefined;
};

/** The outcomes of the tasks of one replica from what its update tells. */
export function readOutcomes(tasks: readonly Task[], { numbers, passed, reached }: ToldOutcomes): TaskOutcome[] {
  return tasks.map((task, p) => {
    const of = (k: number): number => numbers[p * OUTCOME.length + k]!;
    const state = passed && stateIn(passed, p, passed.length / tasks.length);
    return {
      ...{ task, tries: of(0), success: of(1), returnMean: of(2), returnSpread: of(3) },
      ...{ creditSize: of(4), valueError: of(5), startValue: of(6), ...(state ? { passed: state } : {}) },
      ...(reached ? { reached: reachedIn(reached, p) } : {}),
    };
  });
}
