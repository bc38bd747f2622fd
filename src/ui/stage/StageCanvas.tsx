import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { useWindowHeight } from '../charts/useWindowHeight.ts';
import { useView } from '../stores/view.ts';
import { useIsDark, useIsStill } from '../useTheme.ts';
import { CellGrid } from './CellGrid.tsx';
import { Morph } from './morph.ts';
import { cellSize, render, type Picture } from './render.ts';
import { useWidth } from './useWidth.ts';

/** Height of a window that is not the map, in CSS pixels: bars above, strip and player below. */
const BESIDES = 430;

type Props = Omit<Picture, 'isDark'> & {
  /** the whole picture in words */
  summary: string;
  /** one cell in words */
  tell: (cell: number) => string;
  /** what stands under the picture while nobody points at a cell */
  hint: string;
  /** most height in CSS pixels; that of the lab where it is left out */
  most?: number;
};

/** Picture of a level. A pointer or the arrow keys choose a cell, whose numbers are told in words. */
export function StageCanvas({ summary, tell, hint, most, ...picture }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 400);
  const [pointed, setPointed] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const isDark = useIsDark();
  const { scene, cells, overlay, limit, hasAgent, trail, path, covered } = picture;
  const isLarge = useView((v) => v.large === 'stage');
  const height = useWindowHeight();
  const size = cellSize(width, ratio, scene, most ?? (isLarge ? Math.max(400, height - BESIDES) : 400));
  const side = size / ratio;
  const isStill = useIsStill();
  const morph = useRef(new Morph());
  useEffect(() => {
    const rest = { scene, overlay, limit, hasAgent, trail, path, covered, isDark };
    const draw = (now: number): void => render(canvas.current!, { ...rest, cells: morph.current.at(now) }, size, ratio);
    morph.current.aim(cells, isStill || overlay !== 'policy', performance.now());
    return whileMoving(morph.current, draw);
  }, [scene, cells, overlay, limit, hasAgent, trail, path, covered, isDark, isStill, size, ratio]);

  const isWide = scene.width * side > width;
  const agentX = ((scene.agent.cell % scene.width) + 0.5) * side;
  useEffect(() => {
    // a map wider than the page follows the agent
    if (isWide) scroller.current!.scrollLeft = agentX - scroller.current!.clientWidth / 2;
  }, [isWide, agentX]);

  const count = scene.width * scene.height;
  const at = Math.min(count - 1, pointed ?? focused ?? scene.agent.cell);
  const [column, row] = [at % scene.width, Math.floor(at / scene.width)];
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = Math.max(0, Math.min(scene.width - 1, Math.floor((event.clientX - frame.left) / side)));
    const y = Math.max(0, Math.min(scene.height - 1, Math.floor((event.clientY - frame.top) / side)));
    setPointed(y * scene.width + x);
  };
  const move = (key: string): boolean => {
    const to = stepOnMap(key, at, scene.width, scene.height);
    if (to === null) return false;
    setPointed(null);
    setFocused(to);
    return true;
  };
  const told = pointed ?? focused;
  return (
    <div className="stagebox" ref={box}>
      <div className={isWide ? 'scroller' : 'still'} ref={scroller}>
        <div className="picture" style={{ width: scene.width * side, height: scene.height * side }}>
          <canvas ref={canvas} role="img" aria-label={summary} style={{ width: '100%', height: '100%' }} />
          <CellGrid
            label="Cells of the map; arrow keys move"
            rows={scene.height}
            columns={scene.width}
            row={row}
            column={column}
            text={tell(at)}
            isShown={pointed !== null}
            frame={{ left: column * side, top: row * side, width: side, height: side }}
            onMove={move}
            onPoint={point}
            onHover={point}
            onLeave={() => setPointed(null)}
          />
        </div>
      </div>
      <p className="told quiet">{told === null || told >= count ? hint : tell(told)}</p>
    </div>
  );
}

/** Draws now, and then in every second frame of the screen until the arrows have arrived. Returns what ends it. */
function whileMoving(morph: Morph, draw: (now: number) => void): () => void {
  let turn = 0;
  let request = 0;
  const next = (): void => {
    const now = performance.now();
    if (turn++ % 2 === 0 || morph.isOver(now)) draw(now);
    if (!morph.isOver(now)) request = requestAnimationFrame(next);
  };
  next();
  return () => cancelAnimationFrame(request);
}

/** Cell next to another one in the direction of an arrow key; null for other keys. Stays on the map. */
export function stepOnMap(key: string, cell: number, width: number, height: number): number | null {
  const [x, y] = [cell % width, Math.floor(cell / width)];
  switch (key) {
    case 'ArrowLeft':
      return x > 0 ? cell - 1 : cell;
    case 'ArrowRight':
      return x < width - 1 ? cell + 1 : cell;
    case 'ArrowUp':
      return y > 0 ? cell - width : cell;
    case 'ArrowDown':
      return y < height - 1 ? cell + width : cell;
    case 'Home':
      return y * width;
    case 'End':
      return y * width + width - 1;
    default:
      return null;
  }
}
