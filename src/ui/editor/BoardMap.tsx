import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react';
import { CellGrid } from '../stage/CellGrid.tsx';
import { cellSize, render } from '../stage/render.ts';
import { stepOnMap } from '../stage/StageCanvas.tsx';
import { useWidth } from '../stage/useWidth.ts';
import { useIsDark } from '../useTheme.ts';
import { brushOf, sceneOfBoard, type Board } from './board.ts';
import type { BoardKind } from '../../envs/editor.ts';

type Props = {
  board: Board;
  kind: BoardKind;
  /** paints a cell with the character; cells of one `stroke` are undone together */
  paint: (cell: number, char: string, stroke: string) => void;
  /** the character that Space, Enter and the pointer paint, and what Delete leaves */
  char: string;
  floor: string;
  /** where the level has its mistake */
  wrong: number | null;
};

let strokes = 0;

/** The map under the brush: pointer and touch paint, arrow keys move, Space paints, a character paints itself. */
export function BoardMap({ board, kind, paint, char, floor, wrong }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 320);
  const isDark = useIsDark();
  const [focused, setFocused] = useState(0);
  const stroke = useRef('');
  const { scene, hasAgent } = useMemo(() => sceneOfBoard(board, kind), [board, kind]);
  const size = cellSize(width, ratio, scene);
  const side = size / ratio;
  useEffect(() => {
    const picture = { scene, cells: null, overlay: 'policy', limit: 1, hasAgent, trail: [], path: [], isDark } as const;
    render(canvas.current!, picture, size, ratio);
  }, [scene, hasAgent, isDark, size, ratio]);

  const count = board.width * board.height;
  const at = Math.min(count - 1, focused);
  const [column, row] = [at % board.width, Math.floor(at / board.width)];
  const under = (event: PointerEvent<HTMLDivElement>): number => {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = Math.max(0, Math.min(board.width - 1, Math.floor((event.clientX - frame.left) / side)));
    const y = Math.max(0, Math.min(board.height - 1, Math.floor((event.clientY - frame.top) / side)));
    return y * board.width + x;
  };
  const onKey = (key: string): boolean => {
    const to = stepOnMap(key, at, board.width, board.height);
    if (to !== null) setFocused(to);
    else if (key === ' ' || key === 'Enter') paint(at, char, '');
    else if (key === 'Delete' || key === 'Backspace') paint(at, floor, '');
    else if (key.length === 1 && brushOf(kind, key)) paint(at, key, '');
    else return false;
    return true;
  };
  const frame = (cell: number) => ({
    left: (cell % board.width) * side,
    top: Math.floor(cell / board.width) * side,
    width: side,
    height: side,
  });
  const name = brushOf(kind, board.chars[at]!)?.name ?? `the character ${board.chars[at]}`;
  return (
    <div className="stagebox" ref={box}>
      <div className="picture painting" style={{ width: board.width * side, height: board.height * side }}>
        <canvas ref={canvas} aria-hidden style={{ width: '100%', height: '100%' }} />
        {wrong !== null && wrong < count && <span className="wrongcell" aria-hidden style={frame(wrong)} />}
        <CellGrid
          label="Map to paint; arrow keys move, Space paints, Delete clears"
          rows={board.height}
          columns={board.width}
          row={row}
          column={column}
          text={`Column ${column + 1}, row ${row + 1}: ${name}${at === wrong ? ', here is the mistake' : ''}`}
          isShown={false}
          frame={frame(at)}
          onMove={onKey}
          onPoint={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            stroke.current = `stroke ${++strokes}`;
            setFocused(under(event));
            paint(under(event), char, stroke.current);
          }}
          onHover={(event) => {
            if ((event.buttons & 1) === 1 && stroke.current !== '') paint(under(event), char, stroke.current);
          }}
        />
      </div>
    </div>
  );
}
