import { tanh } from '../../../../core/fmath.ts';
import { TANH } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { rewardNet } from '../../rewardNetKernels.ts';

const [HIDDEN, REST, BIAS, OUT] = [16, 545, 512, 528];

type Sizes = { readonly S: number; readonly B: number; readonly T: number };
type Model = Readonly<Record<'hidden' | 'rest' | 'slope', Float32Array>>;

/** Replica, row, step and place of every state. */
function statesOf({ S, B, T }: Sizes): { s: number; row: number; t: number; k: number }[] {
  return Array.from({ length: S * B * (T + 1) }, (_, k) => {
    const row = Math.floor(k / (T + 1));
    return { s: Math.floor(row / B), row, t: k % (T + 1), k };
  });
}

/** Hidden units, and w₂·h + b₂; of steps with their actions where there are some. */
export function answersOf(sizes: Sizes, { hidden: z, rest }: Model, length: Uint32Array, action: Uint32Array | null) {
  const hidden = new Float32Array(z.length);
  const y = new Float32Array(z.length / HIDDEN);
  for (const { s, row, t, k } of statesOf(sizes)) {
    if (t + (action ? 1 : 0) > length[row]!) continue;
    const at = (j: number): number => rest[REST * s + j]!;
    const own = action ? HIDDEN * (action[row * sizes.T + t]! % 32) : 0;
    let sum = at(REST - 1);
    for (let j = 0; j < HIDDEN; j++) {
      const h = tanh(z[HIDDEN * k + j]! + at(BIAS + j) + (action ? at(own + j) : 0));
      hidden[HIDDEN * k + j] = h;
      sum += at(OUT + j) * h;
    }
    y[k] = sum;
  }
  return { hidden, y };
}

/** ∂(slope·y)/∂z of each state, and the sums of ∂(slope·y)/∂rest over all of a replica; none by b₂ where it `compares`. */
export function gradientsOf(
  sizes: Sizes,
  { hidden, rest, slope }: Model,
  action: Uint32Array | null,
  compares = false,
) {
  const d = new Float32Array(hidden.length);
  const gradient = new Float64Array(sizes.S * REST);
  for (const { s, row, t, k } of statesOf(sizes)) {
    const own = action && t < sizes.T ? HIDDEN * (action[row * sizes.T + t]! % 32) : -1;
    if (!compares) gradient[REST * s + REST - 1]! += slope[k]!;
    for (let j = 0; j < HIDDEN; j++) {
      const h = hidden[HIDDEN * k + j]!;
      const x = slope[k]! * rest[REST * s + OUT + j]! * (1 - h * h);
      d[HIDDEN * k + j] = x;
      gradient[REST * s + BIAS + j]! += x;
      gradient[REST * s + OUT + j]! += slope[k]! * h;
      if (own >= 0) gradient[REST * s + own + j]! += x;
    }
  }
  return { d, gradient: Float32Array.from(gradient) };
}

/** How far the states of an episode come by its milestones: k/K at the k-th, straight lines between them. */
export function labelsOf(milestones: ArrayLike<number>, share: number, length: number): number[] {
  const reached = Array.from(milestones).findIndex((step) => step < 0);
  const n = reached < 0 ? milestones.length : reached;
  const K = n === 0 || share <= 0 ? 1 : Math.max(n, Math.round(n / share));
  const tau = [0, ...Array.from(milestones).slice(0, share > 0 ? n : 0)].map((step, k) => (k === 0 ? 0 : step + 1));
  return Array.from({ length: length + 1 }, (_, t) => {
    const k = tau.findLastIndex((at, m) => m === 0 || at <= t);
    const next = tau[k + 1];
    return (k + (next === undefined ? 0 : (t - tau[k]!) / (next - tau[k]!))) / K;
  });
}

const SHAPES: readonly (readonly [number, number, number])[] = [
  [1, 1, 1],
  [2, 5, 4],
  [3, 3, 13],
  [2, 67, 3],
];

export const cases: readonly Case[] = SHAPES.flatMap(([S, B, T], seed): Case[] => {
  const sizes = { S, B, T };
  const name = `${S}×${B}×${T}`;
  const [rows, all] = [S * B, S * B * (T + 1)];
  const length = wholes(seed, rows, T).map((n) => n + 1);
  const action = wholes(seed + 1, rows * T, 40);
  const rest = numbers(seed + 2, S * REST);
  const z = numbers(seed + 3, HIDDEN * all, -2, 2);
  z.forEach((_, k) => void (k % 31 === 5 && (z[k] = k % 2 === 0 ? 40 : -40)));
  const states = B * (T + 1);
  const lanes = (n: number): readonly [number, number, number] => [Math.ceil(n / 64), 1, S];
  const none = new Float32Array(0);
  const slope = numbers(seed + 4, all);
  for (const { row, t, k } of statesOf(sizes)) if (t >= length[row]!) slope[k] = 0;

  const answers = [null, action].map((by): Case => {
    const given = { hidden: z, rest, slope: none };
    return {
      name: `answers of ${name}${by ? ', by action' : ''}`,
      kernel: rewardNet.answers,
      dims: { states, T, byAction: by ? 1 : 0 },
      groups: lanes(states),
      buffers: { length, action, rest, hidden: z.slice(), y: untouched(all) },
      expected: answersOf(sizes, given, length, by),
      // 16 tanh of arguments with two roundings of numbers up to 42, weights up to 1, and as many sums up to 17
      tolerance: { abs: 16 * (TANH + 8 * 2 ** -20) + 17 * 2 ** -20, rel: 0 },
    };
  });

  const hidden = numbers(seed + 5, HIDDEN * all);
  const steps = wholes(seed + 6, 2 * S, 9);
  const rests = wholes(seed + 15, S, 2);
  const gradients = [null, action].flatMap((by): Case[] => {
    const compares = seed % 2 === 1;
    const { d, gradient } = gradientsOf(sizes, { hidden, rest, slope }, by, compares);
    const deltas: Case = {
      name: `deltas of ${name}`,
      kernel: rewardNet.deltas,
      dims: { states },
      groups: lanes(HIDDEN * states),
      buffers: { slope, rest, hidden, d: untouched(d.length) },
      expected: { d },
      // four roundings of numbers up to 1
      tolerance: { abs: 4 * 2 ** -24, rel: 0 },
    };
    const sums: Case = {
      name: `restGradient of ${name}${by ? ', by action' : ''}${compares ? ', of differences' : ''}`,
      kernel: rewardNet.restGradient,
      dims: { states, T, byAction: by ? 1 : 0, compares: compares ? 1 : 0 },
      groups: [33, 1, S],
      buffers: { slope, hidden, d, action, gradient: untouched(S * REST), steps: steps.slice(), rests },
      expected: { gradient, steps: steps.map((n, k) => (k % 2 === 0 ? n + 1 - rests[k >> 1]! : n)) },
      // sums of up to 268 numbers below 1, one rounding each of at most half a unit of 256
      tolerance: { abs: 268 * 2 ** -17, rel: 0 },
    };
    return by ? [sums] : [deltas, sums];
  });
  return [...answers, ...gradients, ...learned(sizes, seed, length), ...steppedBy(sizes, seed)];
});

/** Slopes and errors, the latter only at the first look. */
function learned(sizes: Sizes, seed: number, length: Uint32Array): Case[] {
  const { S, B, T } = sizes;
  const [rows, width] = [S * B, T + 1];
  const y = numbers(seed + 7, rows * width);
  const outcome = numbers(seed + 8, rows);
  // some that were never reached, of up to five, in rising steps
  const reached = wholes(seed + 9, rows, 4);
  const milestones = new Float32Array(16 * rows).fill(-1);
  const progress = numbers(seed + 10, rows * width, 0, 1);
  for (let row = 0; row < rows; row++) {
    const n = Math.min(reached[row]!, length[row]!);
    for (let k = 0; k < n; k++) milestones[16 * row + k] = Math.floor((k * length[row]!) / n);
    progress[row * width + length[row]!] = n / 5;
  }
  const [ofStates, ofSteps] = [new Float32Array(y.length), new Float32Array(y.length)];
  const [byStates, bySteps] = [new Float32Array(S), new Float32Array(S)];
  for (let s = 0; s < S; s++) {
    const own = Array.from({ length: B }, (_, i) => s * B + i);
    const states = own.reduce((n, row) => n + length[row]! + 1, 0);
    let [squares, gaps] = [0, 0];
    for (const row of own) {
      const [n, at] = [length[row]!, row * width];
      const share = progress[at + n]!;
      labelsOf(milestones.subarray(16 * row, 16 * row + 16), share, n).forEach((label, t) => {
        squares += (y[at + t]! - label) ** 2;
        ofStates[at + t] = (2 * (y[at + t]! - label)) / states;
      });
      const gap = y.subarray(at, at + n).reduce((a, b) => a + b, 0) - outcome[row]!;
      gaps += gap * gap;
      ofSteps.fill((2 * gap) / B, at, at + n);
    }
    byStates[s] = Math.sqrt(squares / states);
    bySteps[s] = Math.sqrt(gaps / B);
  }
  const name = `${S}×${B}×${T}`;
  return [0, 1].flatMap((first): Case[] => {
    const common = { dims: { B, T, first }, groups: [1, 1, S] as const };
    const held = { slope: untouched(y.length), error: untouched(S) };
    const error = (of: Float32Array): Float32Array => (first === 1 ? of : untouched(S));
    return [
      {
        ...{ name: `milestones of ${name}, look ${1 - first}`, kernel: rewardNet.states, ...common },
        buffers: { length, y, reached: milestones, share: progress, ...held },
        expected: { slope: ofStates, error: error(byStates) },
        // a few divisions of numbers up to 2; a mean of squares with a rounding each
        tolerance: { abs: 1e-5, rel: 1e-5 },
      },
      {
        ...{ name: `outcomes of ${name}, look ${1 - first}`, kernel: rewardNet.steps, ...common },
        buffers: { length, y, outcome, ...held },
        expected: { slope: ofSteps, error: error(bySteps) },
        // sums of up to 14 numbers up to 14, doubled
        tolerance: { abs: 2 * 14 * 2 ** -20, rel: 1e-5 },
      },
    ];
  });
}

/** Adam over slices, at its beginning and late. */
function steppedBy({ S }: Sizes, seed: number): Case[] {
  return [0, 1].map((first): Case => {
    const [size, slices, most, rate] = [7 + 61 * seed, 1 + seed, 12, 0.05];
    const partials = numbers(seed + 11, S * slices * size);
    const [theta, m] = [numbers(seed + 12, S * size), numbers(seed + 13, S * size)];
    const v = numbers(seed + 14, S * size, 0.01, 1);
    const before = untouched(S * size);
    const steps = Uint32Array.from({ length: 2 * S }, (_, k) => (k === 0 ? 99 : 1 + k));
    const rests = Uint32Array.from({ length: S }, (_, s) => s % 2);
    const scaleOf = (t: number): number => Math.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t);
    const scales = Float32Array.from({ length: most }, (_, k) => scaleOf(k + 1));
    const expected = { theta: theta.slice(), m: m.slice(), v: v.slice(), before: first ? theta : before };
    for (let k = 0; k < S * size; k++) {
      const s = Math.floor(k / size);
      if (rests[s] === 1) continue;
      const parts = Array.from({ length: slices }, (_, i) => partials[(s * slices + i) * size + (k % size)]!);
      const g = parts.reduce((a, b) => a + b, 0);
      const [a, b] = [0.9 * m[k]! + 0.1 * g, 0.999 * v[k]! + 0.001 * g * g];
      Object.assign(expected.m, { [k]: a });
      Object.assign(expected.v, { [k]: b });
      expected.theta[k] = theta[k]! - (rate * scales[Math.min(steps[2 * s]!, most) - 1]! * a) / (Math.sqrt(b) + 1e-8);
    }
    return {
      name: `step of ${S}×${size} in ${slices} slices${first ? ', the first look' : ''}`,
      kernel: rewardNet.step,
      dims: { size, slices, first, most, rate },
      groups: [Math.ceil(size / 64), 1, S],
      buffers: { partials, steps, scales, theta, m, v, before: before.slice(), rests },
      expected,
      // sums of up to 4 numbers; steps up to 0.5 long with a root and a division good to some units of the last place
      tolerance: { abs: 2e-6, rel: 2e-6 },
    };
  });
}
