import type { LogWindow } from '../../logs/window.ts';
import type { Cell, Layout } from '../credit/layout.ts';
import { StripCells } from '../credit/StripCells.tsx';
import { signed } from '../format.ts';

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

/** Credit of the episodes in the window. */
export function LogStrip({ window, column, layout, shown, pinned, hasSigns, choose, hover }: Props) {
  const { values, limit, title } = column;
  const cell = shown ?? { i: layout.order[0]!, t: 0 };
  const value = signed(values[cell.i * window.T + cell.t]!);
  return (
    <StripCells
      batch={window}
      cell={cell}
      text={`${window.episodes[cell.i]}, step ${cell.t + 1}: ${title} ${value}`}
      isShown={shown !== null}
      pinned={pinned ?? cell}
      chosen={NONE}
      {...{ layout, title, values, limit, hasSigns, choose, hover }}
    />
  );
}
