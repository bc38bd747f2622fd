import { random, uniform } from '../src/core/random.ts';
import { cellsOf, convLayout, type ConvShape } from '../src/networks/conv/shape.ts';
import type { Layout } from '../src/networks/layout.ts';
import { gaussians } from './problem.ts';

/** The training step of a convolution network that everyone does: a board → logits, mean cross-entropy, Adam. */
export type ConvStep = {
  readonly rows: number;
  readonly shape: ConvShape;
  readonly layout: Layout;
  /** [rows, 2, words] bits of the boards, as an episode of one step sees them */
  readonly obs: Uint32Array;
  readonly obsWords: number;
  /** the same as numbers: [rows, height, width, planes] */
  readonly X: Float32Array;
  readonly labels: Uint32Array;
  /** initial parameters in the layout: W [3, 3, depth, C] and b of each layer, D [cells·C, H], d, V [H, actions], v */
  readonly theta: Float32Array;
};

/** Sokoban's board and the default sizes of the network. */
const SHAPE: ConvShape = {
  ...{ features: 400, board: { planes: 4, height: 10, width: 10 }, layers: 2, channels: 16, skip: false, hidden: 64 },
  ...{ actions: 4, critic: false },
};

/** How often a cell of each plane is set: walls, targets, boxes; the last plane has one agent. */
const SHARES = [0.4, 0.06, 0.06];

export function convProblem(rows: number, shape: ConvShape = SHAPE): ConvStep {
  const layout = convLayout(shape);
  const { planes } = shape.board;
  const cells = cellsOf(shape);
  const chance = (purpose: number, at: number): number => uniform(random(purpose, 255, at, 0, 0));
  const theta = new Float32Array(layout.size);
  layout.tensors.forEach(({ kind, rows: r, cols, offset }, k) => {
    theta.set(gaussians(60 + k, r * cols, kind === 'weight' ? Math.sqrt(2 / r) : 0.1), offset);
  });
  const obsWords = Math.ceil(shape.features / 32);
  const obs = new Uint32Array(rows * 2 * obsWords);
  const X = new Float32Array(rows * cells * planes);
  const labels = new Uint32Array(rows);
  for (let r = 0; r < rows; r++) {
    const agent = Math.floor(chance(8, r) * cells);
    for (let f = 0; f < planes * cells; f++) {
      const [plane, cell] = [Math.floor(f / cells), f % cells];
      const isSet = plane < planes - 1 ? chance(9, r * shape.features + f) < (SHARES[plane] ?? 0.1) : cell === agent;
      if (!isSet) continue;
      obs[2 * r * obsWords + (f >>> 5)]! |= 1 << (f & 31);
      X[(r * cells + cell) * planes + plane] = 1;
    }
    // the quarter of the board that the agent is in
    const { height, width } = shape.board;
    labels[r] = (agent % width < width / 2 ? 0 : 1) + (agent < cells / 2 && height > 1 ? 0 : 2);
  }
  return { rows, shape, layout, obs, obsWords, X, labels, theta };
}

/** W₁, b₁, … as separate arrays. */
export const convTensors = ({ layout, theta }: ConvStep): Float32Array[] =>
  layout.tensors.map(({ offset, rows, cols }) => theta.slice(offset, offset + rows * cols));

/** Parameters without the padding of the layout. */
export const convWithoutPadding = ({ layout }: ConvStep, theta: Float32Array): Float32Array =>
  Float32Array.from(
    layout.tensors.flatMap(({ offset, rows, cols }) => Array.from(theta.subarray(offset, offset + rows * cols))),
  );

/**
 * Floating-point operations of one step as dense layers would do them, borders included: three products per layer, without the
 * input gradient of the first.
 */
export function convFlops({ rows, shape }: ConvStep): number {
  const { layers, channels: C, hidden, actions, board } = shape;
  const cells = cellsOf(shape);
  const first = 2 * 9 * board.planes * C * cells;
  const others = 3 * (layers - 1) * 9 * C * C * cells;
  return 2 * rows * (first + others + 3 * cells * C * hidden + 3 * hidden * actions);
}
