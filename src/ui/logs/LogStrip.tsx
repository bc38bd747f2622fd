import { useEffect, useMemo, useRef, type PointerEvent } from 'react';
import type { LogWindow } from '../../logs/window.ts';
import { drawStrip, GUTTER } from '../credit/draw.ts';
import { cellAt, moveCell, type Cell, type Layout } from '../credit/layout.ts';
import { stripPixels } from '../credit/strips.ts';
import { signed } from '../format.ts';
import { CellGrid } from '../stage/CellGrid.tsx';
import { PALETTES } from '../stage/palette.ts';
import { useWidth } from '../stage/useWidth.ts';
import { useIsDark } from '../useTheme.ts';

type Props = {
  window: LogWindow;
  column: LogWindow['columns'][number];
  layout: Layout;
  /** the cell under the pointer or else the pinned one, in rows of the window; null: it is not in the window */
  shown: Cell | null;
  pinned: Cell | null;
  hasSigns: boolean;
  choose: (cell: Cell) => void;
  hover: (cell: Cell | null) => void;
};

const NONE = new Uint32Array();

/** Credit of the episodes in the window: one row per episode, one cell per step. */
export function LogStrip({ window, column, layout, shown, pinned, hasSigns, choose, hover }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 400);
  const isDark = useIsDark();
  const { values, limit, title } = column;
  const pixels = useMemo(
    () => stripPixels(window, layout, values, limit, isDark),
    [window, layout, values, limit, isDark],
  );
  useEffect(() => {
    const { length, success, T } = window;
    const { ink, quiet } = PALETTES[isDark ? 'dark' : 'light'];
    const frame = { layout, values, limit, isDark, hasSigns, width, ratio, ink, quiet };
    drawStrip(canvas.current!, { pixels, length, success, T, chosen: NONE, ...frame });
  }, [window, pixels, layout, values, limit, isDark, hasSigns, width, ratio]);
  const under = (event: PointerEvent<HTMLDivElement>): Cell => {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * layout.columns;
    return cellAt(layout, window, x, event.clientY - frame.top);
  };
  const step = (width - GUTTER) / layout.columns;
  const cell = shown ?? { i: layout.order[0]!, t: 0 };
  const column0 = layout.offset[cell.i]! + cell.t;
  const row = layout.rowOf[cell.i]!;
  const told = `${window.episodes[cell.i]}, step ${cell.t + 1}: ${title} ${signed(values[cell.i * window.T + cell.t]!)}`;
  return (
    <div className="strip" ref={box} style={{ height: layout.height }}>
      <span className="hatch" aria-hidden style={{ left: GUTTER }} />
      <canvas ref={canvas} role="img" aria-label={`${title}: ${window.B} episodes by step, orange up, purple down`} />
      <CellGrid
        label={`${title}, credit of every step; arrow keys move, Page keys change the task`}
        rows={window.B}
        columns={layout.columns}
        {...{ row, column: column0, text: told }}
        isShown={shown !== null}
        style={{ left: GUTTER }}
        frame={{ left: column0 * step, top: layout.top[row]!, width: step, height: layout.rowHeight }}
        onMove={(key) => {
          const to = moveCell(layout, window, pinned ?? cell, key);
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
