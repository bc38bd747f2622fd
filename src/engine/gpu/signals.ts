import { signalNames, type SignalName } from '../../contract/signals.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { kernels, signalStatesWith } from '../../gpu/shaders/kernels.ts';
import { potentialId, signalDims, signalLength } from '../../gpu/signalDims.ts';
import { TOLD_WORDS } from '../../contract/signalSteps.ts';
import type { Plan, Tasks } from '../plan.ts';
import { potentialOf, signalRuleOf, SignalTables, signalsOfPlan } from '../signalTables.ts';
import type { RunBuffers } from './buffers.ts';
import { linkedWorld } from './worldList.ts';

const STORAGE = 0x80 | 0x04 | 0x08;

/** Signals of finished batches on the device, from the states that were played: rollouts know nothing of them. */
export class GpuSignals {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly made: SignalTables;
  private readonly places: Partial<Record<SignalName, number>> = {};
  private readonly told: GPUBuffer;
  private readonly state: GPUBuffer;
  private readonly out: GPUBuffer;
  /** where the table of the level of each row begins, then the tables */
  private tables: GPUBuffer;
  private held: readonly unknown[] | null = null;
  private at: number[] = [];

  /** Null where no module needs a signal. */
  static of(gpu: Gpu, plan: Plan, b: RunBuffers): GpuSignals | null {
    return signalsOfPlan(plan).length > 0 ? new GpuSignals(gpu, plan, b) : null;
  }

  private constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    const { S, B, T, P, env } = plan;
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.made = new SignalTables(plan);
    let size = 0;
    for (const name of signalsOfPlan(plan)) {
      this.places[name] = size;
      size += Math.ceil(signalLength(name, S * B, T) / 64) * 64;
    }
    this.out = this.make(size);
    this.told = this.make(S * B * (T + 1) * TOLD_WORDS);
    this.state = this.make(S * B * (T + 1) * env.words);
    const first = this.made.of(plan.level(plan.firstLevelSeed)).length;
    this.tables = this.make(S * B + 2 * S * P * first);
  }

  private make(words: number): GPUBuffer {
    const buffer = this.gpu.buffer('batch', words, STORAGE);
    this.b.all.push(buffer);
    return buffer;
  }

  /** A signal of all replicas. */
  slice(name: SignalName): Slice {
    const place = this.places[name];
    if (place === undefined) throw new Error(`This run does not make the signal ${name}.`);
    return {
      buffer: this.out,
      offset: 4 * place,
      size: 4 * signalLength(name, this.plan.S * this.plan.B, this.plan.T),
    };
  }

  /** Makes those of these columns that are signals known among the columns of the batch. */
  keep(names: readonly string[]): void {
    for (const name of signalNames) if (names.includes(name)) this.b.batch.keep(name, this.slice(name));
  }

  /** Puts the tables of the levels of a batch on the device; false where they had to move, and lists are to be recorded anew. */
  put(tasks: Tasks): boolean {
    const { plan, gpu } = this;
    const rows = plan.S * plan.B;
    const { levels, levelOf } = tasks;
    const same = this.held?.length === levels.length && this.held.every((level, k) => level === levels[k]);
    let fits = true;
    if (!same) {
      const tables = levels.map((level) => this.made.of(level));
      this.at = [];
      let end = rows;
      for (const table of tables) {
        this.at.push(end);
        end += table.length;
      }
      fits = 4 * end <= this.tables.size;
      if (!fits) this.tables = this.make(2 * end);
      tables.forEach((table, k) => {
        gpu.device.queue.writeBuffer(this.tables, 4 * this.at[k]!, table as Uint32Array<ArrayBuffer>);
      });
      this.held = levels;
    }
    const places = Uint32Array.from({ length: rows }, (_, row) => this.at[levelOf[row]!]!);
    gpu.device.queue.writeBuffer(this.tables, 0, places);
    return fits;
  }

  /** Adds what makes the signals of a batch that was played. */
  async addTo(list: CommandList): Promise<void> {
    const { plan, b, tables, state, told, out } = this;
    const { S, B, T, env, bareEnv } = plan;
    const { action, length, stateKey: key, ending } = b.columns;
    const { levels } = b;
    const rows = S * B;
    const groups = [Math.ceil((rows * (T + 1)) / 64)] as const;
    await list.add(
      signalStatesWith(await linkedWorld(plan), (await env.signals!.wgsl()).tell),
      { levels, played: b.state, action, length, tables, state, told },
      {
        ...{ rows, T, words: env.words, before: env.words - bareEnv.words },
        ...{ assignAt: b.assignAt, potential: potentialId(potentialOf(plan).of) },
      },
      groups,
    );
    const dims = signalDims(rows, T, signalRuleOf(plan), this.places);
    await list.add(kernels.signalSteps, { told, key, action, length, ending, out }, dims, groups);
  }
}
