import { describe, expect, test } from 'vitest';
import type { History } from '../../contract/network.ts';
import { random, uniform } from '../../core/random.ts';
import { memoReferenceOf } from '../fixtures/memoReference.ts';
import { GtrxlNetwork } from '../gtrxl/gtrxlNetwork.ts';
import { gtrxlLayout, type GtrxlShape } from '../gtrxl/shape.ts';
import { GATES, offsetsOf } from '../transformer/shape.ts';
import { MemoNetwork } from './memoNetwork.ts';
import { distancesOf, memoLayout, memoWeights, MEMO_STEPS, slotsOf, type MemoShape } from './shape.ts';

const u = (a: number, i: number): number => uniform(random(7, 97, a, 0, i)) * 2 - 1;

const SHAPE: MemoShape = {
  ...{ features: 37, width: 6, heads: 2, layers: 2, hidden: 7, segment: 4, summary: 2, keep: 3 },
  ...{ gate: 'gru', gateBias: 1, actions: 3, critic: true },
};

/** Episodes of random observations, and parameters away from their start. */
function setUp(changes: Partial<MemoShape> = {}, rows = 3, T = 22, spread = 0.5) {
  const shape: MemoShape = { ...SHAPE, ...changes };
  const layout = memoLayout(shape);
  const obsWords = Math.ceil(shape.features / 32);
  const obs = new Uint32Array(rows * (T + 1) * obsWords);
  for (let k = 0; k < rows * (T + 1); k++)
    for (let f = 0; f < shape.features; f++)
      if (u(2, k * 1000 + f) > 0.6) obs[k * obsWords + (f >> 5)]! |= 1 << (f & 31);
  const theta = new Float32Array(layout.size);
  memoWeights(shape, { seed: 3, activeInputs: 7 }, theta);
  for (const { offset, rows: r, cols } of layout.tensors)
    for (let k = offset; k < offset + r * cols; k++) theta[k]! += spread * u(1, k);
  // nothing may be hidden by a ReLU that is never on
  for (const { name, offset, cols } of layout.tensors)
    if (/^b[12]/.test(name)) for (let k = 0; k < cols; k++) theta[offset + k]! += 0.7;
  const history: History = { obs, written: new Uint32Array(0), T, obsWords };
  const network = new MemoNetwork(shape, layout);
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
  ...Array.from({ length: 12 }, (_, t) => [1, t] as const),
  // a trajectory that an earlier chunk began, in the middle of a segment and over its end, and a short one
  ...[17, 18, 19, 20, 21].map((t) => [0, t] as const),
  [2, 0],
];

const CASES: readonly (readonly [string, Partial<MemoShape>])[] = [
  ...GATES.map((gate) => [`gate ${gate}`, { gate }] as const),
  ['three layers, one head, no critic', { layers: 3, heads: 1, critic: false, width: 5 }],
  ['only the last summary', { keep: 1 }],
  ['a summary of one token, all of them kept', { summary: 1, keep: 9, layers: 1 }],
  ['four tokens for five steps, two values', { summary: 4, segment: 5, values: 2 }],
  ['segments longer than the episode', { segment: 30 }],
];

describe.each(CASES)('%s', (_name, changes) => {
  test('answers are those of the formulas, token by token', () => {
    const { shape, layout, history, theta, n, answers } = setUp(changes);
    const reference = memoReferenceOf(shape, layout, history);
    const got = answers(STEPS);
    STEPS.forEach(([row, t], k) => {
      const want = reference.episode(theta, row, t)[t]!;
      // sums of some tens of numbers of size ~3 in f32, through up to 6 sub-layers for each summary on the way
      want.forEach((w, j) =>
        expect(Math.abs(got[k * n + j]! - w), `step ${t} of ${row}`).toBeLessThan(2e-4 + 2e-4 * Math.abs(w)),
      );
    });
  });

  test('the gradient of every tensor equals central differences through all summaries', () => {
    const { shape, layout, history, theta, network, n } = setUp(changes);
    const reference = memoReferenceOf(shape, layout, history);
    const weights = Float32Array.from({ length: STEPS.length * n }, (_, k) => u(3, k));
    const exact = Float64Array.from(theta);
    const loss = (parameters: Float64Array): number => {
      const episodes = [21, 11, 0].map((t, row) => reference.episode(parameters, row, t));
      return STEPS.reduce(
        (sum, [row, t], k) => sum + episodes[row]![t]!.reduce((s, y, j) => s + y * weights[k * n + j]!, 0),
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
      // the largest one, and one in the middle of the tensor
      for (const k of new Set([own.indexOf(largest), own.length >> 1])) {
        const moved = exact.slice();
        const h = 2 ** -18;
        moved[offset + k] = exact[offset + k]! + h;
        const up = loss(moved);
        moved[offset + k] = exact[offset + k]! - h;
        const numeric = (up - loss(moved)) / (2 * h);
        // the gradient adds up in f32 over some thirty tokens
        const error = Math.abs(gradient[offset + k]! - numeric);
        expect(error, `${name}[${k}]`).toBeLessThan(2e-4 + 2e-4 * Math.abs(numeric));
      }
      // where no segment ends, nothing is summed up
      if (shape.segment > 22 && name === 'summary') expect(largest).toBe(0);
      // fifty times what an error may be
      else expect(largest, `the gradient of ${name}`).toBeGreaterThan(0.01);
    }
  });

  test('an episode read step by step, with the memory at hand, gives the bits of one read at once', () => {
    const { history, network, answers } = setUp(changes);
    const all = Array.from({ length: 22 }, (_, t) => [1, t] as const);
    const memory = new Float32Array(3 * network.memory);
    // what another episode left there does not count
    memory.fill(9);
    const alone = all.flatMap((step) => answers([step], { ...history, memory, recalls: true }));
    expect(answers(all)).toEqual(alone);
    // and so does every step by itself, computed anew
    const n = alone.length / 22;
    for (const t of [21, 8, 7, 4, 0]) expect(answers([[1, t]])).toEqual(alone.slice(t * n, t * n + n));
  });

  test('a memory that was computed anew in the middle of an episode is as good as one from its start', () => {
    const { history, network, answers } = setUp(changes);
    for (const begin of [3, 9, 12]) {
      const memory = new Float32Array(3 * network.memory).fill(9);
      answers([[1, begin]], { ...history, memory });
      const steps = [1, 2, 3, 4, 5, 6].map((k) => [1, begin + k] as const);
      const after = steps.flatMap((step) => answers([step], { ...history, memory, recalls: true }));
      expect(after).toEqual(answers(steps));
    }
  });
});

test.each([1, 3])(
  'with %i summaries kept, a step depends on all that came before and on nothing that comes after',
  (keep) => {
    const { history, answers } = setUp({ keep });
    const before = answers([[1, 17]]);
    const after = (t: number): number[] => {
      const at = (23 + t) * history.obsWords;
      history.obs[at]! ^= 21;
      const found = answers([[1, 17]]);
      history.obs[at]! ^= 21;
      return found;
    };
    for (const t of [18, 19]) expect(after(t), `step ${t}`).toEqual(before);
    for (const t of [17, 16, 15, 4, 0]) expect(after(t), `step ${t}`).not.toEqual(before);
  },
);

test('an episode shorter than a segment is read as GTrXL reads it: all of it', () => {
  const { shape, layout, history, theta, answers, n } = setUp({ segment: 25 });
  const { summary: _summary, keep: _keep, ...same } = shape;
  const other: GtrxlShape = { ...same, memory: 0 };
  const [from, to] = [offsetsOf(layout), gtrxlLayout(other)];
  const own = new Float32Array(to.size);
  for (const { name, offset, rows, cols } of to.tensors) {
    // biases of distances that only summaries have are left out
    const stride = name.startsWith('rel') ? distancesOf(shape) : cols;
    for (let r = 0; r < rows; r++)
      own.set(theta.subarray(from[name]! + r * stride, from[name]! + r * stride + cols), offset + r * cols);
  }
  const gtrxl = new GtrxlNetwork(other, to);
  for (const [row, t] of STEPS) gtrxl.read(history, row, t);
  gtrxl.forward(own, 0);
  expect([...gtrxl.logits.out.subarray(0, STEPS.length * n)]).toEqual(answers(STEPS));
});

test('many single steps are answered and learned from in turns: the same bits, and the sum of their gradients', () => {
  const { shape, layout, theta, network, n, answers } = setUp({}, 70, 30);
  const steps = Array.from({ length: 70 }, (_, row) => [row, 29 - (row % 7)] as const);
  const alone = steps.flatMap((step) => answers([step]));
  expect(answers(steps)).toEqual(alone);
  expect(steps.length).toBeGreaterThan(2 * slotsOf(shape));
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
  memoWeights(shape, { seed: 1, activeInputs: 9 }, a);
  memoWeights(shape, { seed: 2, activeInputs: 9 }, b);
  expect(a).not.toEqual(b);
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

test('the longest episode has room, and a longer one is refused', () => {
  const { answers, history } = setUp({ keep: 32 }, 1, MEMO_STEPS + 1);
  expect(answers([[0, MEMO_STEPS - 1]], history).every(Number.isFinite)).toBe(true);
  expect(() => answers([[0, MEMO_STEPS]], history)).toThrow('at most');
});
