import { log } from '../../core/fmath.ts';
import { PURPOSE, random, uniform } from '../../core/random.ts';
import { FLAG, type StepResult } from '../../envs/types.ts';
import { softmaxRow } from '../../policies/dense.ts';
import { outputs } from '../../policies/network.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';
import { CHUNK, type CpuNetwork } from './network.ts';

const result: StepResult = { reward: 0, flags: 0 };
const MILLI = Math.fround(0.001);

/**
 * Plays the B episodes of replica s with the policy at theta and fills its part of the arrays.
 * All trajectories move one step at a time, so that the network sees many rows at once.
 * Returns false if the network gave a non-finite number.
 */
export function rolloutReplica(
  plan: Plan,
  arrays: Arrays,
  network: CpuNetwork,
  theta: Float32Array,
  tasks: Tasks,
  mode: 'train' | 'eval',
  s: number,
): boolean {
  const { B, T, env, obsWords } = plan;
  const words = env.words;
  const first = s * B;
  let finite = true;
  clearReplica(plan, arrays, s);
  for (let i = 0; i < B; i++) {
    const row = first + i;
    arrays.taskIndex[row] = tasks.taskIndex[row]!;
    env.reset(levelOf(tasks, row), arrays.state, row * (T + 1) * words);
  }
  const alive: number[] = [];
  for (let i = 0; i < B; i++) alive.push(first + i);
  for (let t = 0; t < T && alive.length > 0; t++) {
    for (let from = 0; from < alive.length; from += CHUNK) {
      const rows = Math.min(CHUNK, alive.length - from);
      for (let k = 0; k < rows; k++) {
        const row = alive[from + k]!;
        const stateAt = (row * (T + 1) + t) * words;
        const obsAt = (row * (T + 1) + t) * obsWords;
        const level = levelOf(tasks, row);
        env.observe(level, arrays.state, stateAt, arrays.obs, obsAt);
        env.key(level, arrays.state, stateAt, arrays.stateKey, (row * T + t) * 2);
        arrays.legal[row * T + t] = env.legal(level, arrays.state, stateAt);
        network.bitsAt[k] = obsAt;
      }
      network.forward(theta, s * plan.layout.size, arrays.obs, rows);
      for (let k = 0; k < rows; k++) {
        if (!act(plan, arrays, network, tasks, mode, s, alive[from + k]!, t, k)) finite = false;
      }
    }
    let kept = 0;
    for (const row of alive) if (arrays.length[row] === 0) alive[kept++] = row;
    alive.length = kept;
  }
  if (plan.shape.critic) finalValues(plan, arrays, network, theta, s);
  return finite;
}

/** Samples an action for one row and lets the world move. */
function act(
  plan: Plan,
  arrays: Arrays,
  network: CpuNetwork,
  tasks: Tasks,
  mode: 'train' | 'eval',
  s: number,
  row: number,
  t: number,
  k: number,
): boolean {
  const { T, env } = plan;
  const actions = plan.shape.actions;
  const n = outputs(plan.shape);
  const step = row * T + t;
  const legal = arrays.legal[step]!;
  const probsAt = step * actions;
  const logZ = softmaxRow(network.out, k * n, actions, legal, 1 / plan.temperature, arrays.probs, probsAt);
  const purpose = mode === 'train' ? PURPOSE.action : PURPOSE.evalAction;
  const u = uniform(random(plan.seeds[s]!, purpose, tasks.update, row - s * plan.B, t));
  const action = sampleRow(arrays.probs, probsAt, actions, legal, u);
  let H = 0;
  for (let b = 0; b < actions; b++) {
    const p = arrays.probs[probsAt + b]!;
    if (p > 0) H -= p * log(p);
  }
  arrays.action[step] = action;
  arrays.logp[step] = network.out[k * n + action]! / plan.temperature - logZ;
  arrays.entropy[step] = H;
  if (plan.shape.critic) arrays.value[step] = network.out[k * n + actions]!;

  const words = env.words;
  const stateAt = (row * (T + 1) + t) * words;
  arrays.state.copyWithin(stateAt + words, stateAt, stateAt + words);
  const level = levelOf(tasks, row);
  env.step(level, arrays.state, stateAt + words, action, tasks.episodeSeed[row]!, result);
  arrays.rewardMilli[step] = result.reward;
  arrays.reward[step] = Math.fround(result.reward * MILLI);
  const terminated = (result.flags & FLAG.terminated) !== 0;
  if (terminated || t + 1 === T) {
    arrays.length[row] = t + 1;
    arrays.terminated[row] = terminated ? 1 : 0;
    arrays.success[row] = (result.flags & FLAG.success) !== 0 ? 1 : 0;
    let milli = 0;
    for (let u2 = 0; u2 <= t; u2++) milli += arrays.rewardMilli[row * T + u2]!;
    arrays.outcome[row] = Math.fround(milli * MILLI);
    env.key(level, arrays.state, stateAt + words, arrays.finalStateKey, row * 2);
    env.observe(level, arrays.state, stateAt + words, arrays.obs, (row * (T + 1) + t + 1) * plan.obsWords);
  }
  return logZ - logZ === 0;
}

/** First action whose running sum of probabilities passes u; the last legal one if rounding leaves none. */
function sampleRow(p: Float32Array, at: number, actions: number, legal: number, u: number): number {
  let running = 0;
  let last = 0;
  for (let b = 0; b < actions; b++) {
    if (((legal >>> b) & 1) === 0) continue;
    last = b;
    running += p[at + b]!;
    if (u < running) return b;
  }
  return last;
}

/** V of the state after the last step, for bootstrapping at the step limit. */
function finalValues(plan: Plan, arrays: Arrays, network: CpuNetwork, theta: Float32Array, s: number): void {
  const { B, T, obsWords } = plan;
  const n = outputs(plan.shape);
  for (let from = 0; from < B; from += CHUNK) {
    const rows = Math.min(CHUNK, B - from);
    for (let k = 0; k < rows; k++) {
      const row = s * B + from + k;
      network.bitsAt[k] = (row * (T + 1) + arrays.length[row]!) * obsWords;
    }
    network.forward(theta, s * plan.layout.size, arrays.obs, rows);
    for (let k = 0; k < rows; k++) arrays.valueFinal[s * B + from + k] = network.out[k * n + plan.shape.actions]!;
  }
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
