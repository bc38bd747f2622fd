import { backwardInduction, discountedOptimum } from '../core/dp.ts';
import { keyText } from '../core/hash.ts';
import { enumerate } from './enumerate.ts';
import type { Environment } from './types.ts';

/** A case of a golden file with schema environments/1. */
export type EnvironmentCase = {
  readonly name: string;
  readonly kind: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: unknown;
};
/** One checked value. `built` false: nothing here computes it yet. */
export type Check = {
  readonly key: string;
  readonly built: boolean;
  readonly passed: boolean;
  readonly maxError: number;
};
export type Json = Readonly<Record<string, unknown>>;
export type Tolerance = { readonly abs: number; readonly rel: number };

/** Integers and texts must be equal. */
export function exactly(key: string, got: unknown, want: unknown): Check {
  const passed = JSON.stringify(got) === JSON.stringify(want);
  return { key, built: true, passed, maxError: passed ? 0 : Infinity };
}

/** Key of the state at `at`, as golden files write it. */
export function keyString<L>(env: Environment<L>, level: L, state: Uint32Array, at = 0): string {
  const key = new Uint32Array(2);
  env.key(level, state, at, key, 0);
  return keyText(key[0]!, key[1]!);
}

/** Numbers of the observation bits that are 1 in a state. */
export function activeBits<L>(env: Environment<L>, level: L, state: Uint32Array): number[] {
  const features = env.features(level);
  const bits = new Uint32Array(Math.ceil(features / 32));
  env.observe(level, state, 0, bits, 0);
  return Array.from({ length: features }, (_, f) => f).filter((f) => ((bits[f >>> 5]! >>> (f & 31)) & 1) === 1);
}

/** A walk from the first state: its states, the first one too, and what golden files say of the walk in any environment. */
export function walk<L>(
  env: Environment<L>,
  level: L,
  actions: readonly number[],
  episodeSeed: number,
): { readonly states: readonly Uint32Array[]; readonly log: Json } {
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const states = [state.slice()];
  const reward: number[] = [];
  const flags: number[] = [];
  const result = { reward: 0, flags: 0 };
  for (const action of actions) {
    env.step(level, state, 0, { action: action >>> 0, seed: episodeSeed }, result);
    reward.push(result.reward);
    flags.push(result.flags);
    states.push(state.slice());
  }
  const [key0, ...stateKey] = states.map((s) => keyString(env, level, s));
  const [words0, ...words] = states.map((s) => [...s]);
  return { states, log: { words0, key0, reward, flags, stateKey, words } };
}

/** Exact values of a level within its step limit: optimal, under the uniform policy, discounted. States are matched by key. */
export function checkValues<L>(
  env: Environment<L>,
  level: L,
  inputs: Json,
  expected: Json,
  tolerance: Tolerance,
): Check[] {
  const all = enumerate(env, level, 1_000_000);
  if (!all) return [exactly('values.states', 'too many', expected['states'])];
  const T = env.maxSteps(level);
  const { model, states } = all;
  const { states: n, actions: A } = model;
  const uniform = new Float64Array(n * A).fill(1 / A);
  const flat = backwardInduction(model, uniform, T);
  const got: Record<string, ArrayLike<number>> = {
    vStar: backwardInduction(model, null, T).V,
    successStar: backwardInduction(model, null, T, 1, 'success').V,
    vUniform: flat.V,
    successUniform: backwardInduction(model, uniform, T, 1, 'success').V,
    aUniform: Float64Array.from({ length: n * A }, (_, k) => flat.Q[k]! - flat.V[Math.floor(k / A)]!),
    vDiscounted: discountedOptimum(model, inputs['gamma'] as number),
  };
  const row = new Map(Array.from({ length: n }, (_, s) => [keyString(env, level, states, s * env.words), s] as const));
  const order = (expected['stateKey'] as string[]).map((key) => row.get(key) ?? -1);
  const checks = [
    exactly('values.states', n, expected['states']),
    exactly('values.stateKey', order.includes(-1), false),
  ];
  for (const [key, values] of Object.entries(got)) {
    if (!Object.hasOwn(expected, key)) continue;
    const want = expected[key] as number[];
    const width = want.length / order.length;
    const errors = want.map((w, k) => Math.abs(values[order[Math.floor(k / width)]! * width + (k % width)]! - w));
    const passed = errors.every((error, k) => error <= tolerance.abs + tolerance.rel * Math.abs(want[k]!));
    checks.push({ key: `values.${key}`, built: true, passed, maxError: Math.max(...errors) });
  }
  return checks;
}
