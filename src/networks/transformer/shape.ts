import { gaussian } from '../../core/fmath.ts';
import { PURPOSE, randomPair, uniform } from '../../core/random.ts';
import { layTensors, valuesOf, type Layout, type Tensor } from '../layout.ts';
import type { Grammar } from './grammar.ts';

/** How a sub-layer's output joins the stream; `none` is the plain sum of a pre-norm transformer. */
export const GATES = ['none', 'gru', 'output', 'input', 'highway', 'sigtanh'] as const;
export type Gate = (typeof GATES)[number];

/** Widths and gates of a layer. */
export type LayerShape = {
  readonly width: number;
  readonly heads: number;
  /** width of the hidden layer of the feed-forward part */
  readonly hidden: number;
  readonly gate: Gate;
};

/** A decoder transformer that reads an observation and the last commands, and writes a command word by word. */
export type TransformerShape = LayerShape & {
  /** words of the language */
  readonly vocabulary: number;
  /** longest observation in tokens */
  readonly observation: number;
  /** commands of the past that are read */
  readonly history: number;
  readonly layers: number;
  /** b of the gates: the larger, the nearer to the identity at the start */
  readonly gateBias: number;
  /** true: the words are written with the vectors they are read with */
  readonly tied: boolean;
  readonly grammar: Grammar;
  readonly actions: number;
  readonly critic: boolean;
  /** values beside each other where there is a critic; 1 if not said */
  readonly values?: 1 | 2;
};

/** Slots of the context: the last commands, oldest first, then the observation; then one place per depth of a prefix. */
export function positionsOf(shape: TransformerShape): number {
  return shape.history * shape.grammar.length + shape.observation + shape.grammar.length;
}
/** Most tokens of one sequence: context and all prefixes. */
export function longestOf(shape: TransformerShape): number {
  return shape.history * shape.grammar.length + shape.observation + shape.grammar.prefixes.length;
}

/** Matrices of a gate by name as [from, to] widths in units of D; `x` reads the stream, `y` the sub-layer. */
const GATE_TENSORS: Readonly<Record<Gate, readonly (readonly [name: string, columns: number])[]>> = {
  none: [],
  // y → (r, z, h), x → (r, z), r⊙x → h
  gru: [
    ['Wy', 3],
    ['Ux', 2],
    ['Ug', 1],
  ],
  output: [['Wx', 1]],
  input: [['Wx', 1]],
  highway: [['Wx', 1]],
  sigtanh: [
    ['Wy', 1],
    ['Uy', 1],
  ],
};
const HAS_BIAS: readonly Gate[] = ['gru', 'output', 'highway', 'sigtanh'];

type Laid = Omit<Tensor, 'offset'>;

/** Tensors of layer l with a bias for each of `distances` distances. */
export function layerTensors({ width: D, hidden: F, heads, gate }: LayerShape, l: number, distances: number): Laid[] {
  const weight = (name: string, rows: number, cols: number): Laid => ({
    ...{ name: `${name}.${l}`, layer: l, kind: 'weight', rows, cols },
  });
  const bias = (name: string, cols: number, rows = 1): Laid => ({ ...weight(name, rows, cols), kind: 'bias' });
  const gateOf = (which: 1 | 2): Laid[] => [
    ...GATE_TENSORS[gate].map(([name, columns]) => weight(`g${which}${name}`, D, columns * D)),
    ...(HAS_BIAS.includes(gate) ? [bias(`g${which}b`, D)] : []),
  ];
  return [
    ...[bias('ln1gain', D), bias('ln1bias', D)],
    ...[weight('Wqkv', D, 3 * D), bias('rel', distances, heads), weight('Wo', D, D)],
    ...gateOf(1),
    ...[bias('ln2gain', D), bias('ln2bias', D)],
    ...[weight('W1', D, F), bias('b1', F), weight('W2', F, D), bias('b2', D)],
    ...gateOf(2),
  ];
}

/** Where each tensor lies in the flat vector; weights are row-major [in, out], word vectors one row per word. */
export function transformerLayout(shape: TransformerShape): Layout {
  const { vocabulary: V, width: D, layers, tied } = shape;
  const tensors: Laid[] = [];
  const add = (name: string, layer: number, rows: number, cols: number, kind: Tensor['kind'] = 'weight'): void => {
    tensors.push({ name, layer, kind, rows, cols });
  };
  add('E', 0, V, D);
  add('P', 0, positionsOf(shape), D);
  for (let l = 0; l < layers; l++) tensors.push(...layerTensors(shape, l, positionsOf(shape)));
  add('lnfgain', layers, 1, D, 'bias');
  add('lnfbias', layers, 1, D, 'bias');
  if (!tied) add('out', layers, V, D);
  add('outbias', layers, 1, V, 'bias');
  if (shape.critic) {
    add('value', layers, valuesOf(shape), D);
    add('valuebias', layers, 1, valuesOf(shape), 'bias');
  }
  return layTensors(tensors);
}

/** Offset of every tensor by name. */
export function offsetsOf(layout: Layout): Readonly<Record<string, number>> {
  return Object.fromEntries(layout.tensors.map((t) => [t.name, t.offset]));
}

/** Logits of a tied head are divided by √D: word vectors are as long as what they are read with. */
export function headScale(shape: TransformerShape): number {
  return shape.tied ? 1 / Math.sqrt(shape.width) : 1;
}

/**
 * Initial weights: products N(0, 1/in), the two that write to the stream divided by √(2·layers); word and place vectors
 * N(0, ½); gates N(0, 1/(4D)) with bias b; gains 1, other biases 0; an untied head × 0.01, so that the policy starts
 * nearly uniform.
 */
export function transformerWeights(shape: TransformerShape, seed: number, out: Float32Array, at = 0): void {
  startWeights(transformerLayout(shape), shape.gateBias, { seed, theta: out, at }, (name, rows) =>
    scaleOf(shape, name, rows),
  );
}

/** Gains 1, biases of gates `gateBias`, other biases 0, weights N(0, scale²). */
export function startWeights(
  layout: Layout,
  gateBias: number,
  { seed, theta, at }: { readonly seed: number; readonly theta: Float32Array; readonly at: number },
  scaleOfTensor: (name: string, rows: number, column: number) => number,
): void {
  theta.fill(0, at, at + layout.size);
  layout.tensors.forEach((tensor, index) => {
    const { name, rows, cols } = tensor;
    const from = at + tensor.offset;
    if (name.includes('gain')) return void theta.fill(1, from, from + cols);
    if (/^g[12]b/.test(name)) return void theta.fill(gateBias, from, from + cols);
    if (tensor.kind === 'bias') return;
    for (let k = 0; k < rows * cols; k++) {
      const [a, b] = randomPair(seed, PURPOSE.initialWeights, index, k, 0);
      theta[from + k] = gaussian(uniform(a), uniform(b)) * scaleOfTensor(name, rows, k % cols);
    }
  });
}

function scaleOf(shape: TransformerShape, name: string, rows: number): number {
  if (name === 'E' || name === 'P') return Math.SQRT1_2;
  if (name === 'out') return 0.01 / Math.sqrt(shape.width);
  if (name === 'value') return 1 / Math.sqrt(shape.width);
  return layerScale(name, rows, shape.layers);
}

/** Initial scale of a weight of a layer. */
export function layerScale(name: string, rows: number, layers: number): number {
  if (/^g[12]/.test(name)) return 0.5 / Math.sqrt(rows);
  const isWrite = name.startsWith('Wo') || name.startsWith('W2');
  return 1 / Math.sqrt(rows * (isWrite ? 2 * layers : 1));
}

/** Floats of a row that a layer over steps keeps on WebGPU. */
export function stepLayerFloats({ width: D, hidden: F, heads, gate }: LayerShape): number {
  const perGate = { none: 1, gru: 5, sigtanh: 3, output: 2, input: 2, highway: 2 }[gate] * D;
  return 7 * D + 4 + 2 * heads + F + 2 * perGate;
}

/** Floats of a row that such layers share there, scratch and gradients. */
export const stepBenchFloats = ({ width: D, hidden: F, gate }: LayerShape): number =>
  7 * D + F + (gate === 'gru' ? 5 * D : 0);
