import type { Gpu } from '../../gpu/device.ts';
import { levelTable, NONE, PLACE_WORDS } from '../../gpu/levelTable.ts';
import type { GpuNetwork } from '../../gpu/network.ts';
import { whole } from '../../gpu/recorder.ts';
import { induction, stepAdvantage } from '../../gpu/shaders/scoreKernels.ts';
import { outputsOf } from '../../networks/policy.ts';
import { seenStates } from '../exactValues.ts';
import { ListedStates } from '../listedStates.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { DeviceScores } from './deviceScores.ts';
import { pacedList } from './pace.ts';
import type { Sequence } from './tokenSequence.ts';

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;
/** A room that has become too small grows to more than is asked for, as levels differ in size. */
const SPARE = 1.25;

/** A level that a replica meets in a batch. */
type Met = { readonly level: unknown; readonly seed: number; readonly s: number };
/** What a device is told of a level: its states and their values in number, its words, and what is seen in every state. */
type Told = {
  readonly states: number;
  readonly values: number;
  readonly table: Uint32Array;
  readonly obs: Uint32Array;
};

/** How much room lists take: words, states of one replica, values. */
type Sizes = { readonly words: number; readonly states: number; readonly values: number };
type Room = Sizes & {
  readonly tables: GPUBuffer;
  readonly obs: GPUBuffer;
  readonly logits: GPUBuffer;
  readonly probs: GPUBuffer;
  readonly valueOf: GPUBuffer;
  readonly network: GpuNetwork;
};

/**
 * ψ = Q_t(s, a) − V_t(s) of the policy that trains, on the device: see `exact` of the CPU. States of the levels are listed here when
 * they change; π of all of them, values and scores are dispatches, so that an update reads nothing back.
 */
export class GpuExactScores implements DeviceScores {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly theta: GPUBuffer;
  private readonly gamma: number;
  private readonly listed: ListedStates;
  private readonly score: GPUBuffer;
  /** levels that all replicas may meet in a batch */
  private readonly places: number;
  private room: Room;
  /** those of the batch before, and what was told of their levels; null: too large to be listed */
  private held: readonly Met[] = [];
  private told: ReadonlyMap<unknown, Told | null> = new Map();
  private sequence: Sequence | null = null;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers, of: { readonly theta: GPUBuffer; readonly gamma: number }) {
    const { S, B, T, P, env, levels } = plan;
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.theta = of.theta;
    this.gamma = of.gamma;
    this.listed = new ListedStates(plan);
    this.score = this.make('batch', S * B * T);
    b.batch.keep('processScore', whole(this.score));
    const variants = env.deal?.count ?? 1;
    const each = Math.min(B, P * variants);
    this.places = S * each;
    const first = { level: plan.level(plan.firstLevelSeed), seed: plan.firstLevelSeed };
    // as if all levels were like the first
    const likely = levels === 0 ? each : Math.min(each, levels * variants);
    const met = Array.from({ length: S * likely }, (_, k): Met => ({ ...first, s: k % S }));
    this.told = this.tell(met);
    this.room = this.roomFor(this.sizesOf(met));
  }

  private make(label: string, words: number): GPUBuffer {
    const buffer = this.gpu.buffer(label, words, STORAGE);
    this.b.all.push(buffer);
    return buffer;
  }

  /** Words before the tables: where the place of each row is, and the places. */
  private get head(): number {
    return this.plan.S * this.plan.B + PLACE_WORDS * this.places;
  }

  /** What there is to tell of these levels. */
  private tell(met: readonly Met[]): ReadonlyMap<unknown, Told | null> {
    const { env } = this.plan;
    const told = new Map<unknown, Told | null>();
    for (const { level, seed } of met) {
      if (told.has(level)) continue;
      const known = this.told.get(level);
      const all = known === undefined ? this.listed.of(level) : null;
      if (!all) {
        told.set(level, known ?? null);
        continue;
      }
      const { model, states } = all;
      const limit = env.maxSteps(level);
      const { obs, legal } = seenStates(this.plan, seed, all);
      const table = levelTable({ model, states, legal, limit });
      told.set(level, { states: model.states, values: model.states * limit, table, obs });
    }
    return told;
  }

  private sizesOf(met: readonly Met[]): Sizes {
    const states = new Uint32Array(this.plan.S).fill(1);
    let values = 1;
    for (const { level, s } of met) {
      const told = this.told.get(level);
      states[s]! += told?.states ?? 0;
      values += told?.values ?? 0;
    }
    const words = [...this.told.values()].reduce((n, told) => n + (told?.table.length ?? 0), this.head);
    return { words, states: Math.max(...states), values };
  }

  private roomFor({ words, states, values }: Sizes): Room {
    const { gpu, plan, b } = this;
    const { S, obsWords, actions } = plan;
    // a trajectory of one step for every state, which only its first slot is asked about
    const obs = this.make('tasks', S * states * 2 * obsWords);
    const batch = { gpu, S, B: states, T: 1, obsWords, obs, length: b.columns.length };
    const { partials, gradient } = b;
    return {
      ...{ words, states, values, obs },
      tables: this.make('tasks', words),
      logits: this.make('activations', S * states * outputsOf(plan)),
      probs: this.make('activations', S * states * actions),
      valueOf: this.make('activations', values),
      network: b.recording.answers!(plan.policy, {
        ...{ ...batch, partials, gradient },
        make: (floats) => this.make('activations', floats),
      }),
    };
  }

  async record(): Promise<void> {
    const { gpu, plan, b, theta, gamma, score, places, room } = this;
    const { S, B, T, actions, env, temperature } = plan;
    const { tables, logits, probs, valueOf: values, network } = room;
    const rows = S * B;
    const of = { rows, actions, words: env.words, gamma };
    this.sequence = await pacedList(gpu, plan, b.all, 'scores', async (list) => {
      await network.addForward(list, theta, logits, { slot: 0 });
      const told = { ...of, outputs: outputsOf(plan), inverse: 1 / temperature };
      await list.add(induction, { tables, logits, probs, values }, told, [places]);
      const { action, length } = b.columns;
      const buffers = { tables, values, played: b.state, action, length, y: score };
      await list.add(stepAdvantage, buffers, { ...of, T }, [Math.ceil((rows * T) / 64)]);
    });
  }

  fill(tasks: Tasks): void | Promise<void> {
    if (this.put(tasks)) return this.submit();
    return this.record().then(() => this.submit());
  }

  private submit(): void {
    this.sequence!.submit(this.gpu.device, 'scores');
  }

  /** Tells the device the levels of a batch; false where they needed another room, and lists are to be recorded anew. */
  private put({ levels, levelOf, levelSeeds }: Tasks): boolean {
    const { gpu, plan, held } = this;
    const rows = plan.S * plan.B;
    const known = new Map<number, number>();
    const met: Met[] = [];
    const placeOf = Uint32Array.from({ length: rows }, (_, row) => {
      const [k, s] = [levelOf[row]!, Math.floor(row / plan.B)];
      const name = k * plan.S + s;
      if (!known.has(name)) known.set(name, met.push({ level: levels[k], seed: levelSeeds[k]!, s }) - 1);
      return known.get(name)!;
    });
    const isSame = met.length === held.length && met.every((m, k) => m.level === held[k]!.level && m.s === held[k]!.s);
    const fits = isSame || this.putLevels(met);
    const words = placeOf.map((place) => (this.told.get(met[place]!.level) ? rows + PLACE_WORDS * place : NONE));
    gpu.device.queue.writeBuffer(this.room.tables, 0, words);
    return fits;
  }

  private putLevels(met: readonly Met[]): boolean {
    const { gpu, plan } = this;
    const { S, B, obsWords } = plan;
    const { queue } = gpu.device;
    this.held = met;
    this.told = this.tell(met);
    const sizes = this.sizesOf(met);
    const fits = (['words', 'states', 'values'] as const).every((of) => sizes[of] <= this.room[of]);
    if (!fits) this.room = this.roomFor(larger(sizes, this.room));
    const { room } = this;
    const words = new Uint32Array(sizes.words);
    const tableAt = new Map<Told, number>();
    let end = this.head;
    for (const told of this.told.values()) {
      if (!told) continue;
      words.set(told.table, end);
      tableAt.set(told, end);
      end += told.table.length;
    }
    const seen = new Uint32Array(S * room.states * 2 * obsWords);
    const used = new Uint32Array(S);
    let value = 0;
    met.forEach(({ level, s }, place) => {
      const told = this.told.get(level);
      if (!told) return;
      const first = s * room.states + used[s]!;
      words.set([tableAt.get(told)!, first, value, 1], S * B + PLACE_WORDS * place);
      for (let k = 0; k < told.states; k++)
        seen.set(told.obs.subarray(k * obsWords, (k + 1) * obsWords), (first + k) * 2 * obsWords);
      used[s]! += told.states;
      value += told.values;
    });
    queue.writeBuffer(room.tables, 0, words);
    queue.writeBuffer(room.obs, 0, seen);
    return fits;
  }
}

/** Room for these sizes and some more, in nothing less than before. */
function larger(sizes: Sizes, before: Sizes): Sizes {
  const of = (name: keyof Sizes): number =>
    sizes[name] <= before[name] ? before[name] : Math.ceil(SPARE * sizes[name]);
  return { words: of('words'), states: of('states'), values: of('values') };
}
