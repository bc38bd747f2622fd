import { describe, expect, test } from 'vitest';
import type { History } from '../../contract/network.ts';
import { random, uniform } from '../../core/random.ts';
import { GruNetwork } from './gruNetwork.ts';
import { GRU_CHUNK, GRU_STEPS, gruLayout, gruWeights, type GruShape } from './shape.ts';

const u = (a: number, i: number): number => uniform(random(7, 99, a, 0, i)) * 2 - 1;

/** Episodes of random observations, and parameters away from their start. */
function setUp(changes: Partial<GruShape> = {}, rows = 3, T = 7) {
  const shape: GruShape = { features: 37, hidden: 5, unroll: 0, actions: 3, critic: true, ...changes };
  const layout = gruLayout(shape);
  const obsWords = Math.ceil(shape.features / 32);
  const obs = new Uint32Array(rows * (T + 1) * obsWords);
  for (let k = 0; k < rows * (T + 1); k++)
    for (let f = 0; f < shape.features; f++)
      if (u(2, k * 1000 + f) > 0.5) obs[k * obsWords + (f >> 5)]! |= 1 << (f & 31);
  const theta = Float32Array.from({ length: layout.size }, (_, k) => 0.6 * u(1, k));
  const history: History = { obs, written: new Uint32Array(0), T, obsWords };
  const network = new GruNetwork(shape, layout);
  const n = network.logits.stride;
  return { shape, layout, history, theta, network, n };
}

/** Steps of trajectories, as a minibatch reads them. */
const STEPS: readonly (readonly [row: number, t: number])[] = [
  ...[0, 1, 2, 3, 4, 5].map((t) => [1, t] as const),
  // a trajectory that an earlier chunk began, and a short one
  ...[3, 4, 5, 6].map((t) => [0, t] as const),
  [2, 0],
];

describe.each([1, 5, 16])('a memory of %d numbers', (hidden) => {
  test('the gradient of every parameter equals central differences, through all earlier steps', () => {
    const { layout, history, theta, network, n } = setUp({ hidden });
    const weights = Float32Array.from({ length: STEPS.length * n }, (_, k) => u(3, k));
    const loss = (parameters: Float32Array): number => {
      network.clear();
      for (const [row, t] of STEPS) network.read(history, row, t);
      network.forward(parameters, 0);
      return weights.reduce((sum, w, k) => sum + w * network.logits.out[k]!, 0);
    };
    loss(theta);
    network.logits.d.set(weights);
    const gradient = new Float32Array(layout.size);
    network.backward(theta, 0, gradient);
    for (const tensor of layout.tensors)
      for (let k = 0; k < tensor.rows * tensor.cols; k += 3) {
        const at = tensor.offset + k;
        const h = 2 ** -7;
        const moved = theta.slice();
        moved[at] = theta[at]! + h;
        const up = loss(moved);
        moved[at] = theta[at]! - h;
        const numeric = (up - loss(moved)) / (2 * h);
        // sums of about ten f32 outputs below 10 leave an error near 1e-6/2^-7; curvature adds h²/6·f'''
        expect(Math.abs(gradient[at]! - numeric), `${tensor.name}[${k}]`).toBeLessThan(3e-3 + 3e-3 * Math.abs(numeric));
      }
  });
});

test('an episode read step by step, with the memory at hand, gives the bits of one read at once', () => {
  const { history, theta, network, n } = setUp({ hidden: 9 });
  const memory = new Float32Array(3 * 9);
  const alone: number[] = [];
  for (let t = 0; t < 7; t++) {
    network.clear();
    network.read({ ...history, memory, recalls: true }, 1, t);
    network.forward(theta, 0);
    alone.push(...network.logits.out.subarray(0, n));
  }
  network.clear();
  for (let t = 0; t < 7; t++) network.read(history, 1, t);
  network.forward(theta, 0);
  expect([...network.logits.out.subarray(0, 7 * n)]).toEqual(alone);
  // and so does every step by itself, computed anew from the start of the episode
  network.clear();
  for (const t of [6, 2, 0]) network.read(history, 1, t);
  network.forward(theta, 0);
  const again = [6, 2, 0].flatMap((t) => alone.slice(t * n, (t + 1) * n));
  expect([...network.logits.out.subarray(0, 3 * n)]).toEqual(again);
});

test('what an episode showed earlier changes what is answered now, and what it shows later does not', () => {
  const { history, theta, network, n } = setUp();
  const answer = (): number[] => {
    network.clear();
    network.read(history, 1, 3);
    network.forward(theta, 0);
    return [...network.logits.out.subarray(0, n)];
  };
  const before = answer();
  const at = (t: number): number => (8 + t) * history.obsWords;
  history.obs[at(4)] ^= 5;
  expect(answer()).toEqual(before);
  history.obs[at(0)] ^= 5;
  expect(answer()).not.toEqual(before);
});

test('a cut gradient is that of a step whose memory is a constant', () => {
  const [t, unroll] = [4, 2];
  const cut = setUp({ unroll });
  const gradientAt = (recalls: boolean, step: number): Float32Array => {
    const { history, theta, network, layout, n } = cut;
    const memory = new Float32Array(3 * 5);
    network.clear();
    for (let k = 0; k < step; k++) network.read(history, 1, k);
    network.forward(theta, 0);
    // the memory before the step, as playing leaves it
    network.clear();
    network.read({ ...history, memory, recalls: false }, 1, step - 1);
    network.forward(theta, 0);
    network.clear();
    network.read(recalls ? { ...history, memory, recalls } : history, 1, step);
    network.forward(theta, 0);
    for (let k = 0; k < n; k++) network.logits.d[k] = u(4, k);
    const gradient = new Float32Array(layout.size);
    network.backward(theta, 0, gradient);
    return gradient;
  };
  const near = (a: Float32Array, b: Float32Array): number => Math.max(...a.map((x, k) => Math.abs(x - b[k]!)));
  expect(near(gradientAt(false, t), gradientAt(true, t))).toBeLessThan(1e-6);
  // one step later the gradient goes back once more
  expect(near(gradientAt(false, t + 1), gradientAt(true, t + 1))).toBeGreaterThan(1e-3);
});

test('many single steps of long episodes are answered in turns, to the same bits', () => {
  const { history, theta, network, n } = setUp({ hidden: 4 }, 40, 30);
  const answers: number[] = [];
  for (let row = 0; row < 40; row++) {
    network.clear();
    network.read(history, row, 30);
    network.forward(theta, 0);
    answers.push(...network.logits.out.subarray(0, n));
  }
  network.clear();
  for (let row = 0; row < 40; row++) network.read(history, row, 30);
  network.forward(theta, 0);
  expect([...network.logits.out.subarray(0, 40 * n)]).toEqual(answers);
});

test('the longest episode has room beside as much of the next one as a chunk takes, and a longer one has not', () => {
  const { history, theta, network, layout, n } = setUp({ hidden: 4 }, 2, GRU_STEPS + 2);
  const gradientOf = (last: number): Float32Array => {
    network.clear();
    network.read(history, 0, last);
    for (let t = 0; t < GRU_CHUNK - 1; t++) network.read(history, 1, t);
    network.forward(theta, 0);
    network.logits.d.fill(0).fill(1, 0, n);
    const gradient = new Float32Array(layout.size);
    network.backward(theta, 0, gradient);
    return gradient;
  };
  expect(gradientOf(GRU_STEPS - 1).every((x) => Number.isFinite(x))).toBe(true);
  expect(() => gradientOf(GRU_STEPS + 1)).toThrow();
});

test('a new network is a nearly uniform policy, seeds differ, and a single observation is the start of an episode', () => {
  const { shape, layout, history, network, n } = setUp();
  const [a, b] = [new Float32Array(layout.size), new Float32Array(layout.size)];
  gruWeights(shape, 1, 9, a);
  gruWeights(shape, 2, 9, b);
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
