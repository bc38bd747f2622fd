import type { RunRecord } from '../../lab/runs/record.ts';
import { columnOf, type Column } from './columns.ts';
import type { RunGroup } from './groups.ts';
import { naturalOrder } from './naturalOrder.ts';
import type { Filter, Sort, TableState } from './tableStore.ts';

/** A line of the table: a group, or one run; runs below their group are indented. */
export type Row =
  | {
      readonly kind: 'group';
      readonly id: string;
      readonly name: string;
      readonly group: RunGroup;
      /** those of its runs that pass the filters: what is done to the line is done to them */
      readonly runs: readonly RunRecord[];
    }
  | {
      readonly kind: 'run';
      readonly id: string;
      readonly name: string;
      readonly group: RunGroup;
      readonly run: RunRecord;
      readonly isBelow: boolean;
    };

/** Ids of the runs of a row; a filter that hides some of a group leaves them alone. */
export const idsOf = (row: Row): readonly string[] =>
  row.kind === 'run' ? [row.run.id] : row.runs.map(({ id }) => id);

/** A run passes if every word of the text is somewhere in what is written of it, and everything else fits. */
function passes(run: RunRecord, { task, method }: RunGroup, name: string, filter: Filter): boolean {
  if (filter.task !== '' && task !== filter.task) return false;
  if (filter.method !== '' && method !== filter.method) return false;
  if (filter.state !== '' && run.state !== filter.state) return false;
  if (filter.tag !== '' && !run.tags.includes(filter.tag)) return false;
  if (filter.batch !== '' && run.batch !== filter.batch) return false;
  if (filter.text === '') return true;
  const all = [name, task, method, run.title, run.note, ...run.tags, run.address, run.group, run.digest ?? ''];
  const text = all.join(' ').toLowerCase();
  return filter.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Groups with the runs that pass; a group of which none does is left out. */
export function filtered(
  groups: Iterable<RunGroup>,
  names: ReadonlyMap<string, string>,
  filter: Filter,
): { readonly group: RunGroup; readonly runs: readonly RunRecord[] }[] {
  return [...groups]
    .map((group) => ({ group, runs: group.runs.filter((run) => passes(run, group, names.get(group.key)!, filter)) }))
    .filter(({ runs }) => runs.length > 0);
}

type Key = string | number | null;

/** What is not known comes last, whichever way the order goes. */
function compare(a: Key, b: Key, isDown: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = naturalOrder(a, b);
  return isDown ? -order : order;
}

const keyOf = (row: Row, column: Column): Key => {
  if (column.id === 'name') return row.name;
  if (row.kind === 'group') return column.id === 'n' ? row.group.members.length : column.group(row.group);
  return column.run(row.run) ?? (column.id === 'task' || column.id === 'method' ? column.group(row.group) : null);
};

/** Places of lines by their ids. */
type Places = ReadonlyMap<string, number>;

/**
 * Pinned rows first, then those that have a place, then in the chosen order; equal ones by their id, so that nothing
 * trembles.
 */
function inOrder(rows: readonly Row[], { by, isDown }: Sort, places: Places): Row[] {
  const column = columnOf(by);
  const placeOf = ({ id }: Row): number => places.get(id) ?? places.size;
  const isPinned = (row: Row): boolean => (row.kind === 'group' ? row.group : row.run).isPinned;
  const keyed = rows.map((row) => ({ row, key: keyOf(row, column) }));
  return keyed
    .sort(
      (a, b) =>
        Number(isPinned(b.row)) - Number(isPinned(a.row)) ||
        placeOf(a.row) - placeOf(b.row) ||
        compare(a.key, b.key, isDown) ||
        (a.row.id < b.row.id ? -1 : 1),
    )
    .map(({ row }) => row);
}

type Shown = Pick<TableState, 'isGrouped' | 'sort' | 'filter' | 'open'>;

/** The lines of the table from top to bottom; those that have a place already keep to it. */
export function rowsOf(
  groups: Iterable<RunGroup>,
  names: ReadonlyMap<string, string>,
  { isGrouped, sort, filter, open }: Shown,
  places: Places = new Map(),
): Row[] {
  const found = filtered(groups, names, filter);
  const runsOf = ({ group, runs }: (typeof found)[number], isBelow: boolean): Row[] =>
    runs.map((run) => ({
      ...{ kind: 'run', id: run.id, group, run, isBelow },
      name: isBelow ? `seed ${run.seed}` : `${names.get(group.key)!}, seed ${run.seed}`,
    }));
  if (!isGrouped)
    return inOrder(
      found.flatMap((each) => runsOf(each, false)),
      sort,
      places,
    );
  const byKey = new Map(found.map((each) => [each.group.key, each]));
  const lines = found.map(({ group, runs }): Row => ({
    kind: 'group',
    id: group.key,
    name: names.get(group.key)!,
    group,
    runs,
  }));
  return inOrder(lines, sort, places).flatMap((line) =>
    open.has(line.id) ? [line, ...runsOf(byKey.get(line.id)!, true)] : [line],
  );
}

/**
 * The lines, which stay where they are while somebody points at them: what trains moves to its place afterwards, and what
 * is new comes last. Whoever sorts, filters or groups asks for another order and gets it at once.
 */
export class Lines {
  private shown: Shown | null = null;
  private places: Places = new Map();

  of(groups: Iterable<RunGroup>, names: ReadonlyMap<string, string>, shown: Shown, isHeld: boolean): Row[] {
    const before = this.shown;
    const isSame = (['isGrouped', 'sort', 'filter'] as const).every((what) => before?.[what] === shown[what]);
    const rows = rowsOf(groups, names, shown, isHeld && isSame ? this.places : new Map());
    this.shown = shown;
    this.places = new Map(rows.map(({ id }, k) => [id, k]));
    return rows;
  }
}
