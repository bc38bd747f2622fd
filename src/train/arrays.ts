import type { Batch } from '../core/batch.ts';
import { hashInto } from '../core/hash.ts';
import { valuesOf } from '../policies/network.ts';
import type { Written } from './backend.ts';
import type { Plan } from './plan.ts';

/** All arrays of a batch for S replicas on the CPU, allocated once. Index ((s*B + i)*T + t). */
export type Arrays = {
  readonly length: Uint32Array;
  readonly taskIndex: Uint32Array;
  readonly stateKey: Uint32Array;
  readonly finalStateKey: Uint32Array;
  readonly action: Uint32Array;
  readonly reward: Float32Array;
  /** [S, B, T] the same in whole thousandths */
  readonly rewardMilli: Int32Array;
  readonly outcome: Float32Array;
  readonly success: Uint32Array;
  readonly terminated: Uint32Array;
  /** [S, B] 1 = a demonstration; empty where the solver plays none */
  readonly demo: Uint8Array;
  readonly logp: Float32Array;
  readonly entropy: Float32Array;
  readonly value: Float32Array;
  readonly valueFinal: Float32Array;
  /** [S, B, T, 2] both values of a double critic; empty without one */
  readonly valueHeads: Float32Array;
  /** [S, B, T+1, words] */
  readonly state: Uint32Array;
  /** [S, B, T+1, obsWords] */
  readonly obs: Uint32Array;
  /** [S, B, T] legal-action bits */
  readonly legal: Uint32Array;
  /** [S, B, T, actions] */
  readonly probs: Float32Array;
  /** [S, B, T] written command, one token a byte; empty where actions are not written */
  readonly command: Uint32Array;
  /** [S, B, T, decisions] log-probability and entropy of each decided word, 0 beyond */
  readonly unitLogp: Float32Array;
  readonly unitEntropy: Float32Array;
  /** [S, B, T, decisions] log π_θ − log π_old of each decided word when it was last looked at, 0 beyond */
  readonly unitDelta: Float32Array;
  /** [S, B, T] log π_φ(a|o) of the process model; empty without one */
  readonly logpPhi: Float32Array;
};

export function makeArrays(plan: Plan): Arrays {
  const rows = plan.S * plan.B;
  const steps = rows * plan.T;
  const f32 = (n: number): Float32Array => new Float32Array(n);
  const u32 = (n: number): Uint32Array => new Uint32Array(n);
  const words = plan.policy.kind === 'transformer' ? plan.policy.shape.grammar.decisions : 0;
  return {
    length: u32(rows),
    taskIndex: u32(rows),
    stateKey: u32(steps * 2),
    finalStateKey: u32(rows * 2),
    action: u32(steps),
    reward: f32(steps),
    rewardMilli: new Int32Array(steps),
    outcome: f32(rows),
    success: u32(rows),
    terminated: u32(rows),
    demo: new Uint8Array(plan.objective.demonstrations ? rows : 0),
    logp: f32(steps),
    entropy: f32(steps),
    value: f32(steps),
    valueFinal: f32(rows),
    valueHeads: f32(valuesOf(plan.policy.shape) === 2 ? 2 * steps : 0),
    state: u32(rows * (plan.T + 1) * plan.env.words),
    obs: u32(rows * (plan.T + 1) * plan.obsWords),
    legal: u32(steps),
    probs: f32(steps * plan.actions),
    command: u32(words > 0 ? steps : 0),
    unitLogp: f32(steps * words),
    unitEntropy: f32(steps * words),
    unitDelta: f32(steps * words),
    logpPhi: f32(plan.estimator.needs.includes('logpPhi') ? steps : 0),
  };
}

/** Part s of an array with a leading replica dimension, without copying. */
export function part<T extends Float32Array | Uint32Array | Uint8Array>(array: T, S: number, s: number): T {
  const size = array.length / S;
  return array.subarray(s * size, (s + 1) * size) as T;
}

/** What was written in a batch; `of` takes the part of a replica. */
export function writtenOf(arrays: Arrays, of: <T extends Float32Array | Uint32Array>(array: T) => T): Written {
  const { command, unitLogp, unitEntropy, unitDelta } = arrays;
  return { command: of(command), logp: of(unitLogp), entropy: of(unitEntropy), delta: of(unitDelta) };
}

/** The batch of replica s as a view on the arrays. */
export function batchOf(plan: Plan, arrays: Arrays, s: number): Batch {
  const of = <T extends Float32Array | Uint32Array | Uint8Array>(array: T): T => part(array, plan.S, s);
  return {
    P: plan.P,
    G: plan.G,
    B: plan.B,
    T: plan.T,
    length: of(arrays.length),
    taskIndex: of(arrays.taskIndex),
    stateKey: of(arrays.stateKey),
    finalStateKey: of(arrays.finalStateKey),
    action: of(arrays.action),
    reward: of(arrays.reward),
    outcome: of(arrays.outcome),
    success: of(arrays.success),
    terminated: of(arrays.terminated),
    logp: of(arrays.logp),
    entropy: of(arrays.entropy),
    value: of(arrays.value),
    valueFinal: of(arrays.valueFinal),
    ...(arrays.demo.length > 0 ? { demo: of(arrays.demo) } : {}),
    ...(arrays.logpPhi.length > 0 ? { logpPhi: of(arrays.logpPhi) } : {}),
  };
}

const TRAJECTORY_TAG = 0x54524a59; // "TRJY"
const UPDATE_TAG = 0x55504454; // "UPDT"

/**
 * 64-bit hash of what happened to one replica in one update: per trajectory (level seed, length, then action and
 * reward in thousandths of every real step), then over all trajectories. Integers only, so it is exact on every path.
 */
export function updateHash(
  B: number,
  T: number,
  levelSeed: (i: number) => number,
  length: Uint32Array,
  action: Uint32Array,
  rewardMilli: Int32Array,
  out: Uint32Array,
  outAt: number,
): void {
  const words = new Uint32Array(2 + 2 * T);
  const all = new Uint32Array(2 * B);
  for (let i = 0; i < B; i++) {
    words[0] = levelSeed(i);
    words[1] = length[i]!;
    for (let t = 0; t < length[i]!; t++) {
      words[2 + 2 * t] = action[i * T + t]!;
      words[3 + 2 * t] = rewardMilli[i * T + t]!;
    }
    hashInto(TRAJECTORY_TAG, 0, words, 0, 2 + 2 * length[i]!, all, 2 * i);
  }
  joinHashes(all, 0, B, out, outAt);
}

/** Hash over the hashes of B trajectories, in their order; the first is `rows[at]`, `rows[at + 1]`. */
export function joinHashes(rows: Uint32Array, at: number, B: number, out: Uint32Array, outAt: number): void {
  hashInto(UPDATE_TAG, 0, rows, at, 2 * B, out, outAt);
}
