import { REWARD_PARTS } from '../../contract/columnTable.ts';
import { TAG } from '../../contract/tags.ts';
import type { Batch } from '../../contract/columns.ts';
import { STEP_ROLES } from '../../contract/units.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { Alone, Estimator } from '../types.ts';

/**
 * What an estimator makes of episodes alone, by trying it with these settings: on `tasks` task groups of one episode in
 * which all numbers differ, first without a state that occurs twice, then with them.
 */
export function learnsAlone(estimator: Pick<Estimator, 'run'>, params: AnyValues, tasks: number): Alone {
  const learns = (states: number): boolean =>
    estimator.run(loneEpisodes(tasks, states), params as never).A.some((a) => a !== 0);
  if (learns(STEPS)) return 'anyway';
  return learns(2) ? 'revisits' : 'nothing';
}

const STEPS = 6;

/** One episode of six steps for each task, through so many states in turn; everything else differs from step to step. */
function loneEpisodes(tasks: number, states: number): Batch {
  const n = tasks * STEPS;
  const perStep = (scale: number): Float32Array => Float32Array.from({ length: n }, (_, k) => scale * irregular(k));
  const reward = perStep(1);
  const outcome = Float32Array.from({ length: tasks }, (_, i) =>
    reward.subarray(i * STEPS, (i + 1) * STEPS).reduce((total, r) => total + r, 0),
  );
  const state = (k: number): number => (k % STEPS) % states;
  return {
    ...{ P: tasks, G: 1, B: tasks, T: STEPS, reward, outcome },
    length: new Uint32Array(tasks).fill(STEPS),
    taskIndex: Uint32Array.from({ length: tasks }, (_, i) => i),
    stateKey: Uint32Array.from({ length: 2 * n }, (_, w) => (w % 2 === 0 ? 0 : 1 + state(w >> 1))),
    finalStateKey: Uint32Array.from({ length: 2 * tasks }, (_, w) => (w % 2 === 0 ? 0 : 1 + STEPS)),
    // two steps through the same state chose differently and led elsewhere
    action: Uint32Array.from({ length: n }, (_, k) => k % 3),
    success: new Uint32Array(tasks).fill(1),
    terminated: new Uint32Array(tasks).fill(1),
    // a process model learns from a success and a failure of one group: alone it stays the copy of the policy that it was
    ...{ logp: perStep(-1), logpPhi: perStep(-1), entropy: perStep(0.5), scoreNorm: perStep(0.5), value: perStep(0.3) },
    ...{ processScore: perStep(0.2), units: new Uint8Array(n).fill(1), unitValue: perStep(0.3) },
    // all explore, and every second one finds something
    answerProb: Float32Array.from({ length: n + tasks }, (_, k) => irregular(k)),
    tag: new Float32Array(n).fill(TAG.explore),
    did: Float32Array.from({ length: n }, (_, k) => k % 3),
    invalid: new Float32Array(n),
    novel: Float32Array.from({ length: n }, (_, k) => k % 2),
    valueFinal: new Float32Array(tasks),
    greedyReturn: Float32Array.from({ length: tasks }, (_, g) => irregular(n + g)),
    budgetReward: Float32Array.from({ length: tasks }, (_, i) => irregular(n + i)),
    rewardParts: Float32Array.from({ length: REWARD_PARTS * tasks }, (_, k) => irregular(k)),
    branchParent: new Int32Array(tasks).fill(-1),
    branchStep: new Uint32Array(tasks),
    // a subgoal is chosen at first, and holds in the end
    decides: Uint8Array.from({ length: n }, (_, k) => (k % STEPS === 0 ? STEP_ROLES.indexOf('subgoal') : 0)),
    subgoal: Uint8Array.from({ length: n + tasks }, (_, k) => (k % (STEPS + 1) === 0 ? 0 : 1)),
    subgoalHeld: Uint8Array.from({ length: n + tasks }, (_, k) => (k % (STEPS + 1) === STEPS ? 1 : 0)),
    // six cells that say the state: one that differs is a sixth
    obsCells: Uint32Array.from({ length: n * STEPS }, (_, c) => (state(Math.floor(c / STEPS)) === c % STEPS ? 1 : 0)),
  };
}

/** Numbers in (0, 1) without a pattern: fractions of multiples of the golden ratio. */
export const irregular = (k: number): number => ((k + 1) * 0.6180339887) % 1;
