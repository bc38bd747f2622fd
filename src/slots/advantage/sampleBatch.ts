import { REWARD_PARTS } from '../../contract/columnTable.ts';
import type { Batch } from '../../contract/columns.ts';

/** A trajectory written out for a test: one entry per real step; everything not given is 0. */
export type SampleTrajectory = {
  readonly task?: number;
  readonly reward: readonly number[];
  /** state before each step, as small numbers; default 1, 2, 3 … unique in the batch */
  readonly state?: readonly number[];
  readonly finalState?: number;
  readonly action?: readonly number[];
  readonly value?: readonly number[];
  readonly valueFinal?: number;
  readonly terminated?: boolean;
  /** default: the return is positive */
  readonly success?: boolean;
  readonly entropy?: readonly number[];
  readonly logp?: readonly number[];
  readonly logpPhi?: readonly number[];
  readonly scoreNorm?: readonly number[];
  readonly processScore?: readonly number[];
  /** tag, whether the step was refused, and whether it was new */
  readonly tag?: readonly number[];
  /** before each step and after the last */
  readonly answerProb?: readonly number[];
  readonly invalid?: readonly number[];
  readonly novel?: readonly number[];
  readonly role?: number;
  /** places in STEP_ROLES; all are actions unless told */
  readonly decides?: readonly number[];
  /** before each step and after the last: the subgoal that is followed, from 1, and whether it holds */
  readonly subgoal?: readonly number[];
  readonly held?: readonly number[];
  /** return of the greedy episode of its task; the first one given holds */
  readonly greedy?: number;
  /** what a success earns that just keeps its budget; default: by whether its steps are even */
  readonly kept?: number;
  /** parts of the reward; default: the return, the first reward, the number of steps */
  readonly parts?: readonly number[];
  readonly parent?: number;
  readonly branchStep?: number;
  /** observation before each step, all of one size */
  readonly cells?: readonly (readonly number[])[];
};

/** A batch from trajectories written out by hand. T is the longest one unless given; padding holds 0. */
export function sampleBatch(trajectories: readonly SampleTrajectory[], maxSteps = 0): Batch {
  const B = trajectories.length;
  const T = Math.max(maxSteps, ...trajectories.map((x) => x.reward.length));
  const perStep = (read: (x: SampleTrajectory) => readonly number[] | undefined): number[] =>
    trajectories.flatMap((x) => Array.from({ length: T }, (_, t) => read(x)?.[t] ?? 0));
  const withEnd = (read: (x: SampleTrajectory) => readonly number[] | undefined): number[] =>
    trajectories.flatMap((x) => Array.from({ length: T + 1 }, (_, t) => read(x)?.[t] ?? 0));
  const task = trajectories.map((x) => x.task ?? 0);
  const P = new Set(task).size;
  const stateKey = new Uint32Array(B * T * 2);
  trajectories.forEach((x, i) =>
    x.reward.forEach((_, t) => (stateKey[2 * (i * T + t) + 1] = x.state?.[t] ?? 1000 + i * T + t)),
  );
  const R = trajectories.map((x) => x.reward.reduce((a, b) => a + b, 0));
  return {
    P,
    G: Math.round(B / P),
    B,
    T,
    length: Uint32Array.from(trajectories, (x) => x.reward.length),
    taskIndex: Uint32Array.from(task),
    stateKey,
    finalStateKey: Uint32Array.from(trajectories.flatMap((x, i) => [0, x.finalState ?? 9000 + i])),
    action: Uint32Array.from(perStep((x) => x.action)),
    reward: Float32Array.from(perStep((x) => x.reward)),
    outcome: Float32Array.from(R),
    success: Uint32Array.from(trajectories, (x, i) => ((x.success ?? R[i]! > 0) ? 1 : 0)),
    terminated: Uint32Array.from(trajectories, (x) => (x.terminated === false ? 0 : 1)),
    logp: Float32Array.from(perStep((x) => x.logp)),
    entropy: Float32Array.from(perStep((x) => x.entropy)),
    value: Float32Array.from(perStep((x) => x.value)),
    // a step is one decision here
    units: Uint8Array.from(
      trajectories.flatMap((x) => Array.from({ length: T }, (_, t) => (t < x.reward.length ? 1 : 0))),
    ),
    unitValue: Float32Array.from(perStep((x) => x.value)),
    valueFinal: Float32Array.from(trajectories, (x) => x.valueFinal ?? 0),
    logpPhi: Float32Array.from(perStep((x) => x.logpPhi)),
    scoreNorm: Float32Array.from(perStep((x) => x.scoreNorm)),
    processScore: Float32Array.from(perStep((x) => x.processScore)),
    answerProb: Float32Array.from(withEnd((x) => x.answerProb)),
    tag: Float32Array.from(perStep((x) => x.tag)),
    did: Float32Array.from(perStep((x) => x.action)),
    invalid: Float32Array.from(perStep((x) => x.invalid)),
    novel: Float32Array.from(perStep((x) => x.novel)),
    budgetReward: Float32Array.from(trajectories, (x) => x.kept ?? (x.reward.length % 2 === 0 ? 0.25 : 0.75)),
    rewardParts: Float32Array.from(
      trajectories.flatMap((x, i) => {
        const parts = x.parts ?? [R[i]!, x.reward[0] ?? 0, x.reward.length];
        return Array.from({ length: REWARD_PARTS }, (_, k) => parts[k] ?? 0);
      }),
    ),
    role: Uint32Array.from(trajectories, (x) => x.role ?? 0),
    greedyReturn: Float32Array.from(
      { length: Math.max(...task) + 1 },
      (_, g) => trajectories.find((x) => (x.task ?? 0) === g && x.greedy !== undefined)?.greedy ?? 0,
    ),
    branchParent: Int32Array.from(trajectories, (x) => x.parent ?? -1),
    branchStep: Uint32Array.from(trajectories, (x) => x.branchStep ?? 0),
    decides: Uint8Array.from(perStep((x) => x.decides)),
    subgoal: Uint8Array.from(withEnd((x) => x.subgoal)),
    subgoalHeld: Uint8Array.from(withEnd((x) => x.held)),
    obsCells: cellsOf(trajectories, T),
  };
}

function cellsOf(trajectories: readonly SampleTrajectory[], T: number): Uint32Array {
  const C = trajectories.find((x) => x.cells)?.cells![0]?.length ?? 1;
  const cells = new Uint32Array(trajectories.length * T * C);
  trajectories.forEach((x, i) => x.cells?.forEach((row, t) => cells.set(row, (i * T + t) * C)));
  return cells;
}
