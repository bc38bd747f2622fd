import { linear } from '../../src/networks/dense/linear.ts';
import { makeKernels, plainKernels } from '../../src/networks/kernels.ts';
import type { Candidate } from '../stats.ts';

/** C = A·B with the layers of the CPU backend, in both forms; arrays lie where the kernels read them. */
export function oursProductCpu(m: number, k: number, n: number, A: Float32Array, B: Float32Array): Candidate[] {
  return (['ours wasm', 'ours ts'] as const).map((name) => ({
    name,
    make: async () => {
      const kernels = name === 'ours ts' ? plainKernels : makeKernels(m * k + k * n + m * n, 16 * k + 4096);
      if (name === 'ours wasm' && !kernels.isFast) throw new Error('WebAssembly with vectors is not there');
      const [X, W, Y] = [kernels.floats(m * k), kernels.floats(k * n), kernels.floats(m * n)];
      X.set(A);
      W.set(B);
      const [layer, weights] = [linear(k, n, 0), { theta: W, from: 0 }];
      const product = (): void => kernels.denseForward(layer, weights, X, m, Y);
      return {
        name,
        run: async (times) => {
          for (let j = 0; j < times; j++) product();
        },
        check: async () => {
          product();
          return Y.slice();
        },
        dispose: () => undefined,
      };
    },
  }));
}
