import type { Snapshot } from '../../worker/protocol.ts';

export type Align = 'start' | 'end';

/** What a layout needs to know of a batch. */
export type Rows = Pick<Snapshot, 'B' | 'T' | 'length' | 'taskIndex'>;

/** Where the cells of a strip lie: one row per episode, tasks together with a gap between them, one column per step. */
export type Layout = {
  /** [B] episode of each row, and row of each episode */
  readonly order: Uint32Array;
  readonly rowOf: Uint32Array;
  /** [B] upper edge of each row in pixels */
  readonly top: Float64Array;
  /** [B] column of the first step of each episode */
  readonly offset: Uint32Array;
  readonly columns: number;
  readonly rowHeight: number;
  readonly height: number;
  /** rows from (inclusive) to (exclusive) of each task */
  readonly groups: readonly { readonly task: number; readonly from: number; readonly to: number }[];
};

/** Columns for the longest episode: the step limit, halved as long as everything fits, so that the scale rarely moves. */
export function columnsFor(longest: number, T: number): number {
  let columns = T;
  while (columns > 8 && longest <= Math.ceil(columns / 2)) columns = Math.ceil(columns / 2);
  return columns;
}

/** Height of a row so that a batch is about 280 pixels high; at least 8 where the cells carry signs. */
export function rowHeightFor(B: number, hasSigns: boolean): number {
  return Math.max(hasSigns ? 8 : 1, Math.min(12, Math.floor(280 / B)));
}

export function layoutRows(rows: Rows, align: Align, rowHeight: number, gap: number): Layout {
  const { B, T, length, taskIndex } = rows;
  const order = Uint32Array.from({ length: B }, (_, i) => i).sort((a, b) => taskIndex[a]! - taskIndex[b]! || a - b);
  const rowOf = new Uint32Array(B);
  const top = new Float64Array(B);
  const groups: { task: number; from: number; to: number }[] = [];
  let y = 0;
  order.forEach((i, row) => {
    const last = groups.at(-1);
    if (last && last.task === taskIndex[i]) last.to = row + 1;
    else {
      if (last) y += gap;
      groups.push({ task: taskIndex[i]!, from: row, to: row + 1 });
    }
    rowOf[i] = row;
    top[row] = y;
    y += rowHeight;
  });
  const columns = columnsFor(
    length.reduce((most, n) => Math.max(most, n), 1),
    T,
  );
  const offset = length.map((n) => (align === 'end' ? columns - n : 0));
  return { order, rowOf, top, offset, columns, rowHeight, height: y, groups };
}

/** A step of the batch: episode and step. */
export type Cell = { readonly i: number; readonly t: number };

/** Step under a point: x in columns, y in pixels. The nearest step of the row; a gap belongs to the row above it. */
export function cellAt(layout: Layout, rows: Rows, x: number, y: number): Cell {
  let row = 0;
  for (const { from, to } of layout.groups) {
    if (y < layout.top[from]!) break;
    row = Math.min(to - 1, from + Math.floor((y - layout.top[from]!) / layout.rowHeight));
  }
  const i = layout.order[row]!;
  return { i, t: within(Math.floor(x) - layout.offset[i]!, rows.length[i]!) };
}

const within = (t: number, n: number): number => Math.max(0, Math.min(n - 1, t));

/** Where a key leads from a cell; stays on real steps. Up and down keep the column that one sees. */
export function moveCell(layout: Layout, rows: Rows, { i, t }: Cell, key: string): Cell | null {
  const n = rows.length[i]!;
  const row = (to: number): Cell => {
    const j = layout.order[Math.max(0, Math.min(rows.B - 1, to))]!;
    return { i: j, t: within(t + layout.offset[i]! - layout.offset[j]!, rows.length[j]!) };
  };
  const here = layout.rowOf[i]!;
  const page = layout.groups.find((g) => here < g.to)!;
  switch (key) {
    case 'ArrowLeft':
      return { i, t: within(t - 1, n) };
    case 'ArrowRight':
      return { i, t: within(t + 1, n) };
    case 'ArrowUp':
      return row(here - 1);
    case 'ArrowDown':
      return row(here + 1);
    case 'PageUp':
      return row(page.from === here ? (layout.groups.findLast((g) => g.to <= here)?.from ?? 0) : page.from);
    case 'PageDown':
      return row(page.to);
    case 'Home':
      return { i, t: 0 };
    case 'End':
      return { i, t: n - 1 };
    default:
      return null;
  }
}
