import type { Scene } from '../../envs/types.ts';
import { css, inkOn, signedColor, viridis } from '../color.ts';
import { short, value } from '../format.ts';
import type { Overlay } from '../stores/view.ts';
import type { CellView } from './layers.ts';
import { drawAgent, drawArrows, drawNumber, drawPath, drawTrail, limitOf, mostVisits } from './marks.ts';
import { PALETTES } from './palette.ts';
import { drawDoors, drawRooms } from './roomMap.ts';
import { drawScene } from './tiles.ts';

/** Everything the picture of a level depends on. */
export type Picture = {
  readonly scene: Scene;
  /** per cell, for the layer that is shown; null before the first batch */
  readonly cells: ReadonlyMap<number, CellView> | null;
  readonly overlay: Overlay;
  /** value of the strongest colors of the credit overlay */
  readonly limit: number;
  /** the layer is that of the agent's state, so the agent is in it */
  readonly hasAgent: boolean;
  /** cells of the episode so far, and of the best path; empty for none */
  readonly trail: readonly number[];
  readonly path: readonly number[];
  readonly isDark: boolean;
};

/** Least and largest side of a cell in CSS pixels; the name of a room needs more room than a tile. */
const SIDE = { tile: [1, 84], room: [68, 112] } as const;

/** Side of a cell in device pixels: whole, as large as fits. A map of rooms may be wider than the page: it scrolls. */
export function cellSize(
  width: number,
  ratio: number,
  scene: Pick<Scene, 'width' | 'height' | 'passages'>,
  most = 400,
): number {
  const [least, largest] = scene.passages ? SIDE.room : SIDE.tile;
  const fit = Math.min((width * ratio) / scene.width, (most * ratio) / scene.height, largest * ratio);
  return Math.floor(Math.max(2, least * ratio, fit));
}

/** Numbers are written into cells from this size on (device pixels per CSS pixel taken out). */
const ROOM = 40;

const hasThings = ({ item, items }: Scene['cells'][number]): boolean => item !== undefined || (items?.length ?? 0) > 0;

/** Draws the level with its overlay; `size` device pixels per cell, `ratio` device pixels per CSS pixel. */
export function render(canvas: HTMLCanvasElement, picture: Picture, size: number, ratio: number): void {
  const { scene, cells, overlay, isDark } = picture;
  const p = PALETTES[isDark ? 'dark' : 'light'];
  canvas.width = scene.width * size;
  canvas.height = scene.height * size;
  const ctx = canvas.getContext('2d')!;
  const most = cells ? mostVisits(cells) : 1;
  const heat = (cell: number) => {
    const view = cells?.get(cell);
    if (!view || overlay === 'policy') return null;
    if (overlay === 'entropy' || overlay === 'change') return viridis(view[overlay] / limitOf(cells!, overlay));
    if (view.visits === 0) return null;
    // the square root shows rare cells beside the crowded start
    return overlay === 'visits'
      ? viridis(Math.sqrt(view.visits / most))
      : signedColor(view.credit / picture.limit, isDark);
  };
  const draw = scene.passages ? drawRooms : drawScene;
  draw(ctx, scene, size, p, (cell) => {
    const color = heat(cell);
    return color && css(color);
  });
  if (picture.trail.length > 1) drawTrail(ctx, picture.trail, scene.width, size, p);
  // in a map of rooms the names stay readable under it
  if (picture.path.length > 1) drawPath(ctx, picture.path, scene.width, size, p, scene.passages ? 0.5 : 1);
  drawDoors(ctx, scene, size, p);
  const agent = picture.hasAgent ? scene.agent.cell : -1;
  if (cells) {
    for (const [cell, view] of cells) {
      const isTaken = cell === agent || hasThings(scene.cells[cell]!);
      if (overlay === 'policy') drawArrows(ctx, cell, scene.width, size, view.arrows, isTaken, p);
      else if (size / ratio >= ROOM && heat(cell)) {
        const what = overlay === 'visits' ? short(view.visits) : value(Math.abs(Number(view[overlay].toPrecision(2))));
        const sign = overlay === 'credit' ? Math.sign(view.credit) : 0;
        drawNumber(ctx, cell, scene.width, size, what, sign, inkOn(heat(cell)!));
      }
    }
  }
  if (picture.hasAgent) drawAgent(ctx, scene, size, p);
}
