import { columnNames, type Columns } from '../../../contract/columns.ts';
import type { FirstLayer } from '../../../contract/network.ts';
import { stateOf } from '../../../contract/module.ts';
import { ARRAYS, bytesOf, type NumberArray } from '../../../contract/numbers.ts';
import { lengthOf, type Tensors, type TensorSpec } from '../../../contract/state.ts';
import type { Arrays } from '../../arrays.ts';
import type { Plan } from '../../plan.ts';
import { restrictionOf } from '../../restriction.ts';
import { rolloutOf } from '../../rolloutOf.ts';
import { stateSizes } from '../../stateTable.ts';
import type { CpuPolicy } from '../policy.ts';
import { isShown } from '../shown.ts';
import type { Site, Sites } from '../sites.ts';
import { MOST_ITEMS } from './board.ts';
import type { RowColumns } from './crew.ts';
import { NUMBERS } from './rowTasks.ts';
import { TallyLog } from './tallyLog.ts';

/** What the chunks of a wave leave for the sums over all rows takes this much at most. */
const WAVE_BYTES = 32 * 1024 * 1024;

/** Where the cores of a run read and write: all of them in the same memory, or each in its own. */
export type RowMemory = {
  /** what the job at hand is about: see rowJob.ts */
  readonly job: Float64Array;
  /** [versions, S, size] parameters of the job at hand, and [S, size] of the reference */
  readonly theta: Float32Array;
  readonly reference: Float32Array;
  /** [size] the gradient, while it is added up */
  readonly gradient: Float32Array;
  /** of each row of a replica: numbers of what it plays (see rowTasks.ts), and of each of its steps `forced` and `came` as in `Play`, and which version plays it */
  readonly tasks: Uint32Array;
  readonly forced: Uint32Array;
  readonly came: Int32Array;
  readonly version: Uint8Array;
  /** what the rollout of the replica remembers, where it writes that into states */
  readonly remembered: Tensors;
  /** of each item of a rollout where the choice of actions is restricted: legal actions, and those of them that were removed */
  readonly removed: Uint32Array;
  /** of each chunk of a wave: its steps and their weights, and how many they are */
  readonly step: Int32Array;
  readonly weight: Float64Array;
  readonly count: Int32Array;
  /** of each: its rows of the first layer */
  readonly rows: Int32Array;
  /** of each: what its tally would add; its own gradient, without the first layer; and of that layer ∂L/∂Y and the bits */
  readonly log: Float64Array;
  readonly partial: Float32Array;
  readonly dY: Float32Array;
  readonly bits: Uint32Array;
  /** columns of the batch, and of what an update makes of it */
  readonly columns: Arrays;
  readonly made: Arrays;
  /** columns of all rows that are played, the batch among them; every core makes their plans for itself, as no plan can be sent */
  readonly sites: Readonly<Partial<Record<Site, Arrays>>>;
};

/** The same columns, all 0, where other cores see them. */
export function sharedColumns(columns: Columns): Columns {
  const share = (array: NumberArray): NumberArray => {
    const Numbers = array.constructor as new (buffer: SharedArrayBuffer) => NumberArray;
    return new Numbers(new SharedArrayBuffer(array.byteLength));
  };
  return Object.fromEntries(columnNames.map((name) => [name, share(columns[name])])) as Columns; // of the same types
}

/** Places of a gradient outside of the first layer over bits, [from, to): all of them where a network has none. */
export function restOf(size: number, first: FirstLayer | undefined): readonly (readonly [number, number])[] {
  if (!first) return [[0, size]];
  const { inputs, out, weightAt, biasAt } = first;
  const own = [[weightAt, weightAt + inputs * out] as const, ...(biasAt < 0 ? [] : [[biasAt, biasAt + out] as const])];
  own.sort(([a], [b]) => a - b);
  const rest: (readonly [number, number])[] = [];
  let from = 0;
  for (const [a, b] of [...own, [size, size] as const]) {
    if (a > from) rest.push([from, a]);
    from = b;
  }
  return rest;
}

/** Numbers that each chunk leaves behind. */
export type ChunkSizes = { readonly rest: number; readonly dY: number; readonly bits: number; readonly log: number };

export function chunkSizes(plan: Plan, { first, chunk, unitsMax }: CpuPolicy): ChunkSizes {
  const log = TallyLog.size(chunk * unitsMax);
  const rest = restOf(plan.layout.size, first).reduce((sum, [from, to]) => sum + to - from, 0);
  if (!first) return { rest, dY: 0, bits: 0, log };
  const rows = chunk * first.rows;
  return { rest, dY: rows * first.out, bits: rows * first.words, log };
}

/** Chunks that are worked on between two sums. */
export function waveOf(plan: Plan, policy: CpuPolicy, allowed = WAVE_BYTES): number {
  const { rest, dY, bits, log } = chunkSizes(plan, policy);
  const bytes = 4 * (rest + dY + bits + policy.chunk) + 8 * (log + policy.chunk);
  // a chunk ends early where measured rows end
  const most = Math.ceil((plan.B * plan.T) / policy.chunk) + (plan.scheme ? plan.B : 0);
  return Math.max(2, Math.min(most, MOST_ITEMS, Math.floor(allowed / bytes)));
}

/** Rows of a replica that are played at a time at most. */
const mostRows = (sites: Sites): number => Math.max(...Object.values(sites).map(({ plan }) => plan.B));

/** Room for what the rollout of one replica remembers. */
function rememberedOf(plan: Plan, Buffer: MakeBuffer): Tensors {
  const { module, params } = rolloutOf(plan);
  const room = (tensor: TensorSpec): NumberArray => {
    const Numbers = ARRAYS[tensor.type] as new (buffer: ArrayBufferLike) => NumberArray;
    return new Numbers(new Buffer(bytesOf(tensor.type) * lengthOf(tensor, stateSizes(plan))));
  };
  return Object.fromEntries(Object.entries(stateOf(module, params)).map(([name, tensor]) => [name, room(tensor)]));
}

/** Versions of the weights that a batch is played by at most. */
export const mostVersions = ({ behavior: { several, lag } }: Pick<Plan, 'behavior'>): number => (several ? lag + 1 : 1);

type MakeBuffer = new (bytes: number) => ArrayBufferLike;

/** `Buffer`: what other cores see, or not; `wave`: chunks between two sums. */
export function makeRowMemory(
  plan: Plan,
  policy: CpuPolicy,
  { sites, made }: RowColumns,
  Buffer: MakeBuffer,
  wave: number,
): RowMemory {
  const f32 = (n: number): Float32Array => new Float32Array(new Buffer(4 * n));
  const f64 = (n: number): Float64Array => new Float64Array(new Buffer(8 * n));
  const i32 = (n: number): Int32Array => new Int32Array(new Buffer(4 * n));
  const u32 = (n: number): Uint32Array => new Uint32Array(new Buffer(4 * n));
  const { size } = plan.layout;
  const { T, scheme } = plan;
  const B = mostRows(sites);
  const sizes = chunkSizes(plan, policy);
  return {
    job: f64(16),
    theta: f32(mostVersions(plan) * plan.S * size),
    reference: f32(plan.S * size),
    gradient: f32(size),
    tasks: u32(B * NUMBERS),
    forced: u32(scheme || sites.again || sites.lessons ? B * T : 0),
    came: i32(scheme?.forks ? B * T : 0),
    version: new Uint8Array(new Buffer(mostVersions(plan) > 1 ? B * T : 0)),
    remembered: isShown(plan) ? rememberedOf(plan, Buffer) : {},
    removed: u32(restrictionOf(plan) ? 2 * B : 0),
    step: i32(wave * policy.chunk),
    weight: f64(wave * policy.chunk),
    count: i32(wave),
    rows: i32(wave),
    log: f64(wave * sizes.log),
    partial: f32(wave * sizes.rest),
    dY: f32(wave * sizes.dY),
    bits: u32(wave * sizes.bits),
    columns: sites.batch.arrays,
    made,
    sites: Object.fromEntries(Object.entries(sites).map(([site, { arrays }]) => [site, arrays])),
  };
}
