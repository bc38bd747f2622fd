import { useEffect, useMemo, useRef, type PointerEvent } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useChosenSteps } from '../graph/selection.ts';
import { CellGrid } from '../stage/CellGrid.tsx';
import { PALETTES } from '../stage/palette.ts';
import { useWidth } from '../stage/useWidth.ts';
import { look, select } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { drawStrip, GUTTER } from './draw.ts';
import { cellAt, moveCell, type Cell, type Layout } from './layout.ts';
import { withoutFaint } from './runScale.ts';
import { stepSentence } from './sentences.ts';
import { stripPixels, type Layer } from './strips.ts';

type Props = {
  snapshot: Snapshot;
  layer: Layer;
  limit: number;
  layout: Layout;
  /** the step shown everywhere, and the one that a click has pinned */
  shown: Cell;
  pinned: Cell;
  hasSigns: boolean;
  /** smaller values have neither color nor sign */
  least?: number;
};

/** Credit of all steps: one row per episode, one cell per step. The pointer shows a step everywhere, a click pins it. */
export function Strip({ snapshot, layer, limit, layout, shown, pinned, hasSigns, least = 0 }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 400);
  const isDark = useIsDark();
  const chosen = useChosenSteps(snapshot, pinned.i, pinned.t);
  const { title } = layer;
  const values = useMemo(() => withoutFaint(layer.values, least), [layer, least]);
  const pixels = useMemo(
    () => stripPixels(snapshot, layout, values, limit, isDark),
    [snapshot, layout, values, limit, isDark],
  );
  useEffect(() => {
    const { length, success, T } = snapshot;
    const { ink, quiet } = PALETTES[isDark ? 'dark' : 'light'];
    const frame = { layout, values, limit, isDark, hasSigns, width, ratio, ink, quiet };
    drawStrip(canvas.current!, { pixels, length, success, T, chosen, ...frame });
  }, [snapshot, pixels, layout, values, limit, isDark, hasSigns, chosen, width, ratio]);

  const under = (event: PointerEvent<HTMLDivElement>): Cell => {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * layout.columns;
    return cellAt(layout, snapshot, x, event.clientY - frame.top);
  };
  const step = (width - GUTTER) / layout.columns;
  return (
    <div className="strip" ref={box} style={{ height: layout.height }}>
      <span className="hatch" aria-hidden style={{ left: GUTTER }} />
      <canvas ref={canvas} role="img" aria-label={`${title}: ${snapshot.B} episodes by step, orange up, purple down`} />
      <CellGrid
        label={`${title}, credit of every step; arrow keys move, Page keys change the task`}
        rows={snapshot.B}
        columns={layout.columns}
        row={layout.rowOf[shown.i]!}
        column={layout.offset[shown.i]! + shown.t}
        text={stepSentence(snapshot, layer, shown.i, shown.t)}
        isShown
        style={{ left: GUTTER }}
        frame={{
          left: (layout.offset[shown.i]! + shown.t) * step,
          top: layout.top[layout.rowOf[shown.i]!]!,
          width: step,
          height: layout.rowHeight,
        }}
        onMove={(key) => {
          const to = moveCell(layout, snapshot, pinned, key);
          if (to) select(to.i, to.t);
          return to !== null;
        }}
        onHover={(event) => {
          const to = under(event);
          if (event.pointerType === 'mouse' && (to.i !== shown.i || to.t !== shown.t)) look({ hovered: to });
        }}
        onLeave={() => look({ hovered: null })}
        onPoint={(event) => {
          const to = under(event);
          select(to.i, to.t);
        }}
      />
    </div>
  );
}
