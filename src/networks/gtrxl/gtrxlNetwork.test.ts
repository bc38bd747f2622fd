import { describe, expect, test } from 'vitest';
import type { History } from '../../contract/network.ts';
import { random, uniform } from '../../core/random.ts';
import { GATES, offsetsOf } from '../transformer/shape.ts';
import { referenceOf } from '../fixtures/gtrxlReference.ts';
import { GtrxlNetwork } from './gtrxlNetwork.ts';
import { gtrxlLayout, gtrxlWeights, readsOf, type GtrxlShape } from './shape.ts';

const u = (a: number, i: number): number => uniform(random(7, 97, a, 0, i)) * 2 - 1;

const SHAPE: GtrxlShape = {
  ...{ features: 37, width: 6, heads: 2, layers: 2, hidden: 7, memory: 3, segment: 4 },
  ...{ gate: 'gru', gateBias: 1, actions: 3, critic: true },
};

/** Episodes of random observations, and parameters away from their start. */
function setUp(changes: Partial<GtrxlShape> = {}, rows = 3, T = 19, spread = 0.9) {
  const shape: GtrxlShape = { ...SHAPE, ...changes };
  const layout = gtrxlLayout(shape);
  const obsWords = Math.ceil(shape.features / 32);
  const obs = new Uint32Array(rows * (T + 1) * obsWords);
  for (let k = 0; k < rows * (T + 1); k++)
    for (let f = 0; f < shape.features; f++)
      if (u(2, k * 1000 + f) > 0.6) obs[k * obsWords + (f >> 5)]! |= 1 << (f & 31);
  const theta = new Float32Array(layout.size);
  gtrxlWeights(shape, { seed: 3, activeInputs: 7 }, theta);
  for (const { offset, rows: r, cols } of layout.tensors)
    for (let k = offset; k < offset + r * cols; k++) theta[k]! += spread * u(1, k);
  // nothing may be hidden by a ReLU that is never on
  for (const { name, offset, cols } of layout.tensors)
    if (/^b[12]/.test(name)) for (let k = 0; k < cols; k++) theta[offset + k]! += 0.7;
  const history: History = { obs, written: new Uint32Array(0), T, obsWords };
  const network = new GtrxlNetwork(shape, layout);
  const n = network.logits.stride;
  const answers = (steps: readonly (readonly [number, number])[], of: History = history): number[] => {
    network.clear();
    for (const [row, t] of steps) network.read(of, row, t);
    network.forward(theta, 0);
    return [...network.logits.out.subarray(0, steps.length * n)];
  };
  return { shape, layout, history, theta, network, n, answers };
}

/** Steps of trajectories, as a minibatch reads them. */
const STEPS: readonly (readonly [row: number, t: number])[] = [
  ...Array.from({ length: 10 }, (_, t) => [1, t] as const),
  // a trajectory that an earlier chunk began, in the middle of a segment, and a short one
  ...[6, 7, 8].map((t) => [0, t] as const),
  [2, 0],
];

const CASES: readonly (readonly [string, Partial<GtrxlShape>])[] = [
  ...GATES.map((gate) => [`gate ${gate}`, { gate }] as const),
  ['three layers, one head, no critic', { layers: 3, heads: 1, critic: false, width: 5 }],
  ['no memory', { memory: 0 }],
  ['segments of one step', { memory: 5, segment: 1 }],
  ['neither', { memory: 0, segment: 1, layers: 1 }],
  ['a memory longer than the episode, two values', { memory: 40, values: 2 }],
];

describe.each(CASES)('%s', (_name, changes) => {
  test('answers are those of the formulas, step by step', () => {
    const { shape, layout, history, theta, n, answers } = setUp(changes);
    const reference = referenceOf(shape, layout, history);
    const got = answers(STEPS);
    STEPS.forEach(([row, t], k) => {
      const want = reference.episode(theta, row, t, null)[t]!;
      // sums of some tens of numbers of size ~3 in f32, through up to 6 sub-layers
      want.out.forEach((w, j) => expect(Math.abs(got[k * n + j]! - w), `step ${t} of ${row}`).toBeLessThan(2e-4));
    });
  });

  test('the gradient of every tensor equals central differences with the memory held', () => {
    const { shape, layout, history, theta, network, n } = setUp(changes);
    const reference = referenceOf(shape, layout, history);
    const weights = Float32Array.from({ length: STEPS.length * n }, (_, k) => u(3, k));
    const exact = Float64Array.from(theta);
    const last = [8, 9, 0];
    const held = last.map((t, row) => reference.episode(exact, row, t, null));
    const loss = (parameters: Float64Array): number => {
      const episodes = last.map((t, row) => reference.episode(parameters, row, t, held[row]!));
      return STEPS.reduce(
        (sum, [row, t], k) => sum + episodes[row]![t]!.out.reduce((s, y, j) => s + y * weights[k * n + j]!, 0),
        0,
      );
    };
    network.clear();
    for (const [row, t] of STEPS) network.read(history, row, t);
    network.forward(theta, 0);
    network.logits.d.set(weights);
    const gradient = new Float32Array(layout.size);
    network.backward(theta, 0, gradient);
    for (const { name, offset, rows, cols } of layout.tensors) {
      const own = gradient.subarray(offset, offset + rows * cols).map(Math.abs);
      const largest = Math.max(...own);
      // the largest one, and some all over the tensor
      for (const k of new Set([own.indexOf(largest), 0, own.length >> 1, own.length - 1])) {
        const moved = exact.slice();
        const h = 2 ** -16;
        moved[offset + k] = exact[offset + k]! + h;
        const up = loss(moved);
        moved[offset + k] = exact[offset + k]! - h;
        const numeric = (up - loss(moved)) / (2 * h);
        // the gradient adds up in f32 over twenty steps
        const error = Math.abs(gradient[offset + k]! - numeric);
        expect(error, `${name}[${k}]`).toBeLessThan(1e-4 + 1e-4 * Math.abs(numeric));
      }
      // where the only thing that is read is a step itself, it is read whole, whatever its distance is worth
      const isIdle = shape.memory === 0 && shape.segment === 1 && name.startsWith('rel');
      if (!isIdle) expect(largest, `the gradient of ${name}`).toBeGreaterThan(0.02);
    }
  });

  test('an episode read step by step, with the memory at hand, gives the bits of one read at once', () => {
    const { history, network, answers } = setUp(changes);
    const all = Array.from({ length: 19 }, (_, t) => [1, t] as const);
    const memory = new Float32Array(3 * network.memory);
    // what another episode left there does not count
    memory.fill(9);
    const alone = all.flatMap((step) => answers([step], { ...history, memory, recalls: true }));
    expect(answers(all)).toEqual(alone);
    // and so does every step by itself, computed anew
    const n = alone.length / 19;
    for (const t of [18, 7, 2, 0]) expect(answers([[1, t]])).toEqual(alone.slice(t * n, t * n + n));
  });
});

test('with a context of 512 steps answers are those of the formulas, far behind the start', () => {
  const changes = { memory: 448, segment: 64, layers: 2, width: 4, heads: 1 };
  const { shape, layout, history, theta, n, answers } = setUp(changes, 1, 600);
  const reference = referenceOf(shape, layout, history).episode(theta, 0, 599, null);
  const steps = Array.from({ length: 40 }, (_, k) => [0, 560 + k] as const);
  const got = answers(steps);
  steps.forEach(([, t], k) =>
    reference[t]!.out.forEach((w, j) => expect(Math.abs(got[k * n + j]! - w), `step ${t}`).toBeLessThan(2e-4)),
  );
});

test('a memory that was computed anew in the middle of an episode is as good as one from its start', () => {
  const { history, network, answers, n } = setUp();
  const memory = new Float32Array(3 * network.memory).fill(9);
  const fresh = { ...history, memory };
  answers([[1, 12]], fresh);
  const after = [13, 14, 15, 16, 17].flatMap((t) => answers([[1, t]], { ...fresh, recalls: true }));
  expect(after).toEqual(answers([13, 14, 15, 16, 17].map((t) => [1, t] as const)));
  expect(after).toHaveLength(5 * n);
});

test('a step sees its segment and the memory of each layer, nothing older and nothing later', () => {
  const { shape, history, answers } = setUp();
  // step 17 begins at 16 − 3 in the last layer, and what is stored there began at 12 − 3
  const oldest = 9;
  expect(17 - readsOf(shape)).toBeLessThanOrEqual(oldest);
  const before = answers([[1, 17]]);
  const after = (t: number): number[] => {
    const at = (20 + t) * history.obsWords;
    history.obs[at]! ^= 21;
    const found = answers([[1, 17]]);
    history.obs[at]! ^= 21;
    return found;
  };
  for (const t of [18, oldest - 1, 0]) expect(after(t), `step ${t}`).toEqual(before);
  for (const t of [17, 16, 13, oldest]) expect(after(t), `step ${t}`).not.toEqual(before);
});

test('many single steps are answered and learned from in turns: the same bits, and the sum of their gradients', () => {
  const { shape, layout, theta, network, n, answers } = setUp({ memory: 20, segment: 9 }, 40, 58);
  const steps = Array.from({ length: 40 }, (_, row) => [row, 58 - (row % 7)] as const);
  const alone = steps.flatMap((step) => answers([step]));
  expect(answers(steps)).toEqual(alone);
  expect(steps.length * (readsOf(shape) + 1)).toBeGreaterThan(500);
  const gradientOf = (some: typeof steps, first: number): Float32Array => {
    const gradient = new Float32Array(layout.size);
    answers(some);
    for (let k = 0; k < some.length * n; k++) network.logits.d[k] = u(5, first * n + k);
    network.backward(theta, 0, gradient);
    return gradient;
  };
  const whole = gradientOf(steps, 0);
  const parts = steps.map((step, k) => gradientOf([step], k));
  const most = Math.max(...whole.map(Math.abs));
  for (let k = 0; k < layout.size; k++) {
    const sum = parts.reduce((total, part) => total + part[k]!, 0);
    expect(Math.abs(whole[k]! - sum)).toBeLessThan(1e-5 * most);
  }
});

test('a new network is a nearly uniform policy, seeds differ, and a single observation is the start of an episode', () => {
  const { shape, layout, history, network, n } = setUp();
  const [a, b] = [new Float32Array(layout.size), new Float32Array(layout.size)];
  gtrxlWeights(shape, { seed: 1, activeInputs: 9 }, a);
  gtrxlWeights(shape, { seed: 2, activeInputs: 9 }, b);
  expect(a).not.toEqual(b);
  expect(a[offsetsOf(layout)['g1b.0']!]).toBe(shape.gateBias);
  network.clear();
  network.read(history, 0, 0);
  network.forward(a, 0);
  const first = [...network.logits.out.subarray(0, n)];
  expect(Math.max(...first.slice(0, 3).map(Math.abs))).toBeLessThan(0.1);
  network.clear();
  network.read({ ...history, T: 0 }, 0, 0);
  network.forward(a, 0);
  expect([...network.logits.out.subarray(0, n)]).toEqual(first);
});
