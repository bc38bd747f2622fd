import { useEffect, useRef, type PointerEvent } from 'react';
import type { Scene } from '../../envs/types.ts';
import { CellGrid } from '../stage/CellGrid.tsx';
import { COLOR_NAMES } from '../stage/palette.ts';
import { cellSize, render } from '../stage/render.ts';
import { stepOnMap } from '../stage/StageCanvas.tsx';
import { useWidth } from '../stage/useWidth.ts';
import { contents } from '../stage/words.ts';
import { useIsDark } from '../useTheme.ts';

type Props = { scene: Scene; chosen: number; choose: (cell: number) => void };

/** The map of a graph; a click or the arrow keys choose a room. */
export function RoomsMap({ scene, chosen, choose }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 320);
  const isDark = useIsDark();
  const size = cellSize(width, ratio, scene);
  const side = size / ratio;
  useEffect(() => {
    const picture = {
      scene,
      cells: null,
      overlay: 'policy',
      limit: 1,
      hasAgent: true,
      trail: [],
      path: [],
      isDark,
    } as const;
    render(canvas.current!, picture, size, ratio);
  }, [scene, isDark, size, ratio]);
  const [column, row] = [chosen % scene.width, Math.floor(chosen / scene.width)];
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = Math.min(scene.width - 1, Math.max(0, Math.floor((event.clientX - frame.left) / side)));
    const y = Math.min(scene.height - 1, Math.max(0, Math.floor((event.clientY - frame.top) / side)));
    choose(y * scene.width + x);
  };
  const cell = scene.cells[chosen]!;
  return (
    <div className="stagebox" ref={box}>
      <div className="scroller">
        <div className="picture" style={{ width: scene.width * side, height: scene.height * side }}>
          <canvas ref={canvas} aria-hidden style={{ width: '100%', height: '100%' }} />
          <CellGrid
            label="Rooms; arrow keys choose one"
            rows={scene.height}
            columns={scene.width}
            row={row}
            column={column}
            text={cell.label === undefined ? 'No room here' : `Room ${cell.label}: ${contents(cell, COLOR_NAMES)}`}
            isShown
            frame={{ left: column * side, top: row * side, width: side, height: side }}
            onMove={(key) => {
              const to = nextRoom(scene, chosen, key);
              if (to !== null) choose(to);
              return to !== null;
            }}
            onPoint={point}
          />
        </div>
      </div>
    </div>
  );
}

/** The next cell with a room in the direction of an arrow key; null for other keys. */
function nextRoom(scene: Scene, from: number, key: string): number | null {
  let at = from;
  for (;;) {
    const to = stepOnMap(key, at, scene.width, scene.height);
    if (to === null) return null;
    if (to === at) return from;
    if (scene.cells[to]!.label !== undefined) return to;
    at = to;
  }
}
