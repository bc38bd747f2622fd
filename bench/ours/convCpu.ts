import type { History } from '../../src/contract/network.ts';
import { ConvNetwork } from '../../src/networks/conv/convNetwork.ts';
import { cellsOf } from '../../src/networks/conv/shape.ts';
import { adam } from '../../src/slots/optimizer/adam.ts';
import { switchSimd } from '../../src/wasm/simd.ts';
import { ADAM, CHECK_STEPS } from '../problem.ts';
import { convWithoutPadding, type ConvStep } from '../convProblem.ts';
import type { Candidate } from '../stats.ts';
import { crossEntropyGradient } from './stepCpu.ts';

/** The training step with the network of the CPU backend as it is, in the definition or the WebAssembly form. */
function makeStep(problem: ConvStep): { readonly theta: Float32Array; readonly isFast: boolean; step(): void } {
  const { rows, shape, layout, obs, obsWords, labels } = problem;
  const network = new ConvNetwork(shape, layout, 4 * layout.size);
  const { kernels, chunk, logits } = network;
  const [theta, m, v, gradient] = [0, 1, 2, 3].map(() => kernels.floats(layout.size)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  theta.set(problem.theta);
  const net = { theta, gradient, m, v };
  const history: History = { obs, written: new Uint32Array(0), T: 1, obsWords };
  const { learningRate, ...betas } = ADAM;
  const numbers = { ...betas, weightDecay: 0 };
  let steps = 0;
  return {
    theta,
    isFast: kernels.isFast,
    step() {
      steps++;
      gradient.fill(0);
      for (let from = 0; from < rows; from += chunk) {
        const n = Math.min(chunk, rows - from);
        network.clear();
        for (let r = from; r < from + n; r++) network.read(history, r, 0);
        network.forward(theta, 0);
        logits.d.set(logits.out.subarray(0, n * logits.stride));
        crossEntropyGradient(logits.d, labels, from, n, logits.stride, rows);
        network.backward(theta, 0, gradient);
      }
      if (kernels.moments(net, adam.moments!(steps, numbers), learningRate) === null)
        adam.step(net, steps, learningRate, numbers);
    },
  };
}

/** Both forms of the CPU path. */
export const oursConvCpu = (problem: ConvStep): Candidate[] =>
  (['ours wasm', 'ours ts'] as const).map((name) => ({
    name,
    make: async () => {
      switchSimd(name === 'ours wasm');
      const { theta, isFast, step } = makeStep(problem);
      switchSimd(true);
      if (name === 'ours wasm' && !isFast) throw new Error('WebAssembly with vectors is not there');
      return {
        name,
        run: async (times) => {
          for (let k = 0; k < times; k++) step();
        },
        check: async () => {
          for (let k = 0; k < CHECK_STEPS; k++) step();
          return convWithoutPadding(problem, theta);
        },
        dispose: () => undefined,
      };
    },
  }));

/** The same step in plain f64 loops, nothing shared with the network: what everyone is compared with. */
export function expectedConvStep(problem: ConvStep): Float32Array {
  const { rows, shape, layout, X, labels } = problem;
  const { board, layers, channels: C, hidden, actions } = shape;
  const cells = cellsOf(shape);
  const theta = Float64Array.from(problem.theta);
  const [m, v] = [new Float64Array(layout.size), new Float64Array(layout.size)];
  const at = layout.tensors.map((tensor) => tensor.offset);
  const depth = (k: number): number => (k === 0 ? board.planes : C);
  const maps = Array.from({ length: layers + 1 }, (_, k) => new Float64Array(cells * depth(k)));
  const dMaps = maps.map((map) => new Float64Array(map.length));
  const flat = maps[layers]!;
  const [h, dh, z] = [new Float64Array(hidden), new Float64Array(hidden), new Float64Array(actions)];
  const [D, d, V, b] = at.slice(2 * layers) as [number, number, number, number];
  /** every cell with each of its neighbors on the board */
  const around = (visit: (cell: number, direction: number, neighbor: number) => void): void => {
    for (let cell = 0; cell < cells; cell++)
      for (let k = 0; k < 9; k++) {
        const y = Math.floor(cell / board.width) + Math.floor(k / 3) - 1;
        const x = (cell % board.width) + (k % 3) - 1;
        if (y >= 0 && y < board.height && x >= 0 && x < board.width) visit(cell, k, y * board.width + x);
      }
  };
  for (let n = 1; n <= CHECK_STEPS; n++) {
    const g = new Float64Array(layout.size);
    for (let r = 0; r < rows; r++) {
      maps[0]!.set(X.subarray(r * cells * board.planes, (r + 1) * cells * board.planes));
      for (let k = 0; k < layers; k++) {
        const [from, to, W, p] = [maps[k]!, maps[k + 1]!, at[2 * k]!, depth(k)];
        for (let i = 0; i < to.length; i++) to[i] = theta[at[2 * k + 1]! + (i % C)]!;
        around((cell, direction, neighbor) => {
          for (let i = 0; i < p; i++) {
            const x = from[neighbor * p + i]!;
            if (x === 0) continue;
            const w = W + (direction * p + i) * C;
            for (let j = 0; j < C; j++) to[cell * C + j]! += x * theta[w + j]!;
          }
        });
        for (let i = 0; i < to.length; i++) to[i] = Math.max(0, to[i]!);
      }
      for (let j = 0; j < hidden; j++) h[j] = theta[d + j]!;
      for (let i = 0; i < flat.length; i++)
        for (let j = 0; j < hidden; j++) h[j]! += flat[i]! * theta[D + i * hidden + j]!;
      for (let j = 0; j < hidden; j++) h[j] = Math.max(0, h[j]!);
      for (let c = 0; c < actions; c++) {
        z[c] = theta[b + c]!;
        for (let j = 0; j < hidden; j++) z[c]! += h[j]! * theta[V + j * actions + c]!;
      }
      const top = Math.max(...z);
      const total = z.reduce((sum, x) => sum + Math.exp(x - top), 0);
      dh.fill(0);
      for (let c = 0; c < actions; c++) {
        const dz = (Math.exp(z[c]! - top) / total - (c === labels[r] ? 1 : 0)) / rows;
        g[b + c]! += dz;
        for (let j = 0; j < hidden; j++) {
          g[V + j * actions + c]! += h[j]! * dz;
          if (h[j]! > 0) dh[j]! += theta[V + j * actions + c]! * dz;
        }
      }
      for (let j = 0; j < hidden; j++) g[d + j]! += dh[j]!;
      for (let i = 0; i < flat.length; i++) {
        let sum = 0;
        for (let j = 0; j < hidden; j++) {
          g[D + i * hidden + j]! += flat[i]! * dh[j]!;
          sum += theta[D + i * hidden + j]! * dh[j]!;
        }
        dMaps[layers]![i] = sum;
      }
      for (let k = layers - 1; k >= 0; k--) {
        const [from, to, W, p] = [maps[k]!, maps[k + 1]!, at[2 * k]!, depth(k)];
        const [dFrom, dTo] = [dMaps[k]!, dMaps[k + 1]!];
        dFrom.fill(0);
        for (let i = 0; i < to.length; i++) {
          if (to[i] === 0) dTo[i] = 0;
          g[at[2 * k + 1]! + (i % C)]! += dTo[i]!;
        }
        around((cell, direction, neighbor) => {
          for (let i = 0; i < p; i++) {
            const x = from[neighbor * p + i]!;
            const w = W + (direction * p + i) * C;
            let sum = 0;
            for (let j = 0; j < C; j++) {
              g[w + j]! += x * dTo[cell * C + j]!;
              sum += theta[w + j]! * dTo[cell * C + j]!;
            }
            dFrom[neighbor * p + i]! += sum;
          }
        });
      }
    }
    const { learningRate, beta1, beta2, epsilon } = ADAM;
    for (let k = 0; k < layout.size; k++) {
      m[k] = beta1 * m[k]! + (1 - beta1) * g[k]!;
      v[k] = beta2 * v[k]! + (1 - beta2) * g[k]! * g[k]!;
      theta[k]! -= (learningRate * (m[k]! / (1 - beta1 ** n))) / (Math.sqrt(v[k]! / (1 - beta2 ** n)) + epsilon);
    }
  }
  return convWithoutPadding(problem, Float32Array.from(theta));
}
