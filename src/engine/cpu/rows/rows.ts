import { sum } from '../../../core/stats.ts';
import type { Arrays } from '../../arrays.ts';
import type { Plan, Tasks } from '../../plan.ts';
import { beat } from '../beat.ts';
import type { Play } from '../lockstep.ts';
import { bytesIn } from '../batches.ts';
import { emptyTally, makeCpuPolicy, type CpuPolicy, type Learning, type Tally } from '../policy.ts';
import { addUnmeasured, walk, type Chunk, type Spread } from '../update.ts';
import { Board } from './board.ts';
import { coresFor, LEARNING, PLAYING, workOf } from './coresFor.ts';
import { NOT_FINITE, RowCore } from './rowCore.ts';
import type { Played, RowLink } from './rowHand.ts';
import { writeJob, type RowJob } from './rowJob.ts';
import { chunkSizes, makeRowMemory, sharedColumns, waveOf, type RowMemory } from './rowMemory.ts';
import { splitsOf, type Splits } from './splits.ts';
import { addLog } from './tallyLog.ts';

type Weights = Pick<Learning, 'theta' | 'reference'>;
type RowColumns = { readonly arrays: Arrays; readonly made: Arrays };
/** Other cores: far ones, and for tests some that work in this thread. */
export type RowCores = {
  readonly links: readonly RowLink[];
  readonly near?: number;
  readonly least?: number | undefined;
};

/** The rows of one replica at a time spread over cores: the bits of one core, whatever their number. */
export class Rows implements Spread {
  readonly cores: number;
  readonly splits: Splits;
  /** resolves when the other cores can be asked */
  readonly ready: Promise<unknown>;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly links: readonly RowLink[];
  private readonly memory: RowMemory;
  private readonly board: Board;
  /** those that work here: this core, and in tests others of the same thread */
  private readonly near: readonly RowCore[];
  private readonly wave: number;
  private session = 0;
  /** other cores that take part at the moment */
  private entered = 0;
  private learns = false;
  private readonly least: number | undefined;

  /** `near`: cores besides that work in this thread, in turn; `least`: products that pay for a core, if not the usual ones */
  constructor(plan: Plan, policy: CpuPolicy, columns: RowColumns, { links, near = 0, least }: RowCores) {
    this.plan = plan;
    this.policy = policy;
    this.links = links;
    this.least = least;
    this.cores = 1 + links.length + near;
    this.splits = splitsOf(plan, policy);
    const memory = (this.memory = makeRowMemory(plan, policy, columns.arrays, columns.made));
    const board = (this.board = new Board(memory.board));
    const other = (): CpuPolicy => makeCpuPolicy(plan, RowCore.floats(plan, true));
    this.near = [
      new RowCore(plan, policy, { memory, board }, false),
      ...Array.from({ length: near }, () => new RowCore(plan, other(), { memory, board }, true)),
    ];
    this.wave = waveOf(plan, policy);
    this.ready = Promise.all(links.map((link) => link.open(plan.config, memory)));
  }

  /** Plays the fresh rows of a replica, with what is after their last steps; undefined: this is left to one core. */
  readonly play = (play: Play): boolean | undefined => {
    const { plan } = this;
    const { s, mode, tasks } = play;
    if (mode === 'side' || play.policy !== this.policy) return undefined;
    if ((mode === 'train' ? this.splits.rollout : this.splits.measuring) !== null) return undefined;
    const cores = coresFor(workOf(plan, plan.B * plan.T, PLAYING) / 2, this.cores, this.least);
    if (cores === 1) return undefined;
    this.enter({ update: tasks.update, mode, chosen: tasks.chosen }, cores);
    const theta = play.weightsOf(s * plan.B, 0);
    // two parts for each core, so that one with short episodes goes on with the next
    const parts = Math.min(plan.B, 2 * cores);
    this.run({ kind: 'play', s, mode, update: tasks.update, parts }, parts, { theta, reference: theta }, tasks);
    this.leave();
    return this.board.flags !== NOT_FINITE;
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
    const { plan, policy, memory, wave, splits } = this;
    const { gradient, arrays, s, tally } = learning;
    const takesGradient = gradient !== null;
    const steps = sum(Array.from(trajectories, (i) => arrays.length[s * plan.B + i]!));
    const passes = takesGradient ? LEARNING : PLAYING;
    const chunks = Math.ceil(steps / policy.chunk);
    const cores = Math.min(chunks, coresFor(workOf(plan, steps, passes), this.cores, this.least));
    const stays = takesGradient ? splits.learning : splits.looks;
    if (!this.learns || stays !== null || cores === 1) return false;
    this.enter(null, cores);
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

  /** Works on the chunks of a wave, and adds up what they left; `tallies`: of each the one that it counts in. */
  private flush(tallies: readonly Tally[], learning: Learning): void {
    const { memory, plan, policy } = this;
    const { gradient, target, mark, unitA, s, live, policyWeight = 1 } = learning;
    const has = { hasTarget: Boolean(target), hasMark: Boolean(mark), hasUnitA: Boolean(unitA) };
    const look = { kind: 'look', s, live, policyWeight, takesGradient: gradient !== null, ...has } as const;
    const chunks = tallies.length;
    this.run(look, chunks, learning);
    const { log } = chunkSizes(plan, policy);
    const units = policy.chunk * policy.unitsMax;
    tallies.forEach((tally, c) => addLog(tally, memory.log.subarray(c * log, (c + 1) * log), units));
    if (gradient) this.run({ kind: 'sum', chunks, columns: this.cores, parts: this.cores }, 2 * this.cores, learning);
  }

  /** Does a job together with whoever takes part. */
  private run(job: RowJob, items: number, weights: Weights, tasks?: Tasks): void {
    const { board, memory, near, plan } = this;
    board.prepare();
    if (job.kind !== 'sum') {
      const { size } = plan.layout;
      const own = (all: Float32Array): Float32Array => all.subarray(job.s * size, (job.s + 1) * size);
      own(memory.theta).set(own(weights.theta));
      if (job.kind === 'look' && job.live.klCoef > 0) own(memory.reference).set(own(weights.reference));
    }
    writeJob(job, memory.job);
    board.open(items);
    for (const core of near) core.begin(weights);
    let turn = 0;
    for (let item = board.take(); item >= 0; item = board.take()) {
      near[turn++ % near.length]!.do(item, tasks ? () => tasks : null);
      board.finish();
    }
    board.await(items, beat);
  }

  /** Calls other cores into a session; one that comes late does less. */
  private enter(played: Played | null, cores: number): void {
    if (this.entered === 0) this.board.setSession(++this.session);
    for (; this.entered < Math.min(cores - 1, this.links.length); this.entered++)
      this.links[this.entered]!.enter(this.session, played);
  }

  private leave(): void {
    if (this.entered > 0) this.board.setSession(0);
    this.entered = 0;
  }

  /** besides the columns */
  get bytes(): number {
    const { columns: _columns, made: _made, board, ...arrays } = this.memory;
    return bytesIn([board, ...Object.values(arrays)]);
  }

  close(): void {
    this.leave();
    for (const link of this.links) link.close();
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
