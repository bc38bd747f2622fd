import { useId, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';

type Props = {
  label: string;
  rows: number;
  columns: number;
  /** the cell with the focus, 0-based */
  row: number;
  column: number;
  /** the cell in words */
  text: string;
  /** frame of the cell */
  frame: CSSProperties;
  isShown: boolean;
  /** true if the key meant something here */
  onMove: (key: string) => boolean;
  onPoint?: (event: PointerEvent<HTMLDivElement>) => void;
  onHover?: (event: PointerEvent<HTMLDivElement>) => void;
  onLeave?: () => void;
  style?: CSSProperties;
};

/**
 * The twin of a grid that is drawn on a canvas, for keyboards and screen readers: it lies over the drawing, and of its
 * many cells only the one with the focus is in the page. Arrow keys move it.
 */
export function CellGrid(props: Props) {
  const id = useId();
  const { label, rows, columns, row, column, text, frame, isShown } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !props.onMove(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="cellgrid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows}
      aria-colcount={columns}
      aria-activedescendant={id}
      style={props.style}
      onKeyDown={onKeyDown}
      onPointerDown={props.onPoint}
      onPointerMove={props.onHover}
      onPointerLeave={props.onLeave}
    >
      <div role="row" aria-rowindex={row + 1}>
        <div
          role="gridcell"
          id={id}
          aria-colindex={column + 1}
          aria-selected
          className={isShown ? 'cellframe' : 'cellframe faint'}
          style={frame}
        >
          <span className="visually-hidden">{text}</span>
        </div>
      </div>
    </div>
  );
}
