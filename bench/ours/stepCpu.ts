import type { Moments } from '../../src/core/math/moments.ts';
import { adam } from '../../src/slots/optimizer/adam.ts';
import { linear } from '../../src/networks/dense/linear.ts';
import { makeKernels, plainKernels, type Kernels } from '../../src/networks/kernels.ts';
import { ADAM, CHECK_STEPS, withoutPadding, type Step } from '../problem.ts';
import type { Candidate } from '../stats.ts';

/** Rows worked on at once, as the CPU backend does. */
export const CHUNK = 128;

/** Floats that a step keeps with its kernels: parameters, moments, gradient, and the activations of a chunk. */
const own = ({ layout, inputs, hidden, classes }: Step): number =>
  4 * layout.size + CHUNK * (inputs + 3 * hidden + classes);

/** WebAssembly where it is there, with room for the arrays of the step and for `more`. */
export const fastKernels = (problem: Step, more = 0): Kernels =>
  makeKernels(own(problem) + more, 64 * 1024 + CHUNK * (problem.inputs + problem.hidden) + problem.layout.size);

/** What a step has in the memory of its kernels. */
export type Learner = {
  readonly theta: Float32Array;
  readonly gradient: Float32Array;
  /** Adds the gradient of rows [from, from + n), at most a chunk. */
  learn(from: number, n: number): void;
};

/** Forward and backward with the layers of the CPU backend, in the form of these kernels. */
export function learner(problem: Step, k: Kernels): Learner {
  const { rows, inputs, hidden, classes, layout, X, labels } = problem;
  const [theta, gradient] = [k.floats(layout.size), k.floats(layout.size)];
  theta.set(problem.theta);
  const x = k.floats(CHUNK * inputs);
  const [Z, H, dH] = [k.floats(CHUNK * hidden), k.floats(CHUNK * hidden), k.floats(CHUNK * hidden)];
  const out = k.floats(CHUNK * classes);
  const [w1, b1, w2, b2] = layout.tensors.map((t) => t.offset) as [number, number, number, number];
  const [first, second] = [linear(inputs, hidden, w1, b1), linear(hidden, classes, w2, b2)];
  const weights = { theta, from: 0 };
  return {
    theta,
    gradient,
    learn(from, n) {
      x.set(X.subarray(from * inputs, (from + n) * inputs));
      k.denseForward(first, weights, x, n, Z);
      k.activate('relu', Z, n * hidden, H);
      k.denseForward(second, weights, H, n, out);
      crossEntropyGradient(out, labels, from, n, classes, rows);
      k.denseGradient(second, gradient, H, out, n);
      k.denseBackward(second, weights, out, n, dH);
      k.activateBackward('relu', Z, H, n * hidden, dH);
      k.denseGradient(first, gradient, x, dH, n);
    },
  };
}

/** The Adam step of this number. */
export function adamStep(k: Kernels, net: Moments, step: number): void {
  const { learningRate, ...betas } = ADAM;
  const numbers = { ...betas, weightDecay: 0 };
  if (k.moments(net, adam.moments!(step, numbers), learningRate) === null) adam.step(net, step, learningRate, numbers);
}

/** The training step on one core. */
function makeStep(problem: Step, k: Kernels): { readonly theta: Float32Array; step(): void } {
  const { rows, layout } = problem;
  const { theta, gradient, learn } = learner(problem, k);
  const net = { theta, gradient, m: k.floats(layout.size), v: k.floats(layout.size) };
  let steps = 0;
  return {
    theta,
    step() {
      gradient.fill(0);
      for (let from = 0; from < rows; from += CHUNK) learn(from, Math.min(CHUNK, rows - from));
      adamStep(k, net, ++steps);
    },
  };
}

/** Logits → (softmax − one-hot) / rows, in place. */
export function crossEntropyGradient(
  out: Float32Array,
  labels: Uint32Array,
  from: number,
  n: number,
  classes: number,
  rows: number,
): void {
  for (let r = 0; r < n; r++) {
    const at = r * classes;
    let top = -Infinity;
    for (let c = 0; c < classes; c++) top = Math.max(top, out[at + c]!);
    let total = 0;
    for (let c = 0; c < classes; c++) total += out[at + c] = Math.exp(out[at + c]! - top);
    for (let c = 0; c < classes; c++) out[at + c] = (out[at + c]! / total - (c === labels[from + r] ? 1 : 0)) / rows;
  }
}

/** The same step in plain f64 loops, nothing shared with the kernels: what everyone is compared with. */
export function expectedStep(problem: Step): Float32Array {
  const { rows, inputs, hidden, classes, layout, X, labels } = problem;
  const theta = Float64Array.from(problem.theta);
  const [m, v] = [new Float64Array(layout.size), new Float64Array(layout.size)];
  const [w1, b1, w2, b2] = layout.tensors.map((t) => t.offset) as [number, number, number, number];
  const [h, z, dh] = [new Float64Array(hidden), new Float64Array(classes), new Float64Array(hidden)];
  for (let n = 1; n <= CHECK_STEPS; n++) {
    const g = new Float64Array(layout.size);
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < hidden; j++) h[j] = theta[b1 + j]!;
      for (let i = 0; i < inputs; i++) {
        const x = X[r * inputs + i]!;
        for (let j = 0; j < hidden; j++) h[j]! += x * theta[w1 + i * hidden + j]!;
      }
      for (let j = 0; j < hidden; j++) h[j] = Math.max(0, h[j]!);
      for (let c = 0; c < classes; c++) {
        z[c] = theta[b2 + c]!;
        for (let j = 0; j < hidden; j++) z[c]! += h[j]! * theta[w2 + j * classes + c]!;
      }
      const top = Math.max(...z);
      const total = z.reduce((sum, x) => sum + Math.exp(x - top), 0);
      dh.fill(0);
      for (let c = 0; c < classes; c++) {
        const d = (Math.exp(z[c]! - top) / total - (c === labels[r] ? 1 : 0)) / rows;
        g[b2 + c]! += d;
        for (let j = 0; j < hidden; j++) {
          g[w2 + j * classes + c]! += h[j]! * d;
          if (h[j]! > 0) dh[j]! += theta[w2 + j * classes + c]! * d;
        }
      }
      for (let j = 0; j < hidden; j++) g[b1 + j]! += dh[j]!;
      for (let i = 0; i < inputs; i++) {
        const x = X[r * inputs + i]!;
        for (let j = 0; j < hidden; j++) g[w1 + i * hidden + j]! += x * dh[j]!;
      }
    }
    const { learningRate, beta1, beta2, epsilon } = ADAM;
    for (let k = 0; k < layout.size; k++) {
      m[k] = beta1 * m[k]! + (1 - beta1) * g[k]!;
      v[k] = beta2 * v[k]! + (1 - beta2) * g[k]! * g[k]!;
      const move = m[k]! / (1 - beta1 ** n) / (Math.sqrt(v[k]! / (1 - beta2 ** n)) + epsilon);
      theta[k]! -= learningRate * move;
    }
  }
  return withoutPadding(problem, Float32Array.from(theta));
}

/** Both forms of the CPU path. */
export const oursStepsCpu = (problem: Step): Candidate[] =>
  (['ours wasm', 'ours ts'] as const).map((name) => ({
    name,
    make: async () => {
      const kernels = name === 'ours ts' ? plainKernels : fastKernels(problem);
      if (name === 'ours wasm' && !kernels.isFast) throw new Error('WebAssembly with vectors is not there');
      const { theta, step } = makeStep(problem, kernels);
      return {
        name,
        run: async (times) => {
          for (let k = 0; k < times; k++) step();
        },
        check: async () => {
          for (let k = 0; k < CHECK_STEPS; k++) step();
          return withoutPadding(problem, theta);
        },
        dispose: () => undefined,
      };
    },
  }));
