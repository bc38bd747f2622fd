import { expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { layoutOf, outputs, type NetworkShape } from './shape.ts';
import { DenseNetwork } from './denseNetwork.ts';

const u = (a: number, i: number): number => uniform(random(5, 99, a, 0, i)) * 2 - 1;

function setUp(shape: NetworkShape, rows: number) {
  const layout = layoutOf(shape);
  const words = Math.ceil(shape.features / 32);
  const theta = Float32Array.from({ length: layout.size }, (_, i) => u(1, i) * 0.7);
  const bits = new Uint32Array(rows * words);
  for (let r = 0; r < rows; r++) {
    for (let f = 0; f < shape.features; f++) if (u(2, r * 1000 + f) > 0.4) bits[r * words + (f >> 5)]! |= 1 << (f & 31);
  }
  const network = new DenseNetwork(shape, layout);
  const history = { obs: bits, written: new Uint32Array(0), T: 0, obsWords: words };
  for (let r = 0; r < rows; r++) network.read(history, r, 0);
  const { out, d } = network.logits;
  const weights = Float32Array.from({ length: rows * outputs(shape) }, (_, i) => u(3, i));
  const loss = (parameters: Float32Array): number => {
    network.forward(parameters, 0);
    let total = 0;
    for (let i = 0; i < weights.length; i++) total += weights[i]! * out[i]!;
    return total;
  };
  return { layout, theta, history, network, out, d, weights, loss };
}

const base = { features: 37, actions: 4, critic: true, bias: true } as const;
const shapes: NetworkShape[] = [
  { ...base, hidden: [9], activation: 'tanh' },
  { ...base, hidden: [7, 5], activation: 'gelu' },
  { ...base, hidden: [6, 5, 3], activation: 'relu' },
  { ...base, hidden: [], activation: 'tanh', bias: false, critic: false },
];

test.each(shapes)('the gradient of the whole network equals finite differences: $hidden $activation', (shape) => {
  const rows = 11; // two blocks of four and a rest of three
  const { layout, theta, network, d, weights, loss } = setUp(shape, rows);
  loss(theta);
  d.set(weights);
  const gradient = new Float32Array(layout.size);
  network.backward(theta, 0, gradient);
  for (const tensor of layout.tensors) {
    for (let k = 0; k < tensor.rows * tensor.cols; k += 3) {
      const at = tensor.offset + k;
      const h = 2 ** -7;
      const moved = theta.slice();
      moved[at] = theta[at]! + h;
      const up = loss(moved);
      moved[at] = theta[at]! - h;
      const numeric = (up - loss(moved)) / (2 * h);
      // f32 outputs of size ~5 give differences with an error near 5·6e-8/2^-7; curvature adds h²/6·f'''
      expect(Math.abs(gradient[at]! - numeric), `${tensor.name}[${k}]`).toBeLessThan(2e-3 + 2e-3 * Math.abs(numeric));
    }
  }
});

test('a row gives the same bits alone and in any block', () => {
  const shape: NetworkShape = { ...base, hidden: [16, 8], activation: 'tanh' };
  const { theta, history, network, out } = setUp(shape, 9);
  network.forward(theta, 0);
  const together = out.slice(0, 9 * 5);
  for (let r = 0; r < 9; r++) {
    network.clear();
    network.read(history, r, 0);
    network.forward(theta, 0);
    expect([...out.slice(0, 5)]).toEqual([...together.slice(r * 5, r * 5 + 5)]);
  }
});

test('weights of a new network: a nearly uniform policy, different seeds differ, padding is 0', async () => {
  const { initialWeights } = await import('./shape.ts');
  const shape: NetworkShape = { ...base, hidden: [33], activation: 'tanh' };
  const layout = layoutOf(shape);
  const a = new Float32Array(layout.size);
  const b = new Float32Array(layout.size);
  initialWeights(shape, 1, 9, a);
  initialWeights(shape, 2, 9, b);
  expect(a).not.toEqual(b);
  const used = new Set<number>();
  for (const t of layout.tensors) for (let k = 0; k < t.rows * t.cols; k++) used.add(t.offset + k);
  for (let k = 0; k < layout.size; k++) if (!used.has(k)) expect(a[k]).toBe(0);
});
