import { bytesOf, zeros, type ArrayOf, type NumberArray } from './numbers.ts';
import { updateColumns, type UpdateFact } from './updateColumns.ts';
import { columns, type ColumnSizes, type ColumnSpec } from './columnTable.ts';

type Table = typeof columns;
export type ColumnName = keyof Table;
type Numbers<K extends ColumnName> = ArrayOf<Table[K]['type']>;
type Outer = { [K in ColumnName]: Table[K] extends { inner: true } ? never : K }[ColumnName];
type Always = { [K in ColumnName]: Table[K] extends { made: 'always' } ? K : never }[ColumnName];

/** Names of the columns that a module may say it `needs`. */
export type BatchField = Outer;
/** Those of them that not every run has. */
export type ExtraField = Exclude<Outer, Always>;
/** Those of them with one number per task. */
export type TaskField = { [K in ExtraField]: Table[K] extends { per: 'task' } ? K : never }[ExtraField];

/**
 * A finished batch of one replica: row-major (index i*T + t), names of spec notation. Steps past `length[i]` are padding:
 * 0, and without influence on any statistic. What each column holds says the table above.
 */
export type Batch = {
  /** Tasks per batch, nominal group size, rows, step limit. */
  readonly P: number;
  readonly G: number;
  readonly B: number;
  readonly T: number;
  /** K: units of a step at most; 1 where it does not say */
  readonly K?: number;
  /** [B·T] 1: a step that is compared with no other that began in the same state; absent: there is none */
  readonly apart?: Uint8Array;
  /** [B] what states are compared within, where that is more than a task; absent: `taskIndex` */
  readonly pools?: Uint32Array;
} & { readonly [K in Outer & Always]: Numbers<K> } & { readonly [K in ExtraField]?: Numbers<K> };

/** Every column for S replicas, the replica first; empty where the run has it not. */
export type Columns = { readonly [K in ColumnName]: Numbers<K> };

export const columnNames = Object.keys(columns) as readonly ColumnName[];
/** One entry with its optional fields. */
export const columnOf = (name: ColumnName): ColumnSpec => columns[name];
export const isColumn = (name: string): name is ColumnName => Object.hasOwn(columns, name);

/** True where only the CPU path makes some of these columns: a run of which a module needs them trains there. */
export const trainsOnCpuFor = (needs: readonly string[] = []): boolean =>
  needs.some((name) => isColumn(name) && columnOf(name).cpuOnly === true);

/** True of what an update makes of a finished batch. */
export const isMade = (name: ColumnName): boolean => Object.hasOwn(updateColumns, name);

/** The columns that the page gets with a snapshot. */
export type ShownField = { [K in ColumnName]: Table[K] extends { shown: true } ? K : never }[ColumnName];
export const shownNames = columnNames.filter((name): name is ShownField => columnOf(name).shown === true);

/** The columns of a run: those that are always there, and of the others what its modules need or make. */
export function columnsOf(needs: Iterable<string>, makes: Iterable<string>): ReadonlySet<ColumnName> {
  const [needed, made] = [new Set(needs), new Set(makes)];
  const has = (name: ColumnName): boolean => {
    const how = columnOf(name).made;
    return how === 'always' || (how === 'need' && needed.has(name)) || made.has(name);
  };
  return new Set(columnNames.filter(has));
}

/** The columns of an update of a run of which these are true. */
export function updateColumnsOf(facts: ReadonlySet<UpdateFact>): ReadonlySet<ColumnName> {
  const has = ({ when }: ColumnSpec): boolean => when === undefined || facts.has(when);
  return new Set(columnNames.filter((name) => isMade(name) && has(columnOf(name))));
}

/** Numbers of one replica: entries, and numbers of each. */
export function shapeOf(name: ColumnName, sizes: ColumnSizes): { readonly entries: number; readonly width: number } {
  const { per, width } = columnOf(name);
  const { P, B, T, K } = sizes;
  const ofSteps = { step: B * T, stepAndEnd: B * (T + 1), unit: B * T * K, decision: B * T * Math.max(1, K) };
  const entries = { replica: 1, task: P, row: B, ...ofSteps };
  return { entries: entries[per], width: width?.(sizes) ?? 1 };
}

/** Numbers of one replica. */
export function sizeOf(name: ColumnName, sizes: ColumnSizes): number {
  const { entries, width } = shapeOf(name, sizes);
  return entries * width;
}

/** True where the CPU path has an array of it. */
const isOnCpu = (name: ColumnName): boolean => columnOf(name).deviceOnly !== true;

/** All arrays of a batch for S replicas on the CPU, allocated once. */
export function makeColumns(present: ReadonlySet<ColumnName>, sizes: ColumnSizes, S: number): Columns {
  const make = (name: ColumnName): NumberArray => {
    const n = present.has(name) && isOnCpu(name) ? S * sizeOf(name, sizes) : 0;
    return zeros(columnOf(name).type, n);
  };
  return Object.fromEntries(columnNames.map((name) => [name, make(name)])) as Columns; // one of each type by the table
}

/** Part s of S of an array with a leading replica dimension, without copying. */
export function part<T extends NumberArray>(array: T, S: number, s: number): T {
  const size = array.length / S;
  return array.subarray(s * size, (s + 1) * size) as T;
}

/** What of the columns of S replicas a finished batch of replica s holds, without copying. */
export function batchColumns(all: Columns, present: ReadonlySet<ColumnName>, S: number, s: number): Partial<Batch> {
  const held = columnNames.filter((name) => !columnOf(name).inner && present.has(name) && all[name].length > 0);
  return Object.fromEntries(held.map((name) => [name, part<NumberArray>(all[name], S, s)]));
}

/** The columns that a batch holds, with their numbers. */
export function heldBy(batch: Partial<Batch>): readonly (readonly [ColumnName, NumberArray])[] {
  const all = Object.entries(batch) as [string, unknown][];
  return all.flatMap(([name, values]) =>
    isColumn(name) && ArrayBuffer.isView(values) ? [[name, values as NumberArray]] : [],
  );
}

/** Every column of a batch rebuilt from its old numbers; sizes as they are. */
export function mapColumns(batch: Batch, make: (values: NumberArray, name: ColumnName) => NumberArray): Batch {
  const made = heldBy(batch).map(([name, values]) => [name, make(values, name)] as const);
  return { ...batch, ...Object.fromEntries(made) };
}

/** A batch with what a rollout alone gives: columns that someone computes for a module are left out. */
export function asPlayed(batch: Batch): Batch {
  const isPlayed = (name: ColumnName): boolean => columnOf(name).made !== 'need' || columnOf(name).played === true;
  const others = Object.entries(batch).filter(([name]) => !isColumn(name) || isPlayed(name));
  return Object.fromEntries(others) as Batch; // what is always there stays
}

/** Bytes of the columns of one replica on the CPU path. */
export function bytesOfColumns(present: ReadonlySet<ColumnName>, sizes: ColumnSizes): number {
  let bytes = 0;
  for (const name of present) if (isOnCpu(name)) bytes += sizeOf(name, sizes) * bytesOf(columnOf(name).type);
  return bytes;
}
