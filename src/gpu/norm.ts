import type { CommandList, Slice } from './recorder.ts';
import gradNorm from './shaders/network/gradNorm/gradNorm.wgsl?raw';
import squareSums from './shaders/network/gradNorm/squareSums.wgsl?raw';
import { kernels } from './shaders/kernels.ts';

type Buffer = GPUBuffer | Slice;

/** Numbers from which the norm is taken in two stages. */
const LONG = 65_536;
/** Numbers that a workgroup makes 64 sums of squares of. */
const BLOCK = 4096;

/** Words per replica of the sums between the two stages; 0: one stage does. */
export const squaresOf = (size: number): number => (size < LONG ? 0 : 64 * Math.ceil(size / BLOCK));

export const normKernels = {
  squareSums: { id: 'squareSums', wgsl: squareSums },
  ofSums: { id: 'gradNorm.ofSums', wgsl: gradNorm, entry: 'ofSums' },
} as const;

/** ‖g‖ of every replica, and flag 4 where it is not finite. `squares` [S, squaresOf(size)] is scratch. */
export async function addNorm(
  list: CommandList,
  S: number,
  size: number,
  { gradient, squares, norms, flags }: Readonly<Record<'gradient' | 'squares' | 'norms' | 'flags', Buffer>>,
): Promise<void> {
  const parts = squaresOf(size);
  if (parts === 0) return list.add(kernels.gradNorm, { gradient, norms, flags }, { size }, [1, 1, S]);
  await list.add(normKernels.squareSums, { gradient, squares }, { size, parts }, [parts / 64, 1, S]);
  await list.add(normKernels.ofSums, { gradient: squares, norms, flags }, { size: parts }, [1, 1, S]);
}
