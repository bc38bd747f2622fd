import { describe, expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { grammarOf, TOKEN } from './grammar.ts';
import { GATES, transformerLayout, transformerWeights, type TransformerShape } from './shape.ts';
import { Transformer } from './transformer.ts';

const u = (a: number, i: number): number => uniform(random(11, 98, a, i, 0));
const COMMANDS = [[5], [6], [7, 8], [7, 9], [10, 8, 11], [10, 9, 11]];

function shapeOf(over: Partial<TransformerShape> = {}, masked = true): TransformerShape {
  return {
    vocabulary: 13,
    observation: 8,
    history: 2,
    width: 8,
    heads: 2,
    layers: 2,
    hidden: 10,
    gate: 'none',
    gateBias: 2,
    tied: false,
    grammar: grammarOf(COMMANDS, 13, masked),
    actions: COMMANDS.length,
    critic: true,
    ...over,
  };
}

/** Three rows: nothing before, one command before, several; observations of different length, one with a hole. */
function fill(net: Transformer, shape: TransformerShape): void {
  const obs = new Uint32Array(3 * 2);
  const lengths = [3, 8, 5];
  for (let r = 0; r < 3; r++) {
    for (let k = 0; k < lengths[r]!; k++) {
      const token = r === 2 && k === 1 ? TOKEN.pad : 4 + Math.floor(u(1, 8 * r + k) * 9);
      obs[2 * r + (k >>> 2)]! |= token << (8 * (k & 3));
    }
  }
  const commands = Uint32Array.from([0, 1, 2, 3, 4], (k) => shape.grammar.commands[k + 1]!);
  net.seq.clear();
  net.seq.add(obs, 0, commands, 0, 0);
  net.seq.add(obs, 2, commands, 0, 1);
  net.seq.add(obs, 4, commands, 0, 5);
}

/** `noise`: how far weights are moved away from those that a network starts with. */
function lossAnd(shape: TransformerShape, noise = 0.3) {
  const layout = transformerLayout(shape);
  const theta = new Float32Array(layout.size);
  transformerWeights(shape, 3, theta);
  for (let k = 0; k < theta.length; k++) theta[k]! += noise * (u(2, k) - 0.5); // biases and head away from their start
  const net = new Transformer(shape, layout, 3);
  fill(net, shape);
  const C = shape.grammar.slots.length;
  const weights = Float32Array.from({ length: 3 * C + net.value.length }, (_, k) => u(3, k) - (k < 3 * C ? 0.5 : 0));
  const loss = (parameters: Float32Array): number => {
    net.forward(parameters, 0);
    let total = 0;
    for (let k = 0; k < 3 * C; k++) total += weights[k]! * net.logits[k]!;
    net.value.forEach((V, r) => (total += weights[3 * C + r]! * V));
    return total;
  };
  return { layout, theta, net, C, weights, loss };
}

/** What rounding does to a finite difference at most: sums of size ~5 in f32 err by ~1e-6, divided by the step. */
const ROUNDING = 3e-3;

describe('the gradient of the whole network equals finite differences, and no tensor of it hides in rounding', () => {
  const shapes: [string, TransformerShape][] = [
    ...GATES.map((gate): [string, TransformerShape] => [`gate ${gate}`, shapeOf({ gate })]),
    ['tied head, no grammar mask', shapeOf({ tied: true }, false)],
    ['one layer, one head, no history, no critic', shapeOf({ layers: 1, heads: 1, history: 0, critic: false })],
    ['two values', shapeOf({ layers: 1, values: 2 })],
  ];
  test.each(shapes)('%s', (_name, shape) => {
    // weights so large that the gradient of every tensor stands far above what rounding may hide
    const { layout, theta, net, C, weights, loss } = lossAnd({ ...shape, gateBias: 1 }, 1.6);
    loss(theta);
    net.dLogits.set(weights.subarray(0, 3 * C));
    net.dValue.set(weights.subarray(3 * C, 3 * C + net.value.length));
    const gradient = new Float32Array(layout.size);
    net.backward(theta, 0, gradient);
    let checked = 0;
    for (const tensor of layout.tensors) {
      const n = tensor.rows * tensor.cols;
      let largest = 0;
      for (let k = 0; k < n; k += Math.max(1, Math.floor(n / 23))) {
        const at = tensor.offset + k;
        const difference = (h: number): number => {
          const moved = theta.slice();
          moved[at] = theta[at]! + h;
          const up = loss(moved);
          moved[at] = theta[at]! - h;
          return (up - loss(moved)) / (2 * h);
        };
        // a wide step crosses kinks of ReLU, a narrow one does not
        const differences = [2 ** -7, 2 ** -9, 2 ** -11].map(difference);
        const errors = differences.map((d) => Math.abs(gradient[at]! - d));
        const most = ROUNDING + 1e-2 * Math.abs(gradient[at]!);
        expect(Math.min(...errors), `${tensor.name}[${k}]`).toBeLessThan(most);
        largest = Math.max(largest, Math.min(...differences.map(Math.abs)));
        checked++;
      }
      // a gradient that were 0 would fail above
      expect(largest, `the gradient of ${tensor.name}`).toBeGreaterThan(10 * ROUNDING);
    }
    expect(checked).toBeGreaterThan(200);
  });
});

test('rows do not see each other: a row alone gives the same bits as in a chunk', () => {
  const shape = shapeOf({ gate: 'gru' });
  const { theta, net, C, loss } = lossAnd(shape);
  loss(theta);
  const together = net.logits.slice(2 * C, 3 * C);
  const obs = new Uint32Array(2);
  for (let k = 0; k < 5; k++) {
    if (k !== 1) obs[k >>> 2]! |= (4 + Math.floor(u(1, 16 + k) * 9)) << (8 * (k & 3));
  }
  net.seq.clear();
  const commands = Uint32Array.from([0, 1, 2, 3, 4], (k) => shape.grammar.commands[k + 1]!);
  net.seq.add(obs, 0, commands, 0, 5);
  net.forward(theta, 0);
  expect([...net.logits.slice(0, C)]).toEqual([...together]);
});

test('a prefix does not see the other branches: logits are those of writing word by word', () => {
  const shape = shapeOf();
  const { theta, net, C, loss } = lossAnd(shape);
  loss(theta);
  const all = net.logits.slice(0, 3 * C);
  // the same network with a grammar that has only one of the branches
  const only = {
    ...shape,
    grammar: grammarOf(
      [
        [7, 8],
        [7, 9],
        [10, 9, 11],
      ],
      13,
      true,
    ),
  };
  const small = new Transformer(only, transformerLayout(shape), 3);
  fill(small, { ...shape });
  small.forward(theta, 0);
  const c = only.grammar.slots.length;
  const branch = shape.grammar.slots.findIndex((s) => s.token === 8 && shape.grammar.prefixes[s.node]!.token === 7);
  const same = only.grammar.slots.findIndex((s) => s.token === 8);
  for (let r = 0; r < 3; r++) expect(small.logits[r * c + same]).toBeCloseTo(all[r * C + branch]!, 5);
});

test('with the GRU gate a fresh network passes the stream on: factor 1 − σ(−b) per gate', () => {
  const shape = shapeOf({ gate: 'gru', gateBias: 6, layers: 1, width: 8 });
  const { net } = lossAnd(shape);
  const layout = transformerLayout(shape);
  const theta = new Float32Array(layout.size);
  transformerWeights(shape, 5, theta);
  fill(net, shape);
  net.forward(theta, 0);
  const gated = net.logits.slice();
  // the same without any layer: final norm is blind to the common factor, so logits agree closely
  const plain = theta.slice();
  for (const t of layout.tensors) if (/^g[12]b/.test(t.name)) plain.fill(60, t.offset, t.offset + t.cols);
  net.forward(plain, 0);
  const size = Math.max(...gated.map(Math.abs));
  gated.forEach((x, k) => expect(Math.abs(x - net.logits[k]!)).toBeLessThan(0.05 * size + 1e-6));
});

describe('grammar', () => {
  test('with the mask only real choices are decisions; without it every word of every prefix can be written', () => {
    const masked = grammarOf(COMMANDS, 13, true);
    expect(masked.prefixes.map((p) => [p.token, p.depth, p.count])).toEqual([
      [TOKEN.begin, 0, 4],
      [7, 1, 2],
      [10, 1, 2],
    ]);
    expect(masked.decisions).toBe(2);
    expect(masked.slots.filter((s) => s.action >= 0).map((s) => s.action)).toEqual([0, 1, 2, 3, 4, 5]);
    const free = grammarOf(COMMANDS, 13, false);
    expect(free.prefixes).toHaveLength(1 + 2 + 1 + 2 + 1 + 2 + 2);
    expect(free.slots).toHaveLength(free.prefixes.length * 12);
    expect(free.decisions).toBe(4);
    expect(free.slots.filter((s) => s.action >= 0)).toHaveLength(6);
    expect([...free.commands.slice(0, 3)]).toEqual([5 | (3 << 8), 6 | (3 << 8), 7 | (8 << 8) | (3 << 16)]);
  });
  test('a single action is certain', () => {
    const one = grammarOf([[5]], 13, true);
    expect(one.slots).toHaveLength(1);
    expect(one.slots[0]!.action).toBe(0);
  });
});
