import { coresFor, LEARNING, PLAYING, workOf } from '../../../config/coresFor.ts';
import { sum } from '../../../core/stats.ts';
import { makeArrays, type Arrays } from '../../arrays.ts';
import type { Plan } from '../../plan.ts';
import { until, type Waiting } from '../../waiting.ts';
import { askings, type Asking } from '../asking.ts';
import { bytesIn } from '../batches.ts';
import type { Play } from '../lockstep.ts';
import { emptyTally, type CpuPolicy, type Learning, type Tally } from '../policy.ts';
import { RestrictedPlayer } from '../restricted.ts';
import { sitesBeside, type Sites } from '../sites.ts';
import { addUnmeasured, walk, type Chunk, type Spread } from '../update.ts';
import type { Crew, Others, RowColumns } from './crew.ts';
import { NOT_FINITE, RowCore, type Place } from './rowCore.ts';
import { chunkSizes } from './rowMemory.ts';
import { takeCame, tellRows, tellVersions } from './rowTasks.ts';
import { addLog } from './tallyLog.ts';

/** Columns of a batch, and of what an update makes of it. */
type BatchColumns = { readonly arrays: Arrays; readonly made: Arrays };

/** What a run of several cores is given; `least`: products that pay for a core, where not the usual number. */
export type RowCores = {
  /** makes columns that other cores can use */
  readonly share: (columns: Arrays) => Arrays;
  readonly others?: Others;
  readonly least?: number | undefined;
};

/** The rows of one replica at a time spread over cores: the bits of one core, whatever their number. */
export class Rows implements Spread {
  /** of a run that has them from its start to its end */
  readonly cores: number;
  /** cores that take part at most, between two updates anything from one to those that are there: the bits are the same */
  limit = 1;
  /** resolves when the other cores can be asked */
  readonly ready: Promise<unknown>;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly columns: RowColumns;
  /** columns of all that is played: other cores see them, too */
  readonly sites: Sites;
  private others: Others | null = null;
  private crew: Crew | null = null;
  /** this core: its share in the memory of the network is taken once */
  private core: RowCore | null = null;
  private learns = false;
  private readonly least: number | undefined;

  constructor(plan: Plan, policy: CpuPolicy, { arrays, made }: BatchColumns, { least, others, share }: RowCores) {
    this.plan = plan;
    this.policy = policy;
    const make = (of: Plan): Arrays => share(makeArrays(of));
    const round = plan.scheme?.round ? { round: { plan, arrays: make(plan) } } : {};
    this.sites = { batch: { plan, arrays }, ...round, ...sitesBeside(plan, make) };
    this.columns = { sites: this.sites, made };
    this.least = least;
    this.cores = 1 + (others?.count ?? 0);
    this.ready = others ? this.hire(others) : Promise.resolve();
  }

  /** Other cores take part from when all of them can be asked. */
  async hire(others: Others): Promise<void> {
    if (others.count === 0) return;
    const { plan, policy, columns } = this;
    this.others = others;
    const own = (place: Place): RowCore => {
      this.core ??= new RowCore(plan, policy, place, false);
      this.core.moveTo(place);
      return this.core;
    };
    const crew = await others.call({ plan, policy, columns, own });
    // let go meanwhile
    if (this.others !== others) return;
    this.crew = crew;
    this.limit = 1 + others.count;
  }

  /** The other cores are free for something else, between two updates; the run goes on with one. */
  release(): void {
    this.crew?.leave();
    this.others?.close();
    this.others = this.crew = null;
    this.limit = 1;
  }

  *play(play: Play, first: number, begins: readonly number[]): Waiting<boolean | undefined> {
    const { crew } = this;
    const { plan, s, mode, tasks, shows, memory, site = 'batch', round = 0 } = play;
    const restricted = play.policy instanceof RestrictedPlayer ? play.policy : null;
    const count = begins.length;
    const steps = count * plan.T - sum(begins);
    // episodes may be short, and there is one row for a core at least
    const cores = Math.min(count, coresFor(workOf(plan, steps, PLAYING) / 2, this.limit, this.least));
    if (!crew || cores < 2) return undefined;
    tellRows(play, first, begins, crew.memory);
    if (shows) for (const [name, array] of Object.entries(crew.memory.remembered)) array.set(memory![name]!);
    const versions = tellVersions(play, first, begins, crew.memory);
    crew.enter(cores);
    const theta = versions[0]!;
    // two parts for each core, so that one with short episodes goes on with the next
    const parts = Math.min(count, 2 * cores);
    const { update } = tasks;
    const job = {
      kind: 'play',
      s,
      mode,
      site,
      update,
      first: first - s * plan.B,
      count,
      parts,
      round,
      versions: versions.length,
      isRestricted: restricted !== null,
      shows: Boolean(shows),
    } as const;
    const reference = restricted?.weights ?? theta;
    const flags = yield* until(crew.run(job, parts, { theta, reference, versions }));
    crew.leave();
    restricted?.count(crew.memory.removed.subarray(0, 2 * parts));
    takeCame(play, first, count, crew.memory);
    return flags !== NOT_FINITE;
  }

  /** Looks at a replica follow, until `rest`: the other cores stay awake in between. */
  begin(): void {
    this.learns = true;
  }

  rest(): void {
    this.learns = false;
    this.crew?.leave();
  }

  *accumulate(chunk: Chunk, trajectories: Uint32Array, learning: Learning): Waiting<boolean> {
    const { plan, policy, crew } = this;
    const { gradient, arrays, s, tally } = learning;
    const takesGradient = gradient !== null;
    const cores = this.coresOf(trajectories, arrays, s, takesGradient ? LEARNING : PLAYING);
    if (!crew || !this.learns || cores === 1) return false;
    crew.enter(cores);
    const { memory, wave } = crew;
    if (gradient) memory.gradient.set(gradient);
    const others = emptyTally();
    const kept: Tally[] = [];
    for (const { n, counts } of walk(plan, policy, chunk, { trajectories, learning })) {
      const at = kept.length * policy.chunk;
      memory.step.set(chunk.step.subarray(0, n), at);
      memory.weight.set(chunk.weight.subarray(0, n), at);
      memory.count[kept.length] = n;
      kept.push(counts ? tally : others);
      if (kept.length === wave) yield* this.flush(crew, kept.splice(0), learning);
    }
    if (kept.length > 0) yield* this.flush(crew, kept, learning);
    addUnmeasured(tally, others);
    if (gradient) gradient.set(memory.gradient);
    return true;
  }

  *ask({ arrays, theta, s, step }: Omit<Asking, 'n'>, trajectories: Uint32Array): Waiting<boolean> {
    const { plan, policy, crew } = this;
    const cores = this.coresOf(trajectories, arrays, s, PLAYING);
    if (!crew || !this.learns || cores === 1) return false;
    crew.enter(cores);
    const { memory, wave } = crew;
    const asks = (chunks: number) => until(crew.run({ kind: 'ask', s }, chunks, { theta, reference: theta }));
    let chunks = 0;
    for (const { n } of askings(plan, { arrays, theta, s, step }, trajectories)) {
      memory.step.set(step.subarray(0, n), chunks * policy.chunk);
      memory.count[chunks] = n;
      if (++chunks < wave) continue;
      yield* asks(chunks);
      chunks = 0;
    }
    if (chunks > 0) yield* asks(chunks);
    return true;
  }

  /** How many cores the chunks of these trajectories are worth, each of which is passed through so often. */
  private coresOf(trajectories: Uint32Array, { length }: Arrays, s: number, passes: number): number {
    const { plan, policy } = this;
    const steps = sum(Array.from(trajectories, (i) => length[s * plan.B + i]!));
    return Math.min(Math.ceil(steps / policy.chunk), coresFor(workOf(plan, steps, passes), this.limit, this.least));
  }

  /** Works on the chunks of a wave, and adds up what they left; `tallies`: of each the one that it counts in. */
  private *flush(crew: Crew, tallies: readonly Tally[], learning: Learning): Waiting {
    const { plan, policy } = this;
    const { gradient, target, mark, unitA, s, live, policyWeight = 1 } = learning;
    const has = { hasTarget: Boolean(target), hasMark: Boolean(mark), hasUnitA: Boolean(unitA) };
    const look = { kind: 'look', s, live, policyWeight, takesGradient: gradient !== null, ...has } as const;
    const chunks = tallies.length;
    yield* until(crew.run(look, chunks, learning));
    const { log } = chunkSizes(plan, policy);
    const units = policy.chunk * policy.unitsMax;
    tallies.forEach((tally, c) => addLog(tally, crew.memory.log.subarray(c * log, (c + 1) * log), units));
    const parts = crew.adders(this.limit);
    const columns = policy.first ? parts : 0;
    if (gradient) yield* until(crew.run({ kind: 'sum', chunks, columns, parts }, columns + parts, learning));
  }

  /** besides the columns */
  get bytes(): number {
    if (!this.crew) return 0;
    const { columns: _columns, made: _made, sites: _sites, remembered, ...arrays } = this.crew.memory;
    return bytesIn([...Object.values(arrays), ...Object.values(remembered)]);
  }
}

/** Makes them for a backend, once its columns are there. */
export type MakeRows = {
  share(columns: Arrays): Arrays;
  floats(plan: Plan): number;
  open(plan: Plan, policy: CpuPolicy, columns: BatchColumns): Rows;
};

/** Rows that are spread over these cores. */
export const rowsOn = (cores: RowCores): MakeRows => ({
  share: cores.share,
  floats: (plan) => RowCore.floats(plan, false),
  open: (plan, policy, columns) => new Rows(plan, policy, columns, cores),
});
