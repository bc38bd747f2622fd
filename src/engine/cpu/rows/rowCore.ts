import { part } from '../../../contract/columns.ts';
import type { FirstLayer } from '../../../contract/network.ts';
import type { Plan } from '../../plan.ts';
import { linear, type Observed } from '../../../networks/dense/linear.ts';
import type { Play } from '../lockstep.ts';
import { restrictionOf } from '../../restriction.ts';
import type { CpuPolicy, Learning } from '../policy.ts';
import { RestrictedPlayer } from '../restricted.ts';
import { playHere } from '../rollout.ts';
import { shownOf } from '../shown.ts';
import { plansOf, type Site } from '../sites.ts';
import type { Board } from './board.ts';
import type { Weights as Given } from './crew.ts';
import { readJob, readsReference, versionsOf, type PlayJob, type RowJob } from './rowJob.ts';
import { chunkSizes, mostVersions, restOf, type ChunkSizes, type RowMemory } from './rowMemory.ts';
import { heardRows, rowsOf } from './rowTasks.ts';
import { TallyLog } from './tallyLog.ts';

/** The board says so of a job in which a network gave a number that is not finite. */
export const NOT_FINITE = 1;

/** Where a core reads and writes, and who is told what somebody has to know of a job. */
export type Place = { readonly memory: RowMemory; readonly board: Pick<Board, 'raise'> };
type Weights = { readonly versions: readonly Float32Array[]; readonly reference: Float32Array };

/** Columns of a first layer go to the cores in pieces of whole registers. */
const LANES = 4;

/**
 * What one core does of a job, item by item. Every item writes to places of its own, and adds up in the order in which one
 * core alone would:
 *
 *   play   part k of some rows, each from where it begins to its end
 *   ask    chunk c of the steps: log π of their units
 *   look   chunk c of the steps: forward, loss, and where a gradient is taken backward from 0, all but the first layer
 *   sum    some columns of the first layer, row by row over all chunks; or some of the other parameters, chunk by chunk;
 *          a network without such a layer has only these
 */
export class RowCore {
  private readonly plan: Plan;
  private readonly plans: ReadonlyMap<Site, Plan>;
  private readonly policy: CpuPolicy;
  private memory!: RowMemory;
  private board!: Place['board'];
  private readonly sizes: ChunkSizes;
  private readonly first: FirstLayer | undefined;
  private readonly rest: readonly (readonly [number, number])[];
  private readonly tally: TallyLog;
  /** [size] the gradient of one chunk */
  private readonly gradient: Float32Array;
  /** some columns of the first layer with their part of its bias, and ∂L/∂Y of a chunk in these columns */
  private readonly block: Float32Array;
  private readonly dBlock: Float32Array;
  private observed!: Observed;
  private job: RowJob = { kind: 'sum', chunks: 0, columns: 1, parts: 1 };
  /** [S, size] those of the job at hand */
  private weights: Weights;
  private readonly own: Weights | null;

  /** `own`: room for the weights of every job, where those that the first core has are out of reach */
  constructor(plan: Plan, policy: CpuPolicy, place: Place, own: boolean) {
    this.plan = plan;
    this.plans = plansOf(plan);
    this.policy = policy;
    const { first, kernels } = policy;
    const { size } = plan.layout;
    const of = (n: number): Float32Array => kernels.floats(n);
    const perVersion = (): Float32Array => of(plan.S * size);
    const versions = Array.from({ length: own ? mostVersions(plan) : 0 }, perVersion);
    this.own = own ? { versions, reference: perVersion() } : null;
    this.weights = this.own ?? { versions, reference: of(0) };
    this.sizes = chunkSizes(plan, policy);
    this.first = first;
    this.rest = restOf(size, first);
    this.tally = new TallyLog(policy.chunk * policy.unitsMax);
    this.gradient = first ? of(size) : policy.ofChunk;
    this.block = of(first ? (first.inputs + 1) * first.out : 0);
    this.dBlock = of(this.sizes.dY);
    this.moveTo(place);
  }

  /** Where it reads and writes from now on: the memory of its network cannot be given back. */
  moveTo({ memory, board }: Place): void {
    const { first, policy } = this;
    this.memory = memory;
    this.board = board;
    const at = new Int32Array(policy.chunk * (first?.rows ?? 0));
    this.observed = { bits: memory.bits, at, words: first?.words ?? 0 };
  }

  /** of the job at hand */
  get kind(): RowJob['kind'] {
    return this.job.kind;
  }

  /** Floats of the kernels' memory that a core asks for besides its network. */
  static floats(plan: Plan, own: boolean): number {
    const { S, layout, policy } = plan;
    return layout.size * (2 + (own ? (mostVersions(plan) + 1) * S : 0)) + policy.network.cpuFloats(policy).arrays;
  }

  /** Turns to the job at hand; `given`: weights of the first core, where this is that one. */
  begin(given?: Given): void {
    const job = (this.job = readJob(this.memory.job));
    const { own, plan, memory } = this;
    if (job.kind === 'sum') return;
    if (!own) {
      const { theta, versions = [theta], reference } = given!;
      this.weights = { versions, reference };
      return;
    }
    const { size } = plan.layout;
    const [from, to] = [job.s * size, (job.s + 1) * size];
    for (let v = 0; v < versionsOf(job); v++)
      own.versions[v]!.set(part(memory.theta, own.versions.length, v).subarray(from, to), from);
    if (readsReference(job)) own.reference.set(memory.reference.subarray(from, to), from);
  }

  do(item: number): void {
    const { job } = this;
    if (job.kind === 'play') this.play(item, job);
    else if (job.kind === 'ask') this.ask(item, job);
    else if (job.kind === 'look') this.look(item, job);
    else if (item < job.columns) this.sumFirst(item, job);
    else this.sumRest(item - job.columns, job);
  }

  private play(item: number, job: PlayJob): void {
    const { policy, memory, weights } = this;
    const { s, mode, site, round, update } = job;
    const [plan, arrays] = [this.plans.get(site)!, memory.sites[site]!];
    const rows = rowsOf(job, item, item + 1);
    const { begins, ...heard } = heardRows(plan, memory, job, rows);
    const at = s * plan.B * plan.T;
    const { versions } = weights;
    const weightsOf: Play['weightsOf'] =
      job.versions === 1 ? () => versions[0]! : (row, t) => versions[memory.version[row * plan.T + t - at]!]!;
    // lessons have another objective, and are restricted by that of the run
    const rule = job.isRestricted ? restrictionOf(this.plan) : null;
    const restricted = rule && new RestrictedPlayer(this.plan, rule, policy, policy, weights.reference);
    const shows = job.shows ? shownOf(plan, memory.remembered, { update, s, isTraining: mode === 'train' }) : null;
    const by = { policy: restricted ?? policy, weightsOf, shows };
    const play: Play = { plan, mode, s, site, round, arrays, ...by, ...heard };
    if (!playHere(play, s * plan.B + rows.first, begins)) this.board.raise(NOT_FINITE);
    if (restricted) memory.removed.set([restricted.legal, restricted.removed], 2 * item);
  }

  private ask(item: number, { s }: RowJob & { kind: 'ask' }): void {
    const { policy, memory, weights } = this;
    const n = memory.count[item]!;
    const step = memory.step.subarray(item * policy.chunk, item * policy.chunk + n);
    policy.unitLogProbs({ arrays: memory.columns, theta: weights.versions[0]!, s, step, n }, memory.made.logpNow);
  }

  private look(item: number, job: RowJob & { kind: 'look' }): void {
    const { policy, memory, weights, tally, sizes, gradient, rest, first } = this;
    const { made } = memory;
    const { chunk } = policy;
    const n = memory.count[item]!;
    tally.begin(memory.log.subarray(item * sizes.log, (item + 1) * sizes.log));
    if (job.takesGradient) for (const [from, to] of rest) gradient.fill(0, from, to);
    const learning: Learning = {
      ...{ arrays: memory.columns, theta: weights.versions[0]!, reference: weights.reference },
      ...{ A: made.credit, unitA: job.hasUnitA ? made.unitCredit : null },
      ...{ delta: made.delta, gradient: job.takesGradient ? gradient : null, layers: 'butFirst', tally },
      ...{ unitTarget: made.unitTarget, target: job.hasTarget ? made.target : null },
      ...{ mark: job.hasMark ? made.mark : null, s: job.s, live: job.live, policyWeight: job.policyWeight },
    };
    const own = <A extends Int32Array | Float64Array>(array: A): A =>
      array.subarray(item * chunk, item * chunk + n) as A;
    policy.learn(learning, own(memory.step), own(memory.weight), n);
    tally.end();
    if (!job.takesGradient) return;
    let to = item * sizes.rest;
    for (const [a, b] of rest) {
      memory.partial.set(gradient.subarray(a, b), to);
      to += b - a;
    }
    if (!first) return;
    const rows = (memory.rows[item] = first.left?.() ?? n * first.rows);
    memory.dY.set(first.dY.subarray(0, rows * first.out), item * sizes.dY);
    for (let r = 0; r < rows; r++) first.copyBits(r, memory.bits, item * sizes.bits + r * first.words);
  }

  private sumFirst(item: number, { chunks, columns }: RowJob & { kind: 'sum' }): void {
    const { memory, sizes, block, dBlock, observed, policy } = this;
    const { inputs, out, weightAt, biasAt, words } = this.first!;
    const registers = Math.ceil(out / LANES);
    const from = LANES * Math.floor((item * registers) / columns);
    const width = Math.min(out, LANES * Math.floor(((item + 1) * registers) / columns)) - from;
    if (width <= 0) return;
    const layer = linear(inputs, width, 0, biasAt < 0 ? -1 : inputs * width);
    const lines = biasAt < 0 ? inputs : inputs + 1;
    const placeOf = (f: number): number => (f < inputs ? weightAt + f * out : biasAt) + from;
    for (let f = 0; f < lines; f++) copy(memory.gradient, placeOf(f), block, f * width, width);
    for (let c = 0; c < chunks; c++) {
      const rows = memory.rows[c]!;
      for (let r = 0; r < rows; r++) {
        copy(memory.dY, c * sizes.dY + r * out + from, dBlock, r * width, width);
        observed.at[r] = c * sizes.bits + r * words;
      }
      policy.kernels.sparseGradient(layer, block, observed, dBlock, rows);
    }
    for (let f = 0; f < lines; f++) copy(block, f * width, memory.gradient, placeOf(f), width);
  }

  private sumRest(item: number, { chunks, parts }: RowJob & { kind: 'sum' }): void {
    const { memory, sizes, rest } = this;
    const [first, last] = [Math.floor((item * sizes.rest) / parts), Math.floor(((item + 1) * sizes.rest) / parts)];
    let at = 0;
    for (const [from, to] of rest) {
      const [a, b] = [Math.max(first, at), Math.min(last, at + to - from)];
      for (let c = 0; c < chunks && a < b; c++)
        add(memory.partial, c * sizes.rest + a, memory.gradient, from + a - at, b - a);
      at += to - from;
    }
  }
}

function copy(from: Float32Array, at: number, to: Float32Array, start: number, n: number): void {
  for (let k = 0; k < n; k++) to[start + k] = from[at + k]!;
}

function add(from: Float32Array, at: number, to: Float32Array, start: number, n: number): void {
  for (let k = 0; k < n; k++) to[start + k]! += from[at + k]!;
}
