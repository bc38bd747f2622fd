import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** What each trajectory's task holds. */
export function gatherTask(B: number, P: number, x: Float32Array, taskIndex: Uint32Array): Float32Array {
  return Float32Array.from(taskIndex, (g, row) => x[Math.floor(row / B) * P + g]!);
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1],
    [3, 65, 7],
    [2, 32, 32],
  ] as const
).map(([S, B, P]): Case => {
  const x = numbers(B, S * P);
  const taskIndex = wholes(P, S * B, P);
  return {
    name: `gatherTask ${S}×${B} from ${P} tasks`,
    kernel: kernels.gatherTask,
    dims: { S, B, P },
    groups: [Math.ceil((S * B) / 64)],
    buffers: { x, taskIndex, y: untouched(S * B) },
    expected: { y: gatherTask(B, P, x, taskIndex) },
  };
});
