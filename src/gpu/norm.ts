import type { Kernel } from './kernel.ts';
import type { CommandList, Slice } from './recorder.ts';
import noSums from './shaders/metrics/sliceSum/noSums.wgsl?raw';
import sliceSum from './shaders/metrics/sliceSum/sliceSum.wgsl?raw';
import gradNorm from './shaders/network/gradNorm/gradNorm.wgsl?raw';
import losses from './shaders/network/gradNorm/losses.wgsl?raw';
import noLosses from './shaders/network/gradNorm/noLosses.wgsl?raw';
import squareSums from './shaders/network/gradNorm/squareSums.wgsl?raw';

type Buffer = GPUBuffer | Slice;

/** Numbers from which the norm is taken in two stages. */
const LONG = 65_536;
/** Numbers that a workgroup makes 64 sums of squares of. */
const BLOCK = 4096;

/** Words per replica of the sums between the two stages; 0: one stage does. */
export const squaresOf = (size: number): number => (size < LONG ? 0 : 64 * Math.ceil(size / BLOCK));

/** The norm of a gradient or of sums of its squares, with the losses of the step or without. */
export const normWith = (entry: 'main' | 'ofSums', hasLosses: boolean): Kernel => ({
  id: entry === 'main' ? 'gradNorm' : 'gradNorm.ofSums',
  wgsl: gradNorm,
  link: [hasLosses ? losses : noLosses],
  entry,
});

export const squareSumsKernel: Kernel = { id: 'squareSums', wgsl: squareSums };

/** Losses [S, 2] of an optimizer step, from the statistics of so many steps of every replica. */
export type Losses = { readonly stats: Buffer; readonly losses: Buffer; readonly steps: number };

/**
 * ‖g‖ of every replica, and flag 4 where it is not finite. `squares` [S, squaresOf(size)] is scratch. Adds the losses of
 * the step to their sums, where there are any.
 */
export async function addNorm(
  list: CommandList,
  S: number,
  size: number,
  { gradient, squares, norms, flags }: Readonly<Record<'gradient' | 'squares' | 'norms' | 'flags', Buffer>>,
  of: Losses | null = null,
): Promise<void> {
  const parts = squaresOf(size);
  const ends = { norms, flags, ...(of ? { stats: of.stats, losses: of.losses } : {}) };
  const steps = of?.steps ?? 0;
  const groups = [1, 1, S] as const;
  if (parts === 0) return list.add(normWith('main', of !== null), { gradient, ...ends }, { size, steps }, groups);
  await list.add(squareSumsKernel, { gradient, squares }, { size, parts }, [parts / 64, 1, S]);
  await list.add(normWith('ofSums', of !== null), { gradient: squares, ...ends }, { size: parts, steps }, groups);
}

/** What the last dispatch of a way back adds up for the optimizer step after it, see sums.wgsl: no dispatch of its own makes the norm then. */
export type NormSums = {
  readonly sums: Buffer;
  readonly stats: Buffer;
  readonly flags: Buffer;
  /** of a replica, whose losses are added up */
  readonly steps: number;
  /** may one kernel make them with a gradient of few rows? It binds nine storage buffers, where WebGPU promises eight */
  readonly atOnce: boolean;
};

/** What a kernel that makes them is bound to. */
export const sumsBound = ({ sums, stats, flags }: NormSums) => ({ sums, stats, flags });

/** Words per replica of these sums; 0: the gradient is too long for every workgroup to go through them. */
export const normSumsOf = (size: number): number => (size < LONG ? 4 * Math.ceil(size / 256) : 0);

export const sliceSumWith = (link: readonly string[] = [noSums]): Kernel => ({ id: 'sliceSum', wgsl: sliceSum, link });

/** gradient [S, size] = the sum of its slices [S, slices, size], and what an optimizer step wants to know of it. */
export async function addSliceSum(
  list: CommandList,
  [S, slices, size]: readonly [number, number, number],
  { partials, gradient }: Readonly<Record<'partials' | 'gradient', Buffer>>,
  of: NormSums | null = null,
): Promise<void> {
  const groups = [Math.ceil(size / 256), 1, S] as const;
  const kernel = of ? sliceSumWith((await import('./normSums.ts')).keepsSumsOf(64)) : sliceSumWith();
  await list.add(
    kernel,
    { partials, gradient, ...(of && sumsBound(of)) },
    { size, slices, steps: of?.steps ?? 0 },
    groups,
  );
}
