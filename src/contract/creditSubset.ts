import { columnOf, heldBy, type Batch } from './columns.ts';
import { zeros, type NumberArray, type NumberType } from './numbers.ts';
import { groupsOf } from '../core/batch.ts';

const unitsIn = ({ K }: Batch): Pick<Batch, 'K'> => (K === undefined ? {} : { K });

/** Several batches of equal T as one; tasks of later ones are numbered on. Only arrays that all of them hold are kept. */
export function joinBatches(list: readonly Batch[]): Batch {
  const [first] = list as [Batch];
  const joined: Record<string, unknown> = {
    P: list.reduce((n, b) => n + b.P, 0),
    G: first.G,
    B: list.reduce((n, b) => n + b.B, 0),
    T: first.T,
    ...unitsIn(first),
  };
  const held = list.map((b) => new Map(heldBy(b)));
  for (const [name] of heldBy(first)) {
    const all = held.map((columns) => columns.get(name));
    if (all.every((values) => values !== undefined)) joined[name] = joinValues(columnOf(name).type, all);
  }
  let rows = 0;
  let tasks = 0;
  const taskIndex = joined['taskIndex'] as Uint32Array;
  const parent = joined['branchParent'] as Int32Array | undefined;
  for (const b of list) {
    for (let i = rows; i < rows + b.B; i++) {
      taskIndex[i]! += tasks;
      if (parent && parent[i]! >= 0) parent[i]! += rows;
    }
    rows += b.B;
    tasks += b.P;
  }
  return joined as Batch;
}

function joinValues(type: NumberType, list: readonly NumberArray[]): NumberArray {
  const joined: NumberArray = zeros(
    type,
    list.reduce((n, x) => n + x.length, 0),
  );
  let at = 0;
  for (const x of list) {
    joined.set(x, at);
    at += x.length;
  }
  return joined;
}

/**
 * The given task groups as a batch of their own, numbered from 0 in this order. `rows` are the trajectories taken, in
 * order. Forks whose parent stays behind become ordinary trajectories.
 */
export function selectGroups(
  batch: Batch,
  groups: readonly (readonly number[])[],
): { readonly batch: Batch; readonly rows: readonly number[] } {
  const rows = groups.flat();
  const picked: Record<string, unknown> = {
    P: groups.length,
    G: batch.G,
    B: rows.length,
    T: batch.T,
    ...unitsIn(batch),
  };
  for (const [name, values] of heldBy(batch)) {
    const { per, type } = columnOf(name);
    // what belongs to the whole replica stays as it is
    if (per === 'replica') {
      picked[name] = values;
      continue;
    }
    const width = values.length / (per === 'task' ? batch.P : batch.B);
    const from = per === 'task' ? groups.map((group) => batch.taskIndex[group[0]!]!) : rows;
    const chosen: NumberArray = zeros(type, from.length * width);
    from.forEach((at, k) => chosen.set(values.subarray(at * width, (at + 1) * width), k * width));
    picked[name] = chosen;
  }
  picked['taskIndex'] = Uint32Array.from(groups.flatMap((group, g) => group.map(() => g)));
  const parent = picked['branchParent'] as Int32Array | undefined;
  if (parent) for (let k = 0; k < parent.length; k++) parent[k] = parent[k]! < 0 ? -1 : rows.indexOf(parent[k]!);
  return { batch: picked as Batch, rows };
}

/** The rows that stay, as a batch of their own, group by group; a group of which none stays is left out. */
export function selectRows(batch: Batch, stays: (row: number) => boolean): ReturnType<typeof selectGroups> {
  const groups = groupsOf(batch).map((rows) => rows.filter(stays));
  return selectGroups(
    batch,
    groups.filter((rows) => rows.length > 0),
  );
}

/** What an estimator makes of a batch, row by row. */
type OfRows = {
  readonly A: Float32Array;
  readonly parts?: Readonly<Record<string, Float32Array>>;
  readonly target?: Float32Array;
  readonly keep?: Uint8Array;
};
type CreditsRows = {
  readonly parts?: readonly string[];
  readonly critic?: boolean;
  readonly perUnit?: boolean;
  run(batch: Batch): OfRows;
};

/** The credit of the rows that stay, compared with nothing else; 0 for the others. */
export function creditOfRows(
  { parts = [], critic, perUnit, run }: CreditsRows,
  batch: Batch,
  stays: (row: number) => boolean,
): OfRows {
  const { batch: own, rows } = selectRows(batch, stays);
  const none = new Float32Array();
  const credit: OfRows =
    rows.length > 0
      ? run(own)
      : {
          A: none,
          parts: Object.fromEntries(parts.map((name) => [name, none])),
          ...(critic ? { target: none } : {}),
        };
  const spread = <V extends Float32Array | Uint8Array>(values: V, make: (length: number) => V): V => {
    const width = rows.length > 0 ? values.length / rows.length : batch.T * (perUnit ? (batch.K ?? 1) : 1);
    const all = make(batch.B * width);
    rows.forEach((i, k) => all.set(values.subarray(k * width, (k + 1) * width), i * width));
    return all;
  };
  const floats = (values: Float32Array): Float32Array => spread(values, (length) => new Float32Array(length));
  const named = Object.entries(credit.parts ?? {}).map(([name, values]) => [name, floats(values)] as const);
  return {
    A: floats(credit.A),
    ...(named.length > 0 ? { parts: Object.fromEntries(named) } : {}),
    ...(credit.target ? { target: floats(credit.target) } : {}),
    ...(credit.keep ? { keep: spread(credit.keep, (length) => new Uint8Array(length)) } : {}),
  };
}
