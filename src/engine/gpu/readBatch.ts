import { columnNames, columnOf, shapeOf, type Batch, type ColumnName } from '../../contract/columns.ts';
import { ARRAYS, zeros, type NumberArray } from '../../contract/numbers.ts';
import { scoreNorm } from '../../core/math/distribution.ts';
import { together } from '../../core/together.ts';
import type { Slice } from '../../gpu/recorder.ts';
import { SOFT_MIN_ALPHA, softMin } from '../../core/value.ts';
import { columnsOfRun } from '../../config/runColumns.ts';
import { sizesOf } from '../arrays.ts';
import { cellsOfSteps } from '../cells.ts';
import { decidedSteps, followedAims } from '../decided.ts';
import type { Paid } from '../backend.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** Where columns are read from, of one replica of a run. */
export type Source = { readonly plan: Plan; readonly b: RunBuffers; readonly s: number };

type Values = Partial<Record<ColumnName, NumberArray>>;

/** Columns of one replica by name; padding is cleared. `from`: slices that are read in place of the columns' own. */
export async function readColumns(
  { plan, b, s }: Source,
  names: readonly ColumnName[],
  from: Partial<Record<ColumnName, Slice>> = {},
): Promise<Values> {
  const sizes = sizesOf(plan);
  const whole = new Map<ColumnName, Promise<ArrayBuffer>>();
  const bytesOf = (name: ColumnName): Promise<ArrayBuffer> => {
    let bytes = whole.get(name);
    if (!bytes) {
      const { entries, width } = shapeOf(name, sizes);
      const { buffer, offset } = from[name] ?? b.batch.of(name);
      const size = entries * width * 4;
      whole.set(name, (bytes = b.reads.of({ buffer, offset: offset + s * size, size })));
    }
    return bytes;
  };
  const words = async (name: ColumnName): Promise<Uint32Array> => new Uint32Array(await bytesOf(name));
  const read = async (name: ColumnName): Promise<NumberArray> => {
    const { within, type } = columnOf(name);
    if (name === 'valueFinal') return finalValues({ plan, b, s });
    if (name === 'scoreNorm') {
      const [probs, action] = await together([bytesOf('probs'), words('action')]);
      return scoreNorms(plan.actions, new Float32Array(probs), action);
    }
    if (name === 'obsCells') return cellsOfSteps(plan, { obs: await words('obs'), length: await words('length') });
    if (name === 'decides') return decidedSteps(plan, { action: await words('action'), length: await words('length') });
    if (name === 'subgoal') return followedAims(plan, { state: await words('state'), length: await words('length') });
    const elsewhere = b.batch.host(name);
    if (elsewhere) return elsewhere.slice((s * elsewhere.length) / plan.S, ((s + 1) * elsewhere.length) / plan.S);
    if (!within) return new ARRAYS[type](await bytesOf(name));
    const [host, word] = within as readonly [ColumnName, number];
    const { width } = shapeOf(host, sizes);
    const all = await words(host);
    return zeros('u32', all.length / width).map((_, i) => all[i * width + word]!);
  };
  // first of all, so that whoever counts on lengths finds them on their way: everything comes back in one turn
  const [length, ...values] = await together([words('length'), ...names.map(read)]);
  names.forEach((name, k) => {
    const { per } = columnOf(name);
    if (per === 'step' || per === 'unit') clearPadding(length, values[k]!, values[k]!.length / (plan.B * plan.T));
  });
  return Object.fromEntries(names.map((name, k) => [name, values[k]!]));
}

/** Squared lengths of the scores of all steps, from π_old of every action and the chosen ones. */
function scoreNorms(actions: number, probs: Float32Array, action: Uint32Array): Float32Array {
  return Float32Array.from(action, (a, k) => scoreNorm(probs, k * actions, actions, a));
}

/** V after the last step; valid only right after the rollout, before the update's own forward passes. */
async function finalValues({ plan, b, s }: Source): Promise<Float32Array> {
  const { B, critic } = plan;
  if (!critic) return new Float32Array(B);
  const { buffer, rows, n, values } = b.last;
  // of the outputs of a replica only the first rows are those of last states
  const outs = new Float32Array(await b.reads.of({ buffer, offset: s * rows * n * 4, size: B * n * 4 }));
  const valueAt = (end: number): number =>
    values === 2 ? softMin(outs[end - 2]!, outs[end - 1]!, SOFT_MIN_ALPHA).V : outs[end - 1]!;
  return Float32Array.from({ length: B }, (_, i) => valueAt((i + 1) * n));
}

/** What no buffer holds: it is counted from what is read. */
const COUNTED: readonly ColumnName[] = ['valueFinal', 'scoreNorm', 'obsCells', 'decides', 'subgoal'];

/** Columns of a finished batch that this run has somewhere; the rest is counted from them. */
function batchNames({ plan, b }: Source): ColumnName[] {
  const present = columnsOfRun(plan);
  const isKept = (name: ColumnName): boolean =>
    COUNTED.includes(name) ||
    columnOf(name).within !== undefined ||
    b.batch.has(name) ||
    b.batch.host(name) !== undefined;
  return columnNames.filter((name) => present.has(name) && !columnOf(name).inner && isKept(name));
}

/** Rewards as the estimator saw them, which may be others than the world paid. */
const seen = ({ judged: { reward, outcome } }: RunBuffers): Partial<Record<ColumnName, Slice>> => ({ reward, outcome });

/**
 * The batch of one replica with nothing but what is needed: the rest is 0 or left out. `rewards`: as the estimator sees them,
 * unless told otherwise. `probs` is π_old where it is needed.
 */
export async function neededBatch(
  source: Source,
  needs: readonly string[],
  rewards: Partial<Record<ColumnName, Slice>> = seen(source.b),
): Promise<{ batch: Batch; probs: Float32Array }> {
  const { P, G, B, T } = source.plan;
  const sizes = sizesOf(source.plan);
  const present = batchNames(source);
  const empty = (name: ColumnName): NumberArray => {
    const { entries, width } = shapeOf(name, sizes);
    return zeros(columnOf(name).type, entries * width);
  };
  const always = present.filter((name) => columnOf(name).made === 'always').map((name) => [name, empty(name)] as const);
  const names = [...present, 'probs' as const].filter((name) => needs.includes(name));
  const { probs = empty('probs'), ...read } = await readColumns(source, names, rewards);
  const batch = { P, G, B, T, ...Object.fromEntries(always), ...read } as Batch; // what is always there is in `always`
  return { batch, probs: probs as Float32Array };
}

/** What a scheme needs of the rows of one replica that were played, `count` in number; the others are 0. */
export async function playedRows(source: Source, needs: readonly ColumnName[], count: number): Promise<Values> {
  const read = await readColumns(source, needs);
  const { B } = source.plan;
  // what is not planned yet holds what an earlier update left
  for (const values of Object.values(read)) values.fill(0, (values.length / B) * count);
  return read;
}

/** The whole batch of one replica as the estimator saw it, with its states and probabilities. */
export async function wholeBatch(source: Source): Promise<{ batch: Batch; state: Uint32Array; probs: Float32Array }> {
  const { plan, b } = source;
  const { P, G, B, T } = plan;
  const { K } = sizesOf(plan);
  const { state, probs, ...columns } = await readColumns(source, [...batchNames(source), 'state', 'probs'], seen(b));
  return {
    batch: { P, G, B, T, ...(K > 1 ? { K } : {}), ...columns } as Batch,
    state: state as Uint32Array,
    probs: probs as Float32Array,
  };
}

/** True where the estimator sees other rewards than the world paid. */
export const isPaidOtherwise = ({ paid, running, shaped }: RunBuffers): boolean => Boolean(paid ?? running ?? shaped);

/** What the world paid for the batch of a replica, where the estimator sees something else. */
export async function readWorld(source: Source): Promise<Paid | null> {
  if (!isPaidOtherwise(source.b)) return null;
  return (await readColumns(source, ['reward', 'outcome'])) as Paid;
}

/** Steps past the end hold what a longer episode of an earlier update left there. */
function clearPadding(length: Uint32Array, values: NumberArray, width: number): void {
  const T = values.length / width / length.length;
  length.forEach((n, i) => values.fill(0, (i * T + n) * width, (i + 1) * T * width));
}
