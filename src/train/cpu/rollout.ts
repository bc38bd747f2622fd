import { noiseOf, payLate } from '../../envs/perturb/pay.ts';
import { blank } from '../../envs/perturb/sight.ts';
import { FLAG, type StepResult } from '../../envs/types.ts';
import type { Arrays } from '../arrays.ts';
import { demonstratedActions } from '../demonstrations.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { Player } from './actionMask.ts';
import type { Mode } from './policy.ts';

const result: StepResult = { reward: 0, flags: 0 };
const MILLI = Math.fround(0.001);

/** The weights that play step t of a row: equal versions are the same object. */
export type WeightsOf = (row: number, t: number) => Float32Array;

/**
 * Plays the B episodes of replica s with the policy at theta, or with several versions of it, and fills its part of the
 * arrays. All trajectories move one step at a time, so that the network sees many rows at once.
 * Returns false if the network gave a non-finite number.
 */
export function rolloutReplica(
  plan: Plan,
  arrays: Arrays,
  policy: Pick<Player, 'chunk' | 'decide' | 'finalValues'>,
  theta: Float32Array | WeightsOf,
  tasks: Tasks,
  mode: Mode,
  s: number,
): boolean {
  const { B, T, env } = plan;
  const words = env.words;
  const first = s * B;
  const forced = mode === 'train' ? demonstratedActions(plan, tasks, s) : null;
  const weightsOf = typeof theta === 'function' ? theta : (): Float32Array => theta;
  let finite = true;
  clearReplica(plan, arrays, s);
  for (let i = 0; i < B; i++) {
    const row = first + i;
    arrays.taskIndex[row] = tasks.taskIndex[row]!;
    if (forced) arrays.demo[row] = forced[i * T]! > 0 ? 1 : 0;
    env.reset(levelOf(tasks, row), arrays.state, row * (T + 1) * words);
  }
  const alive: number[] = [];
  for (let i = 0; i < B; i++) alive.push(first + i);
  for (let t = 0; t < T && alive.length > 0; t++) {
    for (let from = 0, rows = 0; from < alive.length; from += rows) {
      const weights = weightsOf(alive[from]!, t);
      rows = 1;
      while (rows < policy.chunk && from + rows < alive.length && weightsOf(alive[from + rows]!, t) === weights) rows++;
      for (let k = 0; k < rows; k++) {
        const row = alive[from + k]!;
        const stateAt = (row * (T + 1) + t) * words;
        const level = levelOf(tasks, row);
        look(plan, arrays, tasks, row, t);
        env.key(level, arrays.state, stateAt, arrays.stateKey, (row * T + t) * 2);
        arrays.legal[row * T + t] = env.legal(level, arrays.state, stateAt);
      }
      if (!policy.decide({ arrays, theta: weights, tasks, mode, s, forced }, alive, from, rows, t)) finite = false;
      for (let k = 0; k < rows; k++) move(plan, arrays, tasks, alive[from + k]!, t);
    }
    let kept = 0;
    for (const row of alive) if (arrays.length[row] === 0) alive[kept++] = row;
    alive.length = kept;
  }
  if (!plan.critic) return finite;
  // what is behind the last step is judged by the version that played it
  const lastOf = (i: number): Float32Array => weightsOf(first + i, arrays.length[first + i]! - 1);
  for (let from = 0, rows = 0; from < B; from += rows) {
    rows = 1;
    while (rows < policy.chunk && from + rows < B && lastOf(from + rows) === lastOf(from)) rows++;
    policy.finalValues(arrays, lastOf(from), s, from, rows);
  }
  return finite;
}

/** What the agent of one row sees before step t. */
export function look(plan: Plan, arrays: Arrays, tasks: Tasks, row: number, t: number): void {
  const { T, env, sight } = plan;
  const { obsNoise } = plan.perturbation;
  const at = row * (T + 1) + t;
  const obsAt = at * plan.obsWords;
  const level = levelOf(tasks, row);
  const seed = tasks.episodeSeed[row]!;
  env.observe(level, arrays.state, at * env.words, arrays.obs, obsAt);
  env.flicker?.draw(level, arrays.state, at * env.words, seed, arrays.obs, obsAt);
  if (obsNoise > 0) blank(sight, obsNoise, seed, t, arrays.obs, obsAt);
}

/** Lets the world move for one row; books reward and end. */
function move(plan: Plan, arrays: Arrays, tasks: Tasks, row: number, t: number): void {
  const { T, env, perturbation } = plan;
  const step = row * T + t;
  const seed = tasks.episodeSeed[row]!;
  const words = env.words;
  const stateAt = (row * (T + 1) + t) * words;
  arrays.state.copyWithin(stateAt + words, stateAt, stateAt + words);
  const level = levelOf(tasks, row);
  env.step(level, arrays.state, stateAt + words, arrays.action[step]!, seed, result);
  arrays.rewardMilli[step] = result.reward + noiseOf(perturbation.rewardNoise, seed, t);
  const terminated = (result.flags & FLAG.terminated) !== 0;
  if (!terminated && t + 1 < T) return;
  arrays.length[row] = t + 1;
  arrays.terminated[row] = terminated ? 1 : 0;
  arrays.success[row] = (result.flags & FLAG.success) !== 0 ? 1 : 0;
  payLate(arrays.rewardMilli, row * T, t + 1, perturbation.rewardDelay);
  let milli = 0;
  for (let k = row * T; k <= step; k++) {
    milli += arrays.rewardMilli[k]!;
    arrays.reward[k] = Math.fround(arrays.rewardMilli[k]! * MILLI);
  }
  arrays.outcome[row] = Math.fround(milli * MILLI);
  env.key(level, arrays.state, stateAt + words, arrays.finalStateKey, row * 2);
  look(plan, arrays, tasks, row, t + 1);
}

function levelOf(tasks: Tasks, row: number): unknown {
  return tasks.levels[tasks.levelOf[row]!];
}

/** Padding must be 0: the last batch may have been longer. */
function clearReplica(plan: Plan, arrays: Arrays, s: number): void {
  for (const array of Object.values(arrays)) {
    const size = array.length / plan.S;
    array.fill(0, s * size, (s + 1) * size);
  }
}
