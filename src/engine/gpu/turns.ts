import { wordsOf } from '../../networks/policy.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Plan, Tasks } from '../plan.ts';
import { turnsOf, within } from '../turns.ts';
import type { RunBuffers } from './buffers.ts';
import type { GpuPast } from './past.ts';
import type { Sequence } from './tokenSequence.ts';

/** Phase k of a batch: [S, B] the step that each row begins with; RESTS: it does not play. */
export type Phase = { readonly k: number; readonly begins: Uint32Array };

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;

/**
 * Batches that several versions play: the recorded rollout runs once for every turn (engine/turns.ts), over the steps that
 * fall into it, each time with the weights of that turn. No network knows of it; the world lets those wait whose turn it
 * is not.
 */
export class GpuTurns {
  /** [S, k + 1] units of the batch by the version that played them: version v in place v mod (k + 1) */
  readonly played: GPUBuffer;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly past: GpuPast;
  private readonly count: CommandList;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers, past: GpuPast) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.past = past;
    this.played = gpu.buffer('report', plan.S * (plan.behavior.lag + 1), STORAGE);
    b.all.push(this.played);
    this.count = new CommandList(gpu, 'ages', b.all);
  }

  async record(): Promise<void> {
    const { plan, b, played, count } = this;
    const { S, B, T, behavior, policy } = plan;
    const { turns, length } = b.columns;
    const sizes = { S, B, T, versions: behavior.lag + 1 };
    const tree = wordsOf(policy);
    if (!b.tokens || !tree)
      return count.add(kernels.turnSteps, { turns, length, played }, { ...sizes, J: 0, masked: 0, decisions: 0 }, [
        1,
        1,
        S,
      ]);
    const { prefixes, masked, decisions } = tree;
    const words = { grammar: b.tokens.grammar, commands: b.columns.command };
    const dims = { ...sizes, J: prefixes.length, masked: Number(masked), decisions };
    await count.add(kernels.turnWords, { turns, length, played, ...words }, dims, [1, 1, S]);
  }

  /**
   * Plays the batch of an update, or the rows of one phase of it; then the weights with which the update began stand where
   * those that play do.
   */
  play(tasks: Tasks, rollout: Sequence, phase: Phase | null = null): void {
    const { gpu, plan, b, past, played } = this;
    const { queue } = gpu.device;
    const slots = plan.behavior.lag + 1;
    const submit = (encode: (encoder: GPUCommandEncoder) => void): void => {
      const encoder = gpu.device.createCommandEncoder({ label: 'turn' });
      encode(encoder);
      queue.submit([encoder.finish()]);
    };
    if (!phase || phase.k === 0) submit((encoder) => encoder.clearBuffer(played));
    const turns = turnsOf(plan, tasks).map((turn) => (phase ? within(turn, phase.begins) : turn));
    for (const [k, { versions, spans, from, to }] of turns.entries()) {
      const words = Uint32Array.from([...spans, ...versions.map((version) => version % slots)]);
      queue.writeBuffer(b.result, b.columns.turns.offset, words);
      submit((encoder) => versions.forEach((version, s) => past.put(encoder, version, s)));
      rollout.submit(gpu.device, 'train', { range: { from: k === 0 && !(phase && phase.k > 0) ? -1 : from, to } });
      submit((encoder) => this.count.encode(encoder));
    }
    submit((encoder) => plan.seeds.forEach((_, s) => past.put(encoder, tasks.update, s)));
  }

  /** The version of every unit of the last batch of replica s, from what was read of `played`. */
  unitVersions(played: Uint32Array, update: number, s: number): number[] {
    const slots = this.plan.behavior.lag + 1;
    const versions = Array.from({ length: Math.min(update + 1, slots) }, (_, age) => update - age);
    return versions.flatMap((v) => Array<number>(played[s * slots + (v % slots)]!).fill(v));
  }
}
