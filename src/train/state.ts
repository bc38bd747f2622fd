import { initialWeights } from '../policies/network.ts';
import { transformerWeights } from '../policies/transformer/shape.ts';
import type { TrainState } from './backend.ts';
import { cloneSolutions } from './clone.ts';
import type { Plan } from './plan.ts';

/** The state before the first update: every replica's own initial weights (after cloning, if asked for), moments 0, reference = initial policy. */
export function initialState(plan: Plan): TrainState {
  const size = plan.layout.size;
  const theta = new Float32Array(plan.S * size);
  const { policy } = plan;
  for (let s = 0; s < plan.S; s++) {
    if (policy.kind === 'dense') initialWeights(policy.shape, plan.seeds[s]!, plan.activeInputs[s]!, theta, s * size);
    else transformerWeights(policy.shape, plan.seeds[s]!, theta, s * size);
  }
  cloneSolutions(plan, theta);
  return {
    update: 0,
    steps: 0,
    theta,
    m: new Float32Array(plan.S * size),
    v: new Float32Array(plan.S * size),
    reference: theta.slice(),
    lastGradient: new Float32Array(plan.S * size),
  };
}

/** Part of a state: replicas from … from + count of S. Every array of a state has the replica as its first dimension. */
export function replicasOf(state: TrainState, S: number, from: number, count: number): TrainState {
  return eachArray([state], ([array]) => {
    const size = array!.length / S;
    return array!.slice(from * size, (from + count) * size);
  });
}

/** States of neighbouring replicas as one, in order. */
export function joinReplicas(parts: readonly TrainState[]): TrainState {
  return eachArray(parts, (arrays) => {
    const first = arrays[0]!;
    const joined = new (first.constructor as new (n: number) => TypedArray)(arrays.reduce((n, a) => n + a.length, 0));
    let at = 0;
    for (const array of arrays) {
      joined.set(array, at);
      at += array.length;
    }
    return joined;
  });
}

type TypedArray = Float32Array | Float64Array | Uint32Array | Int32Array;

/** The same object with every typed array replaced; `parts` are objects of one shape, whose other values agree. */
function eachArray<T extends object>(parts: readonly T[], make: (arrays: readonly TypedArray[]) => TypedArray): T {
  const first = parts[0]!;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]: [string, unknown]) => {
      const all = parts.map((part) => (part as Record<string, unknown>)[name]);
      if (ArrayBuffer.isView(value)) return [name, make(all as TypedArray[])];
      if (typeof value === 'object' && value !== null) return [name, eachArray(all as object[], make)];
      return [name, value];
    }),
  ) as T;
}
