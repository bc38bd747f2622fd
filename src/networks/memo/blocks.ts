import type { NetworkBatch } from '../../gpu/network.ts';
import { StepBench, stepLayer, type StepLayer } from '../transformer/stepLayers.ts';
import type { Sized } from '../types.ts';
import { distancesOf, type MemoShape } from './shape.ts';

/**
 * Tokens that are worked on together, the same for every trajectory: summary tokens of the segment before, steps from t on,
 * summary tokens of its own. `isLast`: the step after the last one of each trajectory, with room for a summary before it.
 */
export type Block = {
  readonly t: number;
  readonly prefix: number;
  readonly steps: number;
  readonly own: number;
  readonly isLast: boolean;
};

export const tokensOfBlock = ({ prefix, steps, own }: Block): number => prefix + steps + own;

/** All T steps, a segment at a time. */
export function segmentBlocks({ segment: L, summary }: MemoShape, T: number): Block[] {
  return Array.from({ length: Math.ceil(T / L) }, (_, s) => {
    const end = (s + 1) * L;
    const own = end < T ? summary : 0;
    return { t: s * L, prefix: s > 0 ? summary : 0, steps: Math.min(end, T) - s * L, own, isLast: false };
  });
}

/** One step of an episode that is played, T: the step after the last one. */
export function playedBlock({ segment: L, summary }: MemoShape, t: number, T: number): Block {
  if (t === T) return { t, prefix: summary, steps: 1, own: 0, isLast: true };
  const prefix = t > 0 && t % L === 0 ? summary : 0;
  return { t, prefix, steps: 1, own: (t + 1) % L === 0 ? summary : 0, isLast: false };
}

/** What is kept of a block for its way back. */
export type Arrays = {
  /** before each layer, and after the last one */
  readonly X: readonly GPUBuffer[];
  readonly layers: readonly StepLayer[];
};

/** All arrays of memoOnGpu.ts besides those of single steps. Every one has a leading replica dimension. */
export class MemoArrays {
  readonly bench: StepBench;
  /** [S, B·tokens, heads, distances] gradient by scores */
  readonly dS: GPUBuffer;
  /** [S, B, T, 4D] of each layer, keys and values: see memoReads.wgsl */
  readonly kept: readonly GPUBuffer[];
  /** [S, B, T, D] token j of the summary that segment k begins with is in entry (k − 1)·segment + j */
  readonly summaries: GPUBuffer;
  /** [S, B, segments − 1, summary, 2D] of each layer, and [S, B, summary, D] of the summary between two segments */
  readonly dKept: readonly GPUBuffer[];
  readonly dSummary: GPUBuffer;
  /** of every segment; a step that is played uses those of the first one */
  readonly segments: readonly Arrays[];
  /** which trajectories of a list have steps in each segment, and how many words of a replica tell it: see listSegments.wgsl */
  readonly live: GPUBuffer;
  readonly liveWords: number;

  constructor({ shape, layout }: Sized<MemoShape>, batch: NetworkBatch, slices: number) {
    const { S, B, T, make } = batch;
    const { width: D, heads, layers, summary, gate } = shape;
    const blocks = segmentBlocks(shape, T);
    const played = Array.from({ length: T + 1 }, (_, t) => playedBlock(shape, t, T));
    const least = 1 + summary;
    const most = Math.max(least, ...blocks.map(tokensOfBlock));
    // trajectories, all steps, and tokens of each kind of block
    const counts = [...new Set([B, B * T, ...[...blocks, ...played].map((block) => B * tokensOfBlock(block))])];
    const stack = { shape, layout, hasReLU: gate !== 'none' };
    this.bench = new StepBench(batch, stack, { rows: B * most, counts, slices });
    this.dS = make(S * B * most * heads * distancesOf(shape));
    this.segments = blocks.map((block): Arrays => {
      const rows = S * B * (block.t === 0 ? Math.max(least, tokensOfBlock(block)) : tokensOfBlock(block));
      return {
        X: Array.from({ length: layers + 1 }, () => make(rows * D)),
        layers: Array.from({ length: layers }, () => stepLayer(make, shape, rows)),
      };
    });
    this.kept = Array.from({ length: layers }, () => make(S * B * T * 4 * D));
    this.summaries = make(S * B * T * D);
    this.dKept = Array.from({ length: layers }, () => make(Math.max(4, S * B * (blocks.length - 1) * summary * 2 * D)));
    this.dSummary = make(S * B * summary * D);
    this.liveWords = blocks.length * (2 + 3 * B);
    this.live = make(S * this.liveWords);
  }
}
