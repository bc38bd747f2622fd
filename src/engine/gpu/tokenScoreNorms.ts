import type { Gpu } from '../../gpu/device.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import { addNorm } from '../../gpu/norm.ts';
import { CommandList, readBack, section, sectionBytes, whole } from '../../gpu/recorder.ts';
import type { ScoreLayers } from '../../slots/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { GpuPast } from './past.ts';
import type { ScoreNorms } from './scoreNorms.ts';
import type { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';
import { addLookChunk, logpLook } from './tokenCommandList.ts';
import { addSteps, chunksOf } from '../../networks/transformer/tokenList.ts';
import { addGradientEnd, addGradientStart } from '../../networks/transformer/tokenOps.ts';
import type { Sequence } from './tokenSequence.ts';
import { commandBatch } from './tokenRollout.ts';

/**
 * ‖∇ log π_θ(τ)‖² of every trajectory of the minibatch that is looked at, where actions are written in words: one after
 * the other goes forward and back by itself, by the last layer alone only through the output head, into a gradient that
 * is only measured. By all parameters it computes as much as a step on the same minibatch, in as many times the dispatches
 * as there are trajectories; replicas go side by side.
 */
export class TokenScoreNorms implements ScoreNorms {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  /** a section for every trajectory: [S, 2] with the norm first, see gradNorm.wgsl */
  private readonly norms: GPUBuffer;
  /** of every trajectory: which steps are its own, and where its norm goes */
  private readonly parts: readonly { readonly steps: CommandList; readonly norm: CommandList }[];
  private readonly chunk: CommandList;
  private readonly chunks: number;
  /** after the chunks: the gradient as one, and room for the next */
  private readonly sum: CommandList;

  private constructor(gpu: Gpu, plan: Plan, b: RunBuffers, tokens: TokenBuffers, norms: GPUBuffer) {
    const list = (name: string): CommandList => new CommandList(gpu, name, b.all);
    this.gpu = gpu;
    this.plan = plan;
    this.norms = norms;
    this.parts = Array.from({ length: plan.B }, () => ({ steps: list('score'), norm: list('score') }));
    this.chunk = list('score');
    this.chunks = chunksOf(tokens, { weighted: 0 });
    this.sum = list('score');
  }

  static async make(gpu: Gpu, plan: Plan, b: RunBuffers, past: GpuPast, layers: ScoreLayers): Promise<TokenScoreNorms> {
    const { S, B, layout, temperature } = plan;
    const tokens = b.tokens!;
    const make = (label: string, words: number, uniform = 0): GPUBuffer => {
      const buffer = gpu.buffer(label, words, 0x80 | 0x04 | 0x08 | uniform);
      b.all.push(buffer);
      return buffer;
    };
    const gradient = make('weights', S * layout.size);
    const norms = make('credit', (B * sectionBytes(2 * S)) / 4);
    // every trajectory counts once; no entropy bonus, no KL term
    const ones = make('tasks', 2 * S * B);
    gpu.device.queue.writeBuffer(ones, 0, new Float32Array(2 * S * B).fill(1));
    const live = make('tasks', LIVE_WORDS, 0x40);
    const own = tokens.inChunksOf(Math.min(tokens.R, plan.T));
    const batch = commandBatch(plan, b);
    const made = new TokenScoreNorms(gpu, plan, b, own, norms);
    const { squares, flags } = b;
    for (const [n, { steps, norm }] of made.parts.entries()) {
      await addSteps(steps, own, batch, { weighted: n });
      await addNorm(norm, S, layout.size, { gradient, squares, norms: section(norms, n, 2 * S), flags });
    }
    const alone = { ...batch, plan: ones, live };
    const look = logpLook(temperature, layers === 'all' || layers);
    await addLookChunk(made.chunk, own, alone, { theta: past.seen, reference: null }, look);
    await addGradientEnd(made.sum, own, { gradient });
    await addGradientStart(made.sum, own);
    return made;
  }

  /** Behind the start of a look at a minibatch of at most this many trajectories; leaves Δ in the statistics as any look does. */
  addTo(sequence: Sequence, trajectories: number): void {
    for (const { steps, norm } of this.parts.slice(0, trajectories)) {
      sequence.add(steps);
      sequence.add(this.chunk, this.chunks);
      sequence.add(this.sum);
      sequence.add(norm);
    }
  }

  async read(weights: Float32Array): Promise<Float64Array> {
    const { S, B } = this.plan;
    const norms = new Float32Array(await readBack(this.gpu, whole(this.norms)));
    const stride = sectionBytes(2 * S) / 4;
    const squares = new Float64Array(S * B);
    for (let s = 0; s < S; s++) {
      let n = 0;
      for (let row = s * B; row < (s + 1) * B; row++)
        if (weights[2 * row] !== 0) squares[row] = norms[stride * n++ + 2 * s]! ** 2;
    }
    return squares;
  }
}
