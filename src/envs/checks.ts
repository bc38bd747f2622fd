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
  const pair = new Uint32Array(2);
  const keyOf = (s: number): string => {
    env.key(level, states, s * env.words, pair, 0);
    return keyText(pair[0]!, pair[1]!);
  };
  const row = new Map(Array.from({ length: n }, (_, s) => [keyOf(s), s] as const));
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
