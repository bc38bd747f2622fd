import { sum } from '../../../core/stats.ts';
import type { Arrays } from '../../arrays.ts';
import type { Plan, Tasks } from '../../plan.ts';
import { askAbout, type Asking } from '../asking.ts';
import { beat } from '../beat.ts';
import type { Play } from '../lockstep.ts';
import { bytesIn } from '../batches.ts';
import { emptyTally, makeCpuPolicy, type CpuPolicy, type Learning, type Tally } from '../policy.ts';
import { addUnmeasured, walk, type Chunk, type Spread } from '../update.ts';
import { Board } from './board.ts';
import { coresFor, LEARNING, PLAYING, workOf } from '../../../config/coresFor.ts';
import { NOT_FINITE, RowCore } from './rowCore.ts';
import type { Played, RowLink } from './rowHand.ts';
import { writeJob, type RowJob } from './rowJob.ts';
import { chunkSizes, makeRowMemory, sharedColumns, waveOf, type RowMemory } from './rowMemory.ts';
import { splitsOf, type Splits } from './splits.ts';
import { addLog } from './tallyLog.ts';

type Weights = Pick<Learning, 'theta' | 'reference'>;
type RowColumns = { readonly arrays: Arrays; readonly made: Arrays };
/** Other cores: far ones, and for tests some that work in this thread. */
export type Others = { readonly links: readonly RowLink[]; readonly near?: number };
/** `least`: products that pay for a core, `looks`: how often one waits for a silent one, where not the usual numbers. */
export type RowCores = Others & { readonly least?: number | undefined; readonly looks?: number | undefined };

/** The cores of a run while others take part, and where all of them read and write. */
type Crew = {
  readonly links: readonly RowLink[];
  /** those that work here: this core, and in tests others of the same thread */
  readonly near: readonly RowCore[];
  readonly memory: RowMemory;
  readonly board: Board;
};

/** The rows of one replica at a time spread over cores: the bits of one core, whatever their number. */
export class Rows implements Spread {
  /** of a run that has them from its start to its end */
  readonly cores: number;
  /** cores that take part at most, between two updates anything from one to those that are there: the bits are the same */
  limit = 1;
  readonly splits: Splits;
  /** resolves when the other cores can be asked */
  readonly ready: Promise<unknown>;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly columns: RowColumns;
  private links: readonly RowLink[] = [];
  private crew: Crew | null = null;
  /** this core: its share in the memory of the network is taken once */
  private own: RowCore | null = null;
  private readonly wave: number;
  private session = 0;
  /** other cores that take part at the moment */
  private entered = 0;
  private learns = false;
  private readonly least: number | undefined;
  private readonly looks: number | undefined;

  constructor(plan: Plan, policy: CpuPolicy, columns: RowColumns, { least, looks, ...others }: RowCores) {
    this.plan = plan;
    this.policy = policy;
    this.columns = columns;
    this.least = least;
    this.looks = looks;
    this.cores = 1 + others.links.length + (others.near ?? 0);
    this.splits = splitsOf(plan);
    this.wave = waveOf(plan, policy);
    this.ready = this.hire(others);
  }

  /** Other cores take part from when all of them can be asked. */
  async hire({ links, near = 0 }: Others): Promise<void> {
    if (links.length + near === 0) return;
    const { plan, policy, columns } = this;
    this.links = links;
    const memory = makeRowMemory(plan, policy, columns.arrays, columns.made);
    await Promise.all(links.map((link) => link.open(plan.config, memory)));
    // let go meanwhile
    if (this.links !== links) return;
    const place = { memory, board: new Board(memory.board, this.looks) };
    this.own ??= new RowCore(plan, policy, place, false);
    this.own.moveTo(place);
    const other = (): CpuPolicy => makeCpuPolicy(plan, RowCore.floats(plan, true));
    const others = Array.from({ length: near }, () => new RowCore(plan, other(), place, true));
    this.crew = { links, near: [this.own, ...others], ...place };
    this.limit = 1 + links.length + near;
  }

  /** The other cores are free for something else, between two updates; the run goes on with one. */
  release(): void {
    this.leave();
    for (const link of this.links) link.close();
    this.links = [];
    this.crew = null;
    this.limit = 1;
  }

  /** Plays the fresh rows of a replica, with what is after their last steps; undefined: this is left to one core. */
  readonly play = (play: Play): boolean | undefined => {
    const { plan } = this;
    const { s, mode, tasks } = play;
    if (mode === 'side' || play.policy !== this.policy) return undefined;
    if ((mode === 'train' ? this.splits.rollout : this.splits.measuring) !== null) return undefined;
    const cores = coresFor(workOf(plan, plan.B * plan.T, PLAYING) / 2, this.limit, this.least);
    if (cores === 1) return undefined;
    this.enter({ update: tasks.update, mode, chosen: tasks.chosen }, cores);
    const theta = play.weightsOf(s * plan.B, 0);
    // two parts for each core, so that one with short episodes goes on with the next
    const parts = Math.min(plan.B, 2 * cores);
    this.run({ kind: 'play', s, mode, update: tasks.update, parts }, parts, { theta, reference: theta }, tasks);
    this.leave();
    return this.crew!.board.flags !== NOT_FINITE;
  };

  /** Looks at a replica follow, until `rest`: the other cores stay awake in between. */
  begin(): void {
    this.learns = true;
  }

  rest(): void {
    this.learns = false;
    this.leave();
  }

  accumulate(chunk: Chunk, trajectories: Uint32Array, learning: Learning): boolean {
    const { plan, policy, wave } = this;
    const { gradient, arrays, s, tally } = learning;
    const takesGradient = gradient !== null;
    const cores = this.coresOf(trajectories, arrays, s, takesGradient ? LEARNING : PLAYING);
    if (!this.learns || cores === 1) return false;
    this.enter(null, cores);
    const { memory } = this.crew!;
    if (gradient) memory.gradient.set(gradient);
    const others = emptyTally();
    const kept: Tally[] = [];
    const flush = (): void => {
      if (kept.length > 0) this.flush(kept, learning);
      kept.length = 0;
    };
    walk(plan, policy, chunk, { trajectories, learning }, (n, counts) => {
      const at = kept.length * policy.chunk;
      memory.step.set(chunk.step.subarray(0, n), at);
      memory.weight.set(chunk.weight.subarray(0, n), at);
      memory.count[kept.length] = n;
      kept.push(counts ? tally : others);
      if (kept.length === wave) flush();
    });
    flush();
    addUnmeasured(tally, others);
    if (gradient) gradient.set(memory.gradient);
    return true;
  }

  ask({ arrays, theta, s, step }: Omit<Asking, 'n'>, trajectories: Uint32Array): boolean {
    const { plan, policy, wave } = this;
    const cores = this.coresOf(trajectories, arrays, s, PLAYING);
    if (!this.learns || cores === 1) return false;
    this.enter(null, cores);
    const { memory } = this.crew!;
    let chunks = 0;
    const flush = (): void => {
      if (chunks > 0) this.run({ kind: 'ask', s }, chunks, { theta, reference: theta });
      chunks = 0;
    };
    const note = ({ n }: Asking): void => {
      memory.step.set(step.subarray(0, n), chunks * policy.chunk);
      memory.count[chunks] = n;
      if (++chunks === wave) flush();
    };
    askAbout(plan, { arrays, theta, s, step }, note, trajectories);
    flush();
    return true;
  }

  /** How many cores the chunks of these trajectories are worth, each of which is passed through so often. */
  private coresOf(trajectories: Uint32Array, { length }: Arrays, s: number, passes: number): number {
    const { plan, policy } = this;
    const steps = sum(Array.from(trajectories, (i) => length[s * plan.B + i]!));
    return Math.min(Math.ceil(steps / policy.chunk), coresFor(workOf(plan, steps, passes), this.limit, this.least));
  }

  /** Works on the chunks of a wave, and adds up what they left; `tallies`: of each the one that it counts in. */
  private flush(tallies: readonly Tally[], learning: Learning): void {
    const { plan, policy, limit } = this;
    const { memory } = this.crew!;
    const { gradient, target, mark, unitA, s, live, policyWeight = 1 } = learning;
    const has = { hasTarget: Boolean(target), hasMark: Boolean(mark), hasUnitA: Boolean(unitA) };
    const look = { kind: 'look', s, live, policyWeight, takesGradient: gradient !== null, ...has } as const;
    const chunks = tallies.length;
    this.run(look, chunks, learning);
    const { log } = chunkSizes(plan, policy);
    const units = policy.chunk * policy.unitsMax;
    tallies.forEach((tally, c) => addLog(tally, memory.log.subarray(c * log, (c + 1) * log), units));
    const columns = policy.first ? limit : 0;
    if (gradient) this.run({ kind: 'sum', chunks, columns, parts: limit }, columns + limit, learning);
  }

  /** Does a job together with whoever takes part. */
  private run(job: RowJob, items: number, weights: Weights, tasks?: Tasks): void {
    const { plan } = this;
    const { board, memory, near } = this.crew!;
    board.prepare();
    if (job.kind !== 'sum') {
      const { size } = plan.layout;
      const own = (all: Float32Array): Float32Array => all.subarray(job.s * size, (job.s + 1) * size);
      own(memory.theta).set(own(weights.theta));
      if (job.kind === 'look' && job.live.klCoef > 0) own(memory.reference).set(own(weights.reference));
    }
    writeJob(job, memory.job);
    board.open(items);
    const here = near.slice(0, this.limit - this.entered);
    for (const core of here) core.begin(weights);
    let turn = 0;
    for (let item = board.take(); item >= 0; item = board.take()) {
      here[turn++ % here.length]!.do(item, tasks ? () => tasks : null);
      board.finish();
    }
    board.await(items, beat);
  }

  /** Calls other cores into a session; one that comes late does less. */
  private enter(played: Played | null, cores: number): void {
    const { board, links } = this.crew!;
    if (this.entered === 0) board.setSession(++this.session);
    for (; this.entered < Math.min(cores - 1, links.length); this.entered++)
      links[this.entered]!.enter(this.session, played);
  }

  private leave(): void {
    if (this.entered > 0) this.crew!.board.setSession(0);
    this.entered = 0;
  }

  /** besides the columns */
  get bytes(): number {
    if (!this.crew) return 0;
    const { columns: _columns, made: _made, board, ...arrays } = this.crew.memory;
    return bytesIn([board, ...Object.values(arrays)]);
  }
}

/** Makes them for a backend, once its columns are there. */
export type MakeRows = {
  share(columns: Arrays): Arrays;
  floats(plan: Plan): number;
  open(plan: Plan, policy: CpuPolicy, columns: RowColumns): Rows;
};

/** Rows that are spread over these cores. */
export const rowsOn = (cores: RowCores): MakeRows => ({
  share: sharedColumns,
  floats: (plan) => RowCore.floats(plan, false),
  open: (plan, policy, columns) => new Rows(plan, policy, columns, cores),
});
