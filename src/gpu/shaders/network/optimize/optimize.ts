import { numbers, type Case } from '../../../conformance.ts';
import { readsSums } from '../../../normSums.ts';
import { optimizeWith } from '../../kernels.ts';
import { gradNorm, lossSums } from '../gradNorm/gradNorm.ts';
import { normSums } from '../../metrics/sliceSum/sliceSum.ts';

/** A small optimizer with memory, to test the frame around any optimizer: momentum and a sum of squares. */
const SNIPPET = `fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  let m1 = p.x * m + g;
  let v1 = v + g * g;
  return vec3f(theta - lr * m1 / (c1 + c2), m1, v1);
}`;

type State = { theta: Float32Array; m: Float32Array; v: Float32Array; flags: Uint32Array };

/** One step with the gradient shortened to `clip`; replicas with norm −1 stay; numbers that would not be finite stay and raise flag 5. */
export function optimize(
  S: number,
  size: number,
  clip: number,
  rateOf: (s: number) => readonly number[],
  gradient: Float32Array,
  norms: Float32Array,
  state: State,
): State {
  const next: State = {
    theta: state.theta.slice(),
    m: state.m.slice(),
    v: state.v.slice(),
    flags: state.flags.slice(),
  };
  for (let s = 0; s < S; s++) {
    const [lr, c1, c2] = rateOf(s) as [number, number, number];
    const norm = norms[2 * s]!;
    if (norm < 0) continue;
    const factor = clip > 0 && norm > clip ? clip / (norm + 1e-6) : 1;
    for (let k = s * size; k < (s + 1) * size; k++) {
      const g = gradient[k]! * factor;
      const m = 0.5 * state.m[k]! + g;
      const theta = state.theta[k]! - (lr * m) / (c1 + c2);
      if (Number.isFinite(theta) && Number.isFinite(m)) {
        next.theta[k] = theta;
        next.m[k] = m;
        next.v[k] = state.v[k]! + g * g;
      } else next.flags[s] = 5;
    }
  }
  return next;
}

const given = [
  [4, 0, 0],
  [64, 0.5, 0],
  [260, 100, 0],
  [68, 0.5, 1],
].map(([size, clip, perReplica], k): Case => {
  const S = 4;
  const make = (seed: number): Float32Array => numbers(k + seed, S * size!);
  const gradient = make(1);
  gradient[3 * size!] = NaN; // replica 3: its first number must stay and raise the flag
  const norms = Float32Array.from({ length: 2 * S }, (_, n) => (n === 2 ? -1 : n % 2 === 0 ? 2 + n : 0));
  const state: State = { theta: make(2), m: make(3), v: make(4).map(Math.abs), flags: Uint32Array.of(0, 3, 0, 0) };
  // rows of an update from the second one on; each replica reads its own with `perReplica`
  const rates = Float32Array.from({ length: 5 * 4 }, (_, n) => (n < 4 ? 9 : [0.25, 0.75, 0.25, 0][n % 4]! * (n >> 2)));
  const rateOf = (s: number): number[] => [...rates.subarray(4 + 4 * s * perReplica!, 8 + 4 * s * perReplica!)];
  return {
    name: `optimize ${size} numbers, clip ${clip}, rates ${perReplica === 1 ? 'per replica' : 'for all'}`,
    kernel: optimizeWith(SNIPPET),
    dims: { size: size!, k: 1, perReplica: perReplica!, clipNorm: clip!, p0: 0.5, p1: 0, p2: 0, p3: 0 },
    groups: [Math.ceil(size! / 256), 1, S],
    buffers: { gradient, norms, rates, ...state },
    expected: optimize(S, size!, clip!, rateOf, gradient, norms, state),
    // four roundings of numbers below 3
    tolerance: { abs: 1e-6, rel: 1e-6 },
  };
});

/** The same steps with a norm that they make themselves: norms and losses as gradNorm leaves them, 64 words apart. */
const fromSums = [4, 252, 260, 16_644].map((size, k): Case => {
  const [S, steps, lossesAt] = [4, 70, 64];
  const make = (seed: number): Float32Array => numbers(k + seed, S * size);
  const gradient = make(11);
  gradient[3 * size + 1] = Infinity; // raises flag 4, and nothing of the replica moves
  const stats = numbers(k + 15, S * steps * 6);
  const state: State = { theta: make(12), m: make(13), v: make(14).map(Math.abs), flags: Uint32Array.of(0, 3, 0, 0) };
  const rates = Float32Array.of(0.25, 0.75, 0.25, 0);
  const before = Float32Array.from({ length: lossesAt + 2 * S }, (_, n) => n % 7);
  const { norms, flags } = gradNorm(S, size, gradient, before.slice(0, 2 * S), state.flags);
  const after = before.slice();
  after.set(norms);
  after.set(lossSums(steps, stats, before.slice(lossesAt)), lossesAt);
  return {
    name: `optimize ${size} numbers, norm from sums`,
    kernel: optimizeWith(SNIPPET, readsSums),
    dims: { size, k: 0, perReplica: 0, clipNorm: 0.5, p0: 0.5, p1: 0, p2: 0, p3: 0, lossesAt },
    groups: [Math.ceil(size / 256), 1, S],
    buffers: {
      ...{ gradient, rates, norms: before, ...state },
      sums: normSums([S, size, steps], gradient, stats, state.flags),
    },
    expected: {
      ...optimize(S, size, 0.5, () => [...rates], gradient, norms, { ...state, flags }),
      norms: after,
    },
    // sums of up to 16,644 squares in a tree against one by one; losses of 70 rows
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});

export const cases: readonly Case[] = [...given, ...fromSums];
