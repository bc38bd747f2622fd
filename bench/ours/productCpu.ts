import { denseForward } from '../../src/policies/dense.ts';
import type { Candidate } from '../stats.ts';

/** C = A·B with the layers of the CPU backend. */
export function oursProductCpu(m: number, k: number, n: number, A: Float32Array, B: Float32Array): Candidate[] {
  const Y = new Float32Array(m * n);
  return [
    {
      name: 'ours ts',
      make: async () => ({
        name: 'ours ts',
        run: async (times) => {
          for (let j = 0; j < times; j++) denseForward(A, m, k, B, 0, -1, n, Y);
        },
        check: async () => {
          denseForward(A, m, k, B, 0, -1, n, Y);
          return Y;
        },
        dispose: () => undefined,
      }),
    },
  ];
}
