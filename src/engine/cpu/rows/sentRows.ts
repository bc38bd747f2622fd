import { columnNames, columnOf, type ColumnName, type Columns } from '../../../contract/columns.ts';
import type { NumberArray } from '../../../contract/numbers.ts';
import type { Arrays } from '../../arrays.ts';
import type { Plan } from '../../plan.ts';
import type { CpuPolicy } from '../policy.ts';
import { plansOf, type Site } from '../sites.ts';
import type { PlayJob, RowJob } from './rowJob.ts';
import { chunkSizes, type RowMemory } from './rowMemory.ts';
import { NUMBERS, rowsOf } from './rowTasks.ts';

/** What the chunks of a wave leave on each core whose memory nobody else sees. */
export const SENT_BYTES = 8 * 1024 * 1024;

/** A job of which other cores do a part: sums stay where all that is added up has come together. */
export type PartJob = Exclude<RowJob, { kind: 'sum' }>;
/** An array, and how many of its numbers belong to one of what it is cut into. */
type Each = readonly [array: NumberArray, each: number];

/** Items [from, to) of a job, with all that another core needs for them and has not got. */
export type SentJob = {
  readonly job: PartJob;
  readonly from: number;
  readonly to: number;
  /** of the replica of the job: parameters, in as many versions as it needs, and those of the reference */
  readonly versions: readonly Float32Array[];
  readonly reference: Float32Array | null;
  /** the batch of that replica and what an update made of it, with the first job that looks at it */
  readonly batch: readonly NumberArray[] | null;
  /** rows that stand where they begin; or of chunks their steps, the weights of these, how many they are, and their marks */
  readonly given: readonly NumberArray[];
};

/** What comes back: rows that were played, or of chunks what is added up, and what was found of their steps. */
export type Left = {
  readonly flags: number;
  readonly left: readonly NumberArray[];
  readonly steps: readonly NumberArray[];
};

const buffers = (arrays: readonly (NumberArray | null)[]): ArrayBuffer[] =>
  arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));

/** What needs no copy to travel. */
export const buffersOf = ({ left, steps }: Left): ArrayBuffer[] => buffers([...left, ...steps]);
export const buffersOfJob = ({ versions, reference, batch, given }: SentJob): ArrayBuffer[] =>
  buffers([...versions, reference, ...(batch ?? []), ...given]);

/** Takes things out of the memory of one core for another one, and puts there what came: both have the same places in the same order. */
export class SentRows {
  private readonly plan: Plan;
  private readonly memory: RowMemory;
  private readonly chunk: number;
  /** by chunk: what a core is given, and what it leaves */
  private readonly chunks: readonly Each[];
  private readonly sums: readonly Each[];
  /** by replica: all that this run has */
  private readonly held: readonly Each[];
  /** by row of all replicas: what a rollout writes; of one: what it is told, and what it writes for rows that go on from it */
  private readonly sites: ReadonlyMap<Site, { readonly plan: Plan; readonly played: readonly Each[] }>;
  private readonly told: readonly Each[];
  private readonly came: readonly Each[];
  /** of all rows: what is remembered; by item: what a restriction removed */
  private readonly remembered: readonly NumberArray[];
  private readonly removed: readonly Each[];

  constructor(plan: Plan, policy: CpuPolicy, memory: RowMemory) {
    const { chunk } = policy;
    const { log, rest, dY, bits } = chunkSizes(plan, policy);
    const { step, weight, count, rows, columns, made } = memory;
    this.plan = plan;
    this.memory = memory;
    this.chunk = chunk;
    // prettier-ignore
    this.chunks = [[step, chunk], [weight, chunk], [count, 1]];
    // prettier-ignore
    this.sums = [[memory.log, log], [memory.partial, rest], [memory.dY, dY], [memory.bits, bits], [rows, 1]];
    const isOfRows = (name: ColumnName): boolean => !['replica', 'task'].includes(columnOf(name).per);
    const { S, T } = plan;
    this.held = [...cut(columns, columnNames, S), ...cut(made, columnNames, S)];
    const sites = Object.entries(memory.sites) as [Site, Arrays][];
    const plans = plansOf(plan);
    this.sites = new Map(
      sites.map(([site, arrays]) => {
        const own = plans.get(site)!;
        return [site, { plan: own, played: cut(arrays, columnNames.filter(isOfRows), S * own.B) }];
      }),
    );
    const some = (array: NumberArray): readonly Each[] => (array.length > 0 ? [[array, T]] : []);
    this.came = some(memory.came);
    this.told = [[memory.tasks, NUMBERS], ...some(memory.forced), ...some(memory.version), ...this.came];
    this.remembered = Object.values(memory.remembered);
    this.removed = memory.removed.length > 0 ? [[memory.removed, 2]] : [];
  }

  /** Rows of items [from, to) of a rollout, every column of them; and of each these arrays of one replica. */
  private rows(job: PlayJob, from: number, to: number, also: readonly Each[]): NumberArray[] {
    const { first, count } = rowsOf(job, from, to);
    const { plan, played } = this.sites.get(job.site)!;
    const at = job.s * plan.B + first;
    return [...slices(played, at, at + count), ...slices(also, first, first + count)];
  }

  /** Gives what came besides. */
  private putRows(job: PlayJob, from: number, came: readonly NumberArray[], also: readonly Each[]) {
    const { first } = rowsOf(job, from, from);
    const { plan, played } = this.sites.get(job.site)!;
    put(played, job.s * plan.B + first, came);
    put(also, first, came.slice(played.length));
    return came.slice(played.length + also.length);
  }

  batch(s: number): NumberArray[] {
    return slices(this.held, s, s + 1);
  }

  putBatch(s: number, came: readonly NumberArray[]): void {
    put(this.held, s, came);
  }

  /** What items [from, to) are about. */
  given(job: PartJob, from: number, to: number): NumberArray[] {
    if (job.kind === 'play') {
      const shown = job.shows ? this.remembered.map((array) => array.slice()) : [];
      return [...this.rows(job, from, to, this.told), ...shown];
    }
    return [...slices(this.chunks, from, to), ...this.marksOf(job).map((array) => this.gather(array, from, to))];
  }

  putGiven(job: PartJob, from: number, to: number, came: readonly NumberArray[]): void {
    if (job.kind === 'play') {
      this.putRows(job, from, came, this.told).forEach((array, k) => this.remembered[k]!.set(array));
      return;
    }
    put(this.chunks, from, came);
    this.marksOf(job).forEach((array) => this.scatter(array, from, to, came[this.chunks.length]!));
  }

  /** What is left of items [from, to): rows that were played, or of the chunks of a look what is to be added up. */
  leftBy(job: PartJob, from: number, to: number): NumberArray[] {
    if (job.kind === 'play') return [...this.rows(job, from, to, this.came), ...slices(this.removed, from, to)];
    return job.kind === 'look' ? slices(this.sums, from, to) : [];
  }

  putLeft(job: PartJob, from: number, came: readonly NumberArray[]): void {
    if (job.kind === 'play') put(this.removed, from, this.putRows(job, from, came, this.came));
    else if (job.kind === 'look') put(this.sums, from, came);
  }

  /** What was found of the steps of chunks [from, to). */
  steps(job: PartJob, from: number, to: number): NumberArray[] {
    return this.foundBy(job).map((array) => this.gather(array, from, to));
  }

  putSteps(job: PartJob, from: number, to: number, came: readonly NumberArray[]): void {
    this.foundBy(job).forEach((array, k) => this.scatter(array, from, to, came[k]!));
  }

  private marksOf(job: PartJob): NumberArray[] {
    return job.kind === 'look' && job.hasMark ? [this.memory.made.mark] : [];
  }

  private foundBy({ kind }: PartJob): NumberArray[] {
    const { columns, made } = this.memory;
    if (kind === 'play') return [];
    return kind === 'ask' ? [made.logpNow] : [made.delta, columns.unitDelta];
  }

  /** Numbers of each step of chunks [from, to). */
  private gather(array: NumberArray, from: number, to: number): NumberArray {
    const width = this.widthOf(array);
    const Numbers = array.constructor as new (n: number) => NumberArray;
    const out = new Numbers((to - from) * this.chunk * width);
    this.each(from, to, (step, at) => out.set(array.subarray(step * width, (step + 1) * width), at * width));
    return out;
  }

  private scatter(array: NumberArray, from: number, to: number, came: NumberArray): void {
    const width = this.widthOf(array);
    this.each(from, to, (step, at) => array.set(came.subarray(at * width, (at + 1) * width), step * width));
  }

  private widthOf({ length }: NumberArray): number {
    const { S, B, T } = this.plan;
    return length / (S * B * T);
  }

  private each(from: number, to: number, of: (step: number, at: number) => void): void {
    const { memory, chunk } = this;
    for (let c = from; c < to; c++)
      for (let k = 0; k < memory.count[c]!; k++) of(memory.step[c * chunk + k]!, (c - from) * chunk + k);
  }
}

/** Of these columns those that a run has, cut into so many parts. */
const cut = (columns: Columns, names: readonly ColumnName[], parts: number): Each[] =>
  names.flatMap((name) => (columns[name].length > 0 ? [[columns[name], columns[name].length / parts] as const] : []));

const slices = (arrays: readonly Each[], from: number, to: number): NumberArray[] =>
  arrays.map(([array, each]) => array.slice(from * each, to * each));

const put = (arrays: readonly Each[], from: number, came: readonly NumberArray[]): void =>
  arrays.forEach(([array, each], k) => array.set(came[k]!, from * each));
