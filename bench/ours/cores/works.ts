import { linear } from '../../../src/networks/dense/linear.ts';
import { makeKernels } from '../../../src/networks/kernels.ts';
import type { Step } from '../../problem.ts';
import { adamStep, CHUNK, fastKernels, learner } from '../stepCpu.ts';
import type { Jobs, Place } from './jobs.ts';

export type Product = readonly [m: number, k: number, n: number, A: Float32Array, B: Float32Array];

/** Rows of a product that the kernel packs its columns for, and of one of its tiles. */
const [BLOCK, TILE] = [130, 5];

/** C = A·B: an item is a block of rows, made in the memory of its core and brought to where all of C lies. */
export function productJobs([m, k, n, A, B]: Product, cores: number, { floats: C }: Place): Jobs {
  const height = Math.min(BLOCK, TILE * Math.ceil(m / cores / TILE));
  const kernels = makeKernels(m * k + k * n + height * n, 16 * k + 4096);
  const [X, W, Y] = [kernels.floats(m * k), kernels.floats(k * n), kernels.floats(height * n)];
  X.set(A);
  W.set(B);
  const [layer, weights] = [linear(k, n, 0), { theta: W, from: 0 }];
  return {
    items: [Math.ceil(m / height)],
    begin: () => undefined,
    do(_, item) {
      const from = item * height;
      const rows = Math.min(height, m - from);
      kernels.denseForward(layer, weights, X.subarray(from * k), rows, Y);
      C.set(Y.subarray(0, rows * n), from * n);
    },
  };
}

const chunksOf = ({ rows }: Step): number => Math.ceil(rows / CHUNK);

/** Floats that all cores of a step see: parameters, moments, and the gradient of each chunk. */
export const stepFloats = (problem: Step): number => problem.layout.size * (3 + chunksOf(problem));

/**
 * A training step. An item of the first job is the gradient of a chunk of rows, from 0; one of the second is a part of the
 * parameters: the sum of the chunks in their order, and Adam.
 */
export function stepJobs(problem: Step, cores: number, { floats }: Place): Jobs {
  const { rows, layout } = problem;
  const { size } = layout;
  const chunks = chunksOf(problem);
  const all = (k: number): Float32Array => floats.subarray(k * size, (k + 1) * size);
  const [theta, m, v, partial] = [all(0), all(1), all(2), floats.subarray(3 * size)];
  const starts = Array.from({ length: cores + 1 }, (_, k) => 4 * Math.floor((k * size) / cores / 4));
  const most = Math.max(...starts.slice(1).map((to, k) => to - starts[k]!));
  const kernels = fastKernels(problem, most * (chunks + 3));
  const own = learner(problem, kernels);
  const [t, a, b] = [kernels.floats(most), kernels.floats(most), kernels.floats(most)];
  const D = kernels.floats(most * chunks);
  const none = new Float32Array(0);
  return {
    items: [chunks, cores],
    begin(job) {
      if (job === 0) own.theta.set(theta);
    },
    do(job, item, time) {
      if (job === 0) {
        own.gradient.fill(0);
        own.learn(item * CHUNK, Math.min(CHUNK, rows - item * CHUNK));
        partial.set(own.gradient, item * size);
        return;
      }
      const [from, to] = [starts[item]!, starts[item + 1]!];
      const width = to - from;
      const of = (x: Float32Array): Float32Array => x.subarray(0, width);
      const net = { theta: of(t), gradient: of(own.gradient), m: of(a), v: of(b) };
      for (let c = 0; c < chunks; c++) D.set(partial.subarray(c * size + from, c * size + to), c * width);
      net.gradient.fill(0);
      // the gradient of a bias is the sum over the rows, here the chunks
      kernels.denseGradient(linear(0, width, 0, 0), net.gradient, none, D, chunks);
      net.theta.set(theta.subarray(from, to));
      net.m.set(m.subarray(from, to));
      net.v.set(v.subarray(from, to));
      adamStep(kernels, net, time + 1);
      theta.set(net.theta, from);
      m.set(net.m, from);
      v.set(net.v, from);
    },
  };
}
