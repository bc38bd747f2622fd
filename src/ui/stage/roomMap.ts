import type { Passage, Scene, SceneCell } from '../../envs/types.ts';
import { COLOR_LETTERS, type Palette } from './palette.ts';
import { notchedDisc, polygon, starPoints, text, type Ctx } from './shapes.ts';
import { thing } from './things.ts';

/** A map of rooms: labeled boxes on a lattice with the ways between them. Sizes are device pixels, `size` per cell. */

/** Distance of a room's wall from the edge of its cell, as a share of the cell. */
const INSET = 0.09;
const isRoom = (cell: SceneCell): boolean => cell.label !== undefined;

const placeIn =
  ({ width }: Scene, size: number) =>
  (cell: number): [number, number] => [((cell % width) + 0.5) * size, (Math.floor(cell / width) + 0.5) * size];

export function drawRooms(
  ctx: Ctx,
  scene: Scene,
  size: number,
  p: Palette,
  tint: (cell: number) => string | null,
): void {
  ctx.fillStyle = p.surface;
  ctx.fillRect(0, 0, scene.width * size, scene.height * size);
  const at = placeIn(scene, size);
  const passages = scene.passages ?? [];
  for (const passage of passages) way(ctx, at(passage.a), at(passage.b), passage, size, p);
  scene.cells.forEach((cell, k) => {
    if (isRoom(cell)) room(ctx, k % scene.width, Math.floor(k / scene.width), cell, size, p, tint(k));
  });
}

/** The plates of the doors; drawn last, so that no path hides which lock it is. */
export function drawDoors(ctx: Ctx, scene: Scene, size: number, p: Palette): void {
  const at = placeIn(scene, size);
  for (const passage of scene.passages ?? [])
    if (passage.color !== undefined) door(ctx, at(passage.a), at(passage.b), passage, size, p);
}

/** A line between two rooms; broken as long as a locked door is in the way. */
function way(
  ctx: Ctx,
  from: [number, number],
  to: [number, number],
  { open }: Passage,
  size: number,
  p: Palette,
): void {
  ctx.strokeStyle = p.quiet;
  ctx.lineWidth = Math.max(2, size * (open ? 0.1 : 0.035));
  ctx.lineCap = 'butt';
  ctx.setLineDash(open ? [] : [size * 0.05, size * 0.05]);
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A plate in the color of the lock with its letter: filled while locked, an outline once it is open. */
function door(
  ctx: Ctx,
  [ax, ay]: [number, number],
  [bx, by]: [number, number],
  passage: Passage,
  size: number,
  p: Palette,
): void {
  const color = passage.color! & 3;
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
  const half = size * 0.12;
  ctx.beginPath();
  ctx.roundRect(x - half, y - half, 2 * half, 2 * half, size * 0.035);
  ctx.fillStyle = passage.open ? p.surface : p.keys[color]!;
  ctx.fill();
  ctx.strokeStyle = passage.open ? p.keys[color]! : p.surface;
  ctx.lineWidth = Math.max(1, size * 0.025);
  ctx.stroke();
  text(ctx, x, y, size * 0.17, COLOR_LETTERS[color]!, passage.open ? p.keys[color]! : p.surface);
}

function room(
  ctx: Ctx,
  column: number,
  row: number,
  cell: SceneCell,
  size: number,
  p: Palette,
  tint: string | null,
): void {
  const [x, y] = [column * size, row * size];
  const isUnseen = cell.ground === 'unseen';
  const [left, top, side] = [x + size * INSET, y + size * INSET, size * (1 - 2 * INSET)];
  ctx.beginPath();
  ctx.roundRect(left, top, side, side, size * 0.08);
  ctx.fillStyle = isUnseen ? p.surface : p.room;
  ctx.fill();
  if (tint !== null) {
    ctx.fillStyle = tint;
    ctx.fill();
  }
  ctx.strokeStyle = p.quiet;
  ctx.lineWidth = Math.max(1, size * 0.02);
  ctx.setLineDash(isUnseen ? [size * 0.05, size * 0.05] : []);
  ctx.stroke();
  ctx.setLineDash([]);
  label(ctx, x + size / 2, top + size * 0.12, side * 0.92, size * 0.15, cell.label!, isUnseen ? p.quiet : p.ink);
  const items =
    cell.items ??
    (cell.item === undefined ? [] : [{ item: cell.item, ...(cell.color === undefined ? {} : { color: cell.color }) }]);
  const step = Math.min(size * 0.2, side / Math.max(1, items.length));
  const r = step * 0.42;
  // what is in a room nobody has been to is there, but quiet
  ctx.globalAlpha = isUnseen ? 0.45 : 1;
  items.forEach(({ item, color }, k) => {
    const cx = x + size / 2 + (k - (items.length - 1) / 2) * step;
    drawItem(ctx, item, color, cx, top + side - size * 0.12, r, p);
  });
  ctx.globalAlpha = 1;
}

/** The name of a room, smaller or cut where it does not fit. */
function label(ctx: Ctx, x: number, y: number, width: number, height: number, name: string, ink: string): void {
  ctx.font = `600 ${height}px system-ui, sans-serif`;
  const fit = width / ctx.measureText(name).width;
  const smallest = 0.72;
  if (fit >= smallest) return text(ctx, x, y, height * Math.min(1, fit), name, ink);
  let cut = name;
  while (cut.length > 1 && ctx.measureText(`${cut}…`).width * smallest > width) cut = cut.slice(0, -1);
  text(ctx, x, y, height * smallest, `${cut}…`, ink);
}

function drawItem(
  ctx: Ctx,
  item: string,
  color: number | undefined,
  x: number,
  y: number,
  r: number,
  p: Palette,
): void {
  if (item === 'key') {
    const paint = p.keys[(color ?? 0) & 3]!;
    ctx.fillStyle = paint;
    ctx.fillRect(x, y - r * 0.18, r * 1.15, r * 0.36);
    ctx.fillRect(x + r * 0.8, y, r * 0.34, r * 0.6);
    return notchedDisc(ctx, x - r * 0.3, y, r * 0.75, (color ?? 0) & 3, paint);
  }
  if (item === 'goal') {
    polygon(ctx, starPoints(x, y, r * 1.1, r * 0.48, 5));
    ctx.fillStyle = p.goal;
    return ctx.fill();
  }
  if (item === 'wrong exits') return text(ctx, x, y, r * 2.4, '≠', p.ink);
  thing(ctx, item, x, y, r, p);
}
