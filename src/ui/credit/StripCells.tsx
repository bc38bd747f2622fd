import { useEffect, useMemo, useRef, type PointerEvent } from 'react';
import { CellGrid } from '../stage/CellGrid.tsx';
import { PALETTES } from '../stage/palette.ts';
import { useWidth } from '../stage/useWidth.ts';
import { useIsDark } from '../useTheme.ts';
import { drawStrip, GUTTER, type StripDrawing } from './draw.ts';
import { cellAt, moveCell, type Cell, type Layout, type Rows } from './layout.ts';
import { stripPixels } from './strips.ts';

type Props = Pick<StripDrawing, 'values' | 'limit' | 'hasSigns' | 'chosen'> & {
  /** the episodes: B of up to T steps */
  batch: Pick<StripDrawing, 'length' | 'success' | 'T'> & Rows;
  layout: Layout;
  title: string;
  /** what the cells hold; credit where not said */
  what?: string;
  /** the cell with the frame, and its sentence */
  cell: Cell;
  text: string;
  isShown: boolean;
  /** the cell that the keys move from */
  pinned: Cell;
  choose: (cell: Cell) => void;
  /** null: the pointer has left */
  hover: (cell: Cell | null) => void;
};

/** Credit of steps, drawn: one row per episode, one cell per step. What choosing a cell means is up to whoever shows it. */
export function StripCells({
  batch,
  layout,
  title,
  what = 'credit',
  values,
  limit,
  hasSigns,
  chosen,
  ...cells
}: Props) {
  const { cell, text, isShown, pinned, choose, hover } = cells;
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 400);
  const isDark = useIsDark();
  const pixels = useMemo(
    () => stripPixels(batch, layout, values, limit, isDark),
    [batch, layout, values, limit, isDark],
  );
  useEffect(() => {
    const { length, success, T } = batch;
    const { ink, quiet } = PALETTES[isDark ? 'dark' : 'light'];
    const frame = { layout, values, limit, isDark, hasSigns, width, ratio, ink, quiet };
    drawStrip(canvas.current!, { pixels, length, success, T, chosen, ...frame });
  }, [batch, pixels, layout, values, limit, isDark, hasSigns, chosen, width, ratio]);

  const under = (event: PointerEvent<HTMLDivElement>): Cell => {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * layout.columns;
    return cellAt(layout, batch, x, event.clientY - frame.top);
  };
  const step = (width - GUTTER) / layout.columns;
  const row = layout.rowOf[cell.i]!;
  const column = layout.offset[cell.i]! + cell.t;
  return (
    <div className="strip" ref={box} style={{ height: layout.height }}>
      <span className="hatch" aria-hidden style={{ left: GUTTER }} />
      <canvas ref={canvas} role="img" aria-label={`${title}: ${batch.B} episodes by step, orange up, purple down`} />
      <CellGrid
        label={`${title}, ${what} of every step; arrow keys move, Page keys change the task`}
        rows={batch.B}
        columns={layout.columns}
        {...{ row, column, text, isShown }}
        style={{ left: GUTTER }}
        frame={{ left: column * step, top: layout.top[row]!, width: step, height: layout.rowHeight }}
        onMove={(key) => {
          const to = moveCell(layout, batch, pinned, key);
          if (to) choose(to);
          return to !== null;
        }}
        onHover={(event) => event.pointerType === 'mouse' && hover(under(event))}
        onLeave={() => hover(null)}
        onPoint={(event) => choose(under(event))}
      />
    </div>
  );
}
