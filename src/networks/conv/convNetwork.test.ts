import { describe, expect, test } from 'vitest';
import type { History } from '../../contract/network.ts';
import { random, uniform } from '../../core/random.ts';
import { switchSimd } from '../../wasm/simd.ts';
import { ConvNetwork } from './convNetwork.ts';
import { convLayout, convRows, convWeights, type ConvShape } from './shape.ts';

const u = (a: number, i: number): number => uniform(random(11, 99, a, 0, i)) * 2 - 1;

type Sizes = readonly [planes: number, height: number, width: number, rest: number];

/** Observations, half of whose bits are on, and parameters away from their start. */
function setUp([planes, height, width, rest]: Sizes, changes: Partial<ConvShape> = {}, rows = 7) {
  const features = planes * height * width + rest;
  const shape: ConvShape = {
    ...{ features, board: { planes, height, width }, layers: 2, channels: 5, skip: false, hidden: 6 },
    ...{ actions: 3, critic: true, ...changes },
  };
  const layout = convLayout(shape);
  const obsWords = Math.ceil(features / 32);
  const obs = new Uint32Array(rows * obsWords);
  for (let r = 0; r < rows; r++)
    for (let f = 0; f < features; f++) if (u(2, r * 1000 + f) > 0) obs[r * obsWords + (f >> 5)]! |= 1 << (f & 31);
  const theta = Float32Array.from({ length: layout.size }, (_, k) => 0.4 * u(1, k));
  const history: History = { obs, written: new Uint32Array(0), T: 0, obsWords };
  return { shape, layout, history, theta, rows };
}

/** The formula over one observation, cell by cell in doubles. */
function byHand(
  { shape, layout, history, theta: own }: ReturnType<typeof setUp>,
  row: number,
  theta: ArrayLike<number> = own,
): number[] {
  const { board, channels: C, layers, skip, hidden, features } = shape;
  const { planes, height, width } = board;
  const at = (name: string): number => layout.tensors.find((tensor) => tensor.name === name)!.offset;
  const bit = (f: number): number => (history.obs[row * history.obsWords + (f >> 5)]! >>> (f & 31)) & 1;
  const cells = height * width;
  let depth = planes;
  let h = Array.from({ length: cells * planes }, (_, i) => bit((i % planes) * cells + Math.floor(i / planes)));
  for (let k = 1; k <= layers; k++) {
    const [W, b] = [at(`W${k}`), at(`b${k}`)];
    const next: number[] = [];
    for (let cell = 0; cell < cells; cell++)
      for (let c = 0; c < C; c++) {
        const [y, x] = [Math.floor(cell / width), cell % width];
        let total = theta[b + c]! + (skip && k > 1 ? h[cell * depth + c]! : 0);
        for (let dy = -1; dy <= 1; dy++)
          for (let dx = -1; dx <= 1; dx++) {
            if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width) continue;
            const [from, d] = [(cell + dy * width + dx) * depth, (dy + 1) * 3 + dx + 1];
            for (let p = 0; p < depth; p++) total += h[from + p]! * theta[W + (d * depth + p) * C + c]!;
          }
        next.push(Math.max(0, total));
      }
    h = next;
    depth = C;
  }
  const flat = [...h];
  for (let f = planes * cells; f < features; f++) flat.push(bit(f));
  const dense = (X: readonly number[], weight: string, bias: string, out: number): number[] =>
    Array.from({ length: out }, (_, j) => {
      const W = at(weight) + j;
      return X.reduce((sum, x, i) => sum + x * theta[W + i * out]!, theta[at(bias) + j]!);
    });
  const sum = dense(flat, 'D', 'd', hidden).map((z) => Math.max(0, z));
  return dense(sum, 'V', 'v', shape.actions + (shape.critic ? (shape.values ?? 1) : 0));
}

const SHAPES: readonly (readonly [string, Sizes, Partial<ConvShape>])[] = [
  ['one cell', [3, 1, 1, 0], {}],
  ['a corridor', [2, 1, 7, 3], { skip: true }],
  ['a tall board of many planes', [19, 5, 2, 4], { layers: 3, channels: 3, skip: true }],
  ['one layer, and words that end in the board', [4, 3, 5, 9], { layers: 1, channels: 4, values: 2 }],
  ['no critic', [4, 4, 3, 0], { channels: 8, critic: false }],
];

describe.each(SHAPES)('%s', (_name, sizes, changes) => {
  test('the answers are those of the formula', () => {
    const setup = setUp(sizes, changes);
    const { shape, layout, history, theta, rows } = setup;
    const network = new ConvNetwork(shape, layout);
    for (let r = 0; r < rows; r++) network.read(history, r, 0);
    network.forward(theta, 0);
    const { out, stride } = network.logits;
    for (let r = 0; r < rows; r++)
      byHand(setup, r).forEach((want, j) => expect(Math.abs(out[r * stride + j]! - want)).toBeLessThan(2e-5));
  });

  test('the gradient of every parameter equals central differences of the formula', () => {
    const setup = setUp(sizes, changes, 3);
    const { shape, layout, history, theta, rows } = setup;
    const network = new ConvNetwork(shape, layout);
    for (let r = 0; r < rows; r++) network.read(history, r, 0);
    network.forward(theta, 0);
    const { d, stride } = network.logits;
    const weights = Float32Array.from({ length: rows * stride }, (_, k) => u(3, k));
    d.set(weights);
    const gradient = new Float32Array(layout.size);
    network.backward(theta, 0, gradient);
    const moved = Float64Array.from(theta);
    const loss = (): number => {
      const answers = Array.from({ length: rows }, (_, r) => byHand(setup, r, moved)).flat();
      return answers.reduce((sum, y, k) => sum + y * weights[k]!, 0);
    };
    for (const tensor of layout.tensors)
      for (let k = 0; k < tensor.rows * tensor.cols; k++) {
        const at = tensor.offset + k;
        // in doubles a step can be so small that none crosses the corner of a ReLU
        const h = 1e-7;
        moved[at] = theta[at]! + h;
        const up = loss();
        moved[at] = theta[at]! - h;
        const numeric = (up - loss()) / (2 * h);
        moved[at] = theta[at]!;
        // f32 sums of some hundred terms below 1
        expect(Math.abs(gradient[at]! - numeric), `${tensor.name}[${k}]`).toBeLessThan(2e-5 + 2e-5 * Math.abs(numeric));
      }
  });

  test('a row gives the same bits alone and in any block, with SIMD and without', () => {
    const { shape, layout, history, theta, rows } = setUp(sizes, changes);
    const answers = (block: number): number[] => {
      const network = new ConvNetwork(shape, layout);
      const all: number[] = [];
      for (let r = 0; r < rows; r += block) {
        const end = Math.min(rows, r + block);
        network.clear();
        for (let k = r; k < end; k++) network.read(history, k, 0);
        network.forward(theta, 0);
        all.push(...network.logits.out.subarray(0, (end - r) * network.logits.stride));
      }
      return all;
    };
    const together = answers(rows);
    expect(answers(1)).toEqual(together);
    expect(answers(3)).toEqual(together);
    try {
      switchSimd(false);
      expect(answers(rows)).toEqual(together);
    } finally {
      switchSimd(true);
    }
  });
});

test('with and without SIMD the gradient has the same bits', () => {
  const { shape, layout, history, theta, rows } = setUp([4, 5, 6, 3], { skip: true, layers: 3, channels: 8 });
  const gradientOf = (): Float32Array => {
    const network = new ConvNetwork(shape, layout);
    for (let r = 0; r < rows; r++) network.read(history, r, 0);
    network.forward(theta, 0);
    for (let k = 0; k < rows * network.logits.stride; k++) network.logits.d[k] = u(4, k);
    const gradient = new Float32Array(layout.size);
    network.backward(theta, 0, gradient);
    expect(network.kernels.isFast).toBe(isFast);
    return gradient;
  };
  let isFast = true;
  const fast = gradientOf();
  try {
    switchSimd((isFast = false));
    expect([...gradientOf()]).toEqual([...fast]);
  } finally {
    switchSimd(true);
  }
});

test('what moves on the board moves in the map of the last layer, away from the border', () => {
  const { shape, layout, theta } = setUp([2, 9, 9, 0], { critic: false });
  const network = new ConvNetwork(shape, layout);
  const obs = new Uint32Array(2 * 6);
  const set = (row: number, plane: number, y: number, x: number): void => {
    const f = plane * 81 + y * 9 + x;
    obs[row * 6 + (f >> 5)]! |= 1 << (f & 31);
  };
  for (const [row, by] of [0, 2].entries()) {
    set(row, 0, 3, 2 + by);
    set(row, 1, 4, 3 + by);
  }
  for (let r = 0; r < 2; r++) network.read({ obs, written: new Uint32Array(0), T: 0, obsWords: 6 }, r, 0);
  network.forward(theta, 0);
  const map = network.mapOf(1);
  const cell = (row: number, y: number, x: number): number[] => [
    ...map.subarray((row * 81 + y * 9 + x) * 5, (row * 81 + y * 9 + x + 1) * 5),
  ];
  for (let y = 2; y < 6; y++) for (let x = 1; x < 5; x++) expect(cell(1, y, x + 2)).toEqual(cell(0, y, x));
  expect(cell(0, 3, 3)).not.toEqual(cell(0, 3, 5));
});

test('a new network is a nearly uniform policy, and seeds differ; boards are never split', () => {
  const { shape, layout, history } = setUp([4, 7, 7, 0]);
  const [a, b] = [new Float32Array(layout.size), new Float32Array(layout.size)];
  convWeights(shape, 1, 40, a);
  convWeights(shape, 2, 40, b);
  expect(a).not.toEqual(b);
  const network = new ConvNetwork(shape, layout);
  network.read(history, 0, 0);
  network.forward(a, 0);
  expect(Math.max(...network.logits.out.subarray(0, 3).map(Math.abs))).toBeLessThan(0.1);
  expect(convRows({ ...shape, board: { planes: 4, height: 63, width: 63 } })).toBe(1);
});
