import { describe, expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { DenseNetwork } from '../dense/denseNetwork.ts';
import { makeResidual } from './residualNetwork.ts';
import { baseOf, deltaOf, residualLayout, residualWeights, type ResidualShape } from './shape.ts';

const u = (a: number, i: number): number => uniform(random(5, 99, a, 0, i)) * 2 - 1;
const ROWS = 11;

function setUp(shape: ResidualShape, scale = 0.7) {
  const layout = residualLayout(shape);
  const words = Math.ceil(shape.features / 32);
  const theta = Float32Array.from({ length: layout.size }, (_, i) => u(1, i) * scale);
  const bits = new Uint32Array(ROWS * words);
  for (let r = 0; r < ROWS; r++)
    for (let f = 0; f < shape.features; f++) if (u(2, r * 1000 + f) > 0.4) bits[r * words + (f >> 5)]! |= 1 << (f & 31);
  const history = { obs: bits, written: new Uint32Array(0), T: 0, obsWords: words };
  const network = makeResidual({ shape, layout }, 0);
  for (let r = 0; r < ROWS; r++) network.read(history, r, 0);
  /** Logits of the base by itself, [ROWS, actions]. */
  const baseLogits = (): Float32Array => {
    const { shape: own, layout: laid } = baseOf(shape);
    const base = new DenseNetwork(own, laid);
    for (let r = 0; r < ROWS; r++) base.read(history, r, 0);
    base.forward(theta, 0);
    return base.logits.out.slice(0, ROWS * shape.actions);
  };
  return { layout, theta, history, network, baseLogits };
}

const base = { features: 37, actions: 4, critic: true, bound: 3 } as const;
const shapes: readonly ResidualShape[] = [
  { ...base, hidden: [9], activation: 'tanh' },
  { ...base, hidden: [7, 5], activation: 'gelu', values: 2, bound: 0.5 },
  { ...base, hidden: [6, 5, 3], activation: 'relu', critic: false, actions: 3 },
];

describe.each(shapes)('hidden $hidden, $activation, c = $bound', (shape) => {
  const { actions } = shape;
  const stride = deltaOf(shape).layout.widths.at(-1)!;

  test('the gradient of every tensor equals finite differences with the base held, and that of the base is 0', () => {
    const { layout, theta, network } = setUp(shape);
    const { out, d } = network.logits;
    const weights = Float32Array.from({ length: ROWS * stride }, (_, i) => u(3, i));
    const loss = (parameters: Float32Array): number => {
      network.forward(parameters, 0);
      return weights.reduce((sum, w, i) => sum + w * out[i]!, 0);
    };
    loss(theta);
    d.set(weights);
    const gradient = new Float32Array(layout.size);
    network.backward(theta, 0, gradient);
    for (const { name, offset, rows, cols } of layout.tensors) {
      const own = gradient.subarray(offset, offset + rows * cols);
      if (name.startsWith('base')) {
        expect(
          own.every((x) => x === 0),
          name,
        ).toBe(true);
        continue;
      }
      let [wrong, size] = [0, 0];
      for (let k = offset; k < offset + rows * cols; k++) {
        const [up, down] = [theta.slice(), theta.slice()];
        up[k]! += 4e-3;
        down[k]! -= 4e-3;
        const slope = (loss(up) - loss(down)) / (up[k]! - down[k]!);
        wrong += (slope - gradient[k]!) ** 2;
        size += slope ** 2;
      }
      expect(size, name).toBeGreaterThan(0);
      expect(Math.sqrt(wrong / size), name).toBeLessThan(shape.activation === 'relu' ? 0.03 : 0.005);
    }
  });

  test('no logit moves by more than c, and none at the start', () => {
    const { network, theta, baseLogits, layout } = setUp(shape, 40);
    const first = baseLogits();
    network.forward(theta, 0);
    const shift = (): number[] =>
      Array.from(first, (x, k) => network.logits.out[Math.floor(k / actions) * stride + (k % actions)]! - x);
    expect(Math.max(...shift().map(Math.abs))).toBeLessThanOrEqual(shape.bound * (1 + 1e-4));
    expect(Math.max(...shift().map(Math.abs))).toBeGreaterThan(shape.bound * 0.9);
    const start = theta.slice();
    residualWeights(shape, { seed: 3, activeInputs: 10 }, start, 0);
    start.set(theta.subarray(0, layout.deltaAt));
    network.forward(start, 0);
    expect(shift().every((x) => x === 0)).toBe(true);
  });
});

test('a bound far above Δ adds Δ itself', () => {
  const shape = { ...shapes[0]!, bound: 1e4 };
  const { network, theta, history, baseLogits, layout } = setUp(shape);
  const { shape: own, layout: laid } = deltaOf(shape);
  const delta = new DenseNetwork(own, laid);
  for (let r = 0; r < ROWS; r++) delta.read(history, r, 0);
  network.forward(theta, 0);
  delta.forward(theta, layout.deltaAt);
  baseLogits().forEach((x, k) => {
    const at = Math.floor(k / 4) * 5 + (k % 4);
    expect(network.logits.out[at]! - x).toBeCloseTo(delta.logits.out[at]!, 3);
  });
});
