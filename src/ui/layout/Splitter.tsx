import { useSyncExternalStore, type KeyboardEvent, type PointerEvent } from 'react';
import { look } from '../stores/view.ts';
import { fitWidth, LEAST, mostWidth, widthAfter, type Column } from './widths.ts';

const NAMES: Readonly<Record<Column, string>> = { setup: 'Width of the setup', charts: 'Width of the curves' };
const keep = (column: Column, width: number | null): void =>
  look(column === 'setup' ? { setupWidth: width } : { chartsWidth: width });

/** Width of a column as it is drawn, in CSS pixels. */
const drawnWidth = (column: Column): number =>
  document.querySelector(`.columns > .${column}`)?.getBoundingClientRect().width ?? LEAST;

/** Tells when columns get another width: from a bar, or from the window. */
function onColumns(listener: () => void): () => void {
  const observer = new ResizeObserver(listener);
  for (const column of document.querySelectorAll('.columns > *')) observer.observe(column);
  return () => observer.disconnect();
}

/** The bar between the stage and a column beside it: dragged, moved by arrow keys, and put back by a double click or Enter. */
export function Splitter({ column }: { column: Column }) {
  const shown = useSyncExternalStore(onColumns, () => Math.round(drawnWidth(column)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = widthAfter(event.key, drawnWidth(column), column, innerWidth);
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    keep(column, to);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    const [from, width] = [event.clientX, drawnWidth(column)];
    const bar = event.currentTarget;
    bar.setPointerCapture(event.pointerId);
    const follow = (moved: globalThis.PointerEvent): void => {
      const by = (moved.clientX - from) * (column === 'setup' ? 1 : -1);
      if (by !== 0) keep(column, fitWidth(width + by, innerWidth));
    };
    bar.addEventListener('pointermove', follow);
    bar.addEventListener('lostpointercapture', () => bar.removeEventListener('pointermove', follow), { once: true });
  };
  return (
    <div
      className={`splitter ${column}side`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={NAMES[column]}
      aria-valuemin={LEAST}
      aria-valuemax={mostWidth(innerWidth)}
      aria-valuenow={shown}
      title="Drag or use the arrow keys; double-click to reset"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDoubleClick={() => keep(column, null)}
    />
  );
}
