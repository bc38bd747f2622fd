import { blockUntilReady, defaultDevice, jit, lax, nn, numpy as np, tree, valueAndGrad } from '@jax-js/jax';
import { convTensors, type ConvStep } from '../convProblem.ts';
import { ADAM, CHECK_STEPS, joined } from '../problem.ts';
import type { Contender } from '../types.ts';
import { adamOf, startJax, type JaxDevice } from './jax.ts';

/** How a convolution is written: the operation of the library, or nine shifted copies side by side and one product. */
export type JaxForm = 'conv' | 'product';

type State = { p: np.Array[]; m: np.Array[]; v: np.Array[] };

/** relu(X ∗ W + b) with X [rows, depth, height, width] and W [C, depth, 3, 3] */
function whole(X: np.Array, W: np.Array, b: np.Array): np.Array {
  const sums = lax.conv(X, W, [1, 1], 'SAME');
  return nn.relu(sums.add(b.reshape([1, b.shape[0]!, 1, 1])));
}

/** The same with X [rows, height, width, depth] and W [9·depth, C] */
function shifted(X: np.Array, W: np.Array, b: np.Array): np.Array {
  const [rows, height, width, depth] = X.shape as [number, number, number, number];
  const C = W.shape[1]!;
  const padded = np.pad(X, [
    [0, 0],
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
  const parts = Array.from({ length: 9 }, (_, d) => {
    const [y, x] = [Math.floor(d / 3), d % 3];
    return padded.ref.slice([], [y, y + height], [x, x + width], []);
  });
  padded.dispose();
  const around = np.concatenate(parts, 3).reshape([rows * height * width, 9 * depth]);
  return nn.relu(np.matmul(around, W).add(b)).reshape([rows, height, width, C]);
}

/** `values` [a, b] transposed. */
function transposed(values: Float32Array, a: number, b: number): Float32Array {
  return Float32Array.from({ length: a * b }, (_, k) => values[(k % a) * b + Math.floor(k / a)]!);
}

/** Tensors of everyone as this form keeps them, and back: the library wants channels before cells. */
function layouts({ shape, X, rows }: ConvStep, form: JaxForm) {
  const { board, layers, channels: C, hidden } = shape;
  const { height, width, planes } = board;
  const cells = height * width;
  const depth = (k: number): number => (k === 0 ? planes : C);
  const isConv = form === 'conv';
  const convolutions = Array.from({ length: layers }, (_, k) => [
    isConv ? [C, depth(k), 3, 3] : [9 * depth(k), C],
    [C],
  ]);
  const sizes = [...convolutions.flat(), [cells * C, hidden], [hidden], [hidden, shape.actions], [shape.actions]];
  const isFilter = (k: number): boolean => isConv && k < 2 * layers && k % 2 === 0;
  const blocks = (values: Float32Array, count: number, turn: (block: Float32Array) => Float32Array): Float32Array => {
    const size = values.length / count;
    const out = new Float32Array(values.length);
    for (let r = 0; r < count; r++) out.set(turn(values.subarray(r * size, (r + 1) * size)), r * size);
    return out;
  };
  /** [cells, C, hidden] ↔ [C, cells, hidden] */
  const swapped = (values: Float32Array, a: number, b: number): Float32Array => {
    const out = new Float32Array(values.length);
    for (let x = 0; x < a; x++)
      for (let y = 0; y < b; y++)
        out.set(values.subarray((x * b + y) * hidden, (x * b + y + 1) * hidden), (y * a + x) * hidden);
    return out;
  };
  return {
    sizes,
    X: isConv ? blocks(X, rows, (board_) => transposed(board_, cells, planes)) : X,
    xShape: isConv ? [rows, planes, height, width] : [rows, height, width, planes],
    // [9, depth, C] → [C, depth, 9]: as [9·depth, C] transposed, and each [9, depth] block transposed
    to(values: Float32Array, k: number): Float32Array {
      if (isFilter(k))
        return blocks(transposed(values, values.length / C, C), C, (part) => transposed(part, 9, depth(k / 2)));
      return isConv && k === 2 * layers ? swapped(values, cells, C) : values;
    },
    from(values: Float32Array, k: number): Float32Array {
      if (isFilter(k))
        return transposed(
          blocks(values, C, (part) => transposed(part, depth(k / 2), 9)),
          C,
          values.length / C,
        );
      return isConv && k === 2 * layers ? swapped(values, C, cells) : values;
    },
  };
}

/** The step as one jitted function: loss, gradients and Adam; the old state is consumed by the call. */
export async function jaxConvStep(device: JaxDevice, problem: ConvStep, form: JaxForm): Promise<Contender> {
  await startJax(device);
  const { rows, shape } = problem;
  const { layers, actions } = shape;
  const layout = layouts(problem, form);
  const array = (values: Float32Array, size: number[]): np.Array =>
    np.array(values as Float32Array<ArrayBuffer>, { shape: size, device });
  const x = array(layout.X, layout.xShape);
  const labels = nn.oneHot(np.array(Int32Array.from(problem.labels), { device }), actions);
  const convolution = form === 'conv' ? whole : shifted;
  const loss = (p: np.Array[], X: np.Array, Y: np.Array): np.Array => {
    let map = X;
    for (let k = 0; k < layers; k++) map = convolution(map, p[2 * k]!, p[2 * k + 1]!);
    const [D, d, V, v] = p.slice(2 * layers) as [np.Array, np.Array, np.Array, np.Array];
    const h = nn.relu(np.matmul(map.reshape([rows, -1]), D).add(d));
    const logits = np.matmul(h, V).add(v);
    return nn
      .logSoftmax(logits)
      .mul(Y)
      .sum()
      .mul(-1 / rows);
  };
  const update = jit((state: State, X: np.Array, Y: np.Array, c1: np.Array, c2: np.Array): [State, np.Array] => {
    const [L, g] = valueAndGrad(loss)(tree.ref(state.p), X, Y);
    const gradients = g as np.Array[];
    const next = state.p.map((p, k) =>
      adamOf({ p, m: state.m[k]!, v: state.v[k]! }, gradients[k]!, ADAM.learningRate, c1, c2),
    );
    c1.dispose();
    c2.dispose();
    return [{ p: next.map((n) => n.p), m: next.map((n) => n.m), v: next.map((n) => n.v) }, L];
  });
  const tensors = convTensors(problem);
  const zeros = (): np.Array[] => tensors.map((values, k) => array(new Float32Array(values.length), layout.sizes[k]!));
  let state: State = {
    p: tensors.map((values, k) => array(layout.to(values, k), layout.sizes[k]!)),
    ...{ m: zeros(), v: zeros() },
  };
  let steps = 0;
  const step = (): void => {
    steps++;
    const scale = (beta: number): np.Array => np.array(Float32Array.of(1 - beta ** steps), { shape: [], device });
    const [next, L] = update(state, x.ref, labels.ref, scale(ADAM.beta1), scale(ADAM.beta2)) as [State, np.Array];
    state = next;
    L.dispose();
  };
  return {
    name: `jax-js ${device}${form === 'product' ? ', as a product' : ''}`,
    async run(times) {
      defaultDevice(device);
      for (let j = 0; j < times; j++) step();
      await blockUntilReady(state);
    },
    async check() {
      for (let j = 0; j < CHECK_STEPS; j++) step();
      const all = await Promise.all(state.p.map((p) => p.ref.data() as Promise<Float32Array>));
      return joined(all.map((values, k) => layout.from(values, k)));
    },
    dispose() {
      tree.dispose(state);
      x.dispose();
      labels.dispose();
      update.dispose();
    },
  };
}
