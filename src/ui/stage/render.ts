import type { Scene } from '../../envs/types.ts';
import { css, inkOn, signedColor, viridis } from '../color.ts';
import { short, value } from '../format.ts';
import type { Overlay } from '../stores/view.ts';
import type { Covered } from './covered.ts';
import type { CellView } from './layers.ts';
import {
  drawAgent,
  drawArrows,
  drawBeacon,
  drawCovered,
  drawNumber,
  drawPath,
  drawTrail,
  mostVisits,
  rangeOf,
} from './marks.ts';
import { PALETTES } from './palette.ts';
import { drawDoors, drawRooms } from './roomMap.ts';
import type { Ctx } from './shapes.ts';
import { drawScene } from './tiles.ts';

/** Everything the picture of a level depends on. */
export type Picture = {
  readonly scene: Scene;
  /** per cell, for the layer that is shown; null before the first batch */
  readonly cells: ReadonlyMap<number, CellView> | null;
  readonly overlay: Exclude<Overlay, 'ahead'>;
  /** value of the strongest colors of the overlays of credit and reward */
  readonly limit: number;
  /** the layer is that of the agent's state, so the agent is in it */
  readonly hasAgent: boolean;
  /** cells of the episode so far, and of the best path; empty for none */
  readonly trail: readonly number[];
  readonly path: readonly number[];
  /** what the episode has covered so far */
  readonly covered?: Covered | null | undefined;
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
  // a map that has the window to itself has larger cells, too
  const cap = largest * Math.max(1, most / 400);
  const fit = Math.min((width * ratio) / scene.width, (most * ratio) / scene.height, cap * ratio);
  return Math.floor(Math.max(2, least * ratio, fit));
}

/** Numbers are written into cells from this size on (device pixels per CSS pixel taken out). */
const ROOM = 40;

const hasThings = ({ item, items }: Scene['cells'][number]): boolean => item !== undefined || (items?.length ?? 0) > 0;

/** Drawings of levels without what moves on them: between two frames they are copied, as texts and shapes cost time. */
class Grounds {
  private readonly known = new Map<string, OffscreenCanvas>();

  of(key: string, width: number, height: number, draw: (ctx: Ctx) => void): OffscreenCanvas {
    let found = this.known.get(key);
    if (found) return found;
    if (this.known.size >= GROUNDS) this.known.delete(this.known.keys().next().value!);
    found = new OffscreenCanvas(width, height);
    draw(found.getContext('2d') as unknown as Ctx);
    this.known.set(key, found);
    return found;
  }
}
/** Enough for the states of a level between which an episode goes: with the key, without it, … */
const GROUNDS = 8;
const grounds = new Grounds();

const keys = new WeakMap<Scene, string>();

/** Everything of a scene that lies still. */
function keyOf(scene: Scene): string {
  let key = keys.get(scene);
  if (key === undefined) {
    const { width, cells, passages, holding } = scene;
    keys.set(scene, (key = JSON.stringify({ width, cells, passages, holding })));
  }
  return key;
}

/** Draws the level with its overlay; `size` device pixels per cell, `ratio` device pixels per CSS pixel. */
export function render(canvas: HTMLCanvasElement, picture: Picture, size: number, ratio: number): void {
  const { scene, cells, overlay, isDark } = picture;
  const p = PALETTES[isDark ? 'dark' : 'light'];
  const [width, height] = [scene.width * size, scene.height * size];
  // a canvas that gets a size is made again, even if it had that size
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const ctx = canvas.getContext('2d')!;
  ctx.clearRect(0, 0, width, height);
  const most = cells ? mostVisits(cells) : 1;
  const isSpread = overlay === 'entropy' || overlay === 'change';
  const [low, high] = cells && isSpread ? rangeOf(cells, overlay) : [0, 1];
  const heat = (cell: number) => {
    const view = cells?.get(cell);
    if (!view || overlay === 'policy') return null;
    if (isSpread) return viridis((view[overlay] - low) / (high - low));
    if (view.visits === 0) return null;
    // the square root shows rare cells beside the crowded start
    return overlay === 'visits'
      ? viridis(Math.sqrt(view.visits / most))
      : signedColor(view[overlay] / picture.limit, isDark);
  };
  const draw = scene.passages ? drawRooms : drawScene;
  const tint = (cell: number) => {
    const color = heat(cell);
    return color && css(color);
  };
  if (overlay === 'policy') {
    const key = `${size} ${isDark} ${keyOf(scene)}`;
    const ground = (on: Ctx): void => draw(on, scene, size, p, () => null);
    ctx.drawImage(grounds.of(key, width, height, ground), 0, 0);
  } else draw(ctx, scene, size, p, tint);
  if (picture.covered) drawCovered(ctx, picture.covered, scene.width, size, p);
  if (picture.trail.length > 1) drawTrail(ctx, picture.trail, scene.width, size, p);
  // in a map of rooms the names stay readable under it
  if (picture.path.length > 1) drawPath(ctx, picture.path, scene.width, size, p, scene.passages ? 0.5 : 1);
  drawDoors(ctx, scene, size, p);
  if (scene.told && scene.told.cell !== null) drawBeacon(ctx, scene.told.cell, scene.width, size, p);
  const agent = picture.hasAgent ? scene.agent.cell : -1;
  if (cells) {
    for (const [cell, view] of cells) {
      const isTaken = cell === agent || hasThings(scene.cells[cell]!);
      if (overlay === 'policy') drawArrows(ctx, cell, scene.width, size, view.arrows, isTaken, p);
      else if (size / ratio >= ROOM && heat(cell)) {
        const what = overlay === 'visits' ? short(view.visits) : value(Math.abs(Number(view[overlay].toPrecision(2))));
        const sign = overlay === 'credit' || overlay === 'reward' ? Math.sign(view[overlay]) : 0;
        drawNumber(ctx, cell, scene.width, size, what, sign, inkOn(heat(cell)!));
      }
    }
  }
  if (picture.hasAgent) drawAgent(ctx, scene, size, p);
}
