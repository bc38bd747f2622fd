import type { Scene, SceneCell } from '../../envs/types.ts';
import { COLOR_NAMES, type Palette } from './palette.ts';
import { notchedDisc, polygon, regular, starPoints, text, type Ctx } from './shapes.ts';
import { box, hatch, ring, target, thing } from './things.ts';

/** Square in which a tile is drawn: corner and side in device pixels. */
export type Tile = { readonly x: number; readonly y: number; readonly size: number };

/** Colors of the keys that the level's exit wants: those still on the floor and those held already. */
function wantedKeys(scene: Scene): { color: number; isHeld: boolean }[] {
  const held = new Set(scene.holding.map((name) => COLOR_NAMES.findIndex((color) => name.startsWith(color))));
  const lying = new Set(scene.cells.filter((c) => c.item === 'key').map((c) => c.color ?? 0));
  return COLOR_NAMES.map((_, color) => ({ color, isHeld: held.has(color) })).filter(
    ({ color, isHeld }) => isHeld || lying.has(color),
  );
}

/** The level without the agent, `size` device pixels per cell. `tint` colors a cell's ground, null leaves it. */
export function drawScene(
  ctx: Ctx,
  scene: Scene,
  size: number,
  p: Palette,
  tint: (cell: number) => string | null,
): void {
  const { width, cells } = scene;
  const hair = Math.max(1, Math.round(size / 48));
  cells.forEach((cell, k) => {
    const tile = { x: (k % width) * size, y: Math.floor(k / width) * size, size };
    if (cell.ground === 'wall') return wall(ctx, tile, p, isWall(scene, k - width), isWall(scene, k + width));
    ctx.fillStyle = cell.ground === 'ice' ? p.ice : p.surface;
    ctx.fillRect(tile.x, tile.y, size, size);
    if (cell.ground === 'ice') ice(ctx, tile, p);
    const over = tint(k);
    if (over !== null) {
      ctx.fillStyle = over;
      ctx.fillRect(tile.x, tile.y, size, size);
    }
    if (cell.ground === 'dead' || cell.item === 'dead') hatch(ctx, tile, p);
    if (cell.ground === 'target') target(ctx, tile, p);
    ctx.fillStyle = p.grid;
    ctx.fillRect(tile.x, tile.y, size, hair);
    ctx.fillRect(tile.x, tile.y, hair, size);
  });
  const wanted = wantedKeys(scene);
  cells.forEach((cell, k) => {
    if (cell.item === undefined) return;
    const tile = { x: (k % width) * size, y: Math.floor(k / width) * size, size };
    item(ctx, tile, cell, p, wanted);
  });
}

const isWall = (scene: Scene, k: number): boolean => scene.cells[k]?.ground === 'wall';

/** Blocks grow together; light falls on the upper edge, the lower one is in the shade. */
function wall(ctx: Ctx, { x, y, size }: Tile, p: Palette, above: boolean, below: boolean): void {
  ctx.fillStyle = p.wall;
  ctx.fillRect(x, y, size, size);
  const edge = Math.max(1, Math.round(size * 0.06));
  if (!above) {
    ctx.fillStyle = p.wallLight;
    ctx.fillRect(x, y, size, edge);
  }
  if (!below) {
    ctx.fillStyle = p.wallDark;
    ctx.fillRect(x, y + size - edge, size, edge);
  }
}

function ice(ctx: Ctx, { x, y, size }: Tile, p: Palette): void {
  ctx.strokeStyle = p.iceLine;
  ctx.lineWidth = Math.max(1, size * 0.025);
  ctx.beginPath();
  for (const [from, to] of [
    [0.12, 0.3],
    [0.2, 0.44],
  ] as const) {
    ctx.moveTo(x + size * from, y + size * to);
    ctx.lineTo(x + size * to, y + size * from);
  }
  ctx.stroke();
}

function item(
  ctx: Ctx,
  tile: Tile,
  cell: SceneCell,
  p: Palette,
  wanted: readonly { color: number; isHeld: boolean }[],
): void {
  const { x, y, size } = tile;
  const [cx, cy] = [x + size / 2, y + size / 2];
  switch (cell.item) {
    case 'goal':
      plate(ctx, tile, 0.14, p.goal);
      polygon(ctx, starPoints(cx, cy, size * 0.27, size * 0.115, 5));
      ctx.fillStyle = p.onGoal;
      return ctx.fill();
    case 'exit':
      return exit(ctx, tile, p, wanted);
    case 'lava':
      return lava(ctx, tile, p);
    case 'hole':
      return hole(ctx, tile, p);
    case 'bonus':
      return bonus(ctx, cx, cy, size, p);
    case 'key':
      return key(ctx, tile, cell.color ?? 0, p);
    case 'door':
      return door(ctx, tile, cell.color, p);
    case 'openDoor':
      return openDoor(ctx, tile, cell.color, p);
    case 'subgoal':
      ring(ctx, cx, cy, size * 0.31, size * 0.06, p.goal);
      return text(ctx, cx, cy, size * 0.42, String(cell.color ?? ''), p.goal);
    case 'box':
      return box(ctx, tile, p, cell.ground === 'target');
    case 'lamp':
    case 'coin':
    case 'cup':
      return thing(ctx, cell.item, cx, cy, size * 0.28, p);
    case 'forbidden':
    case 'obstacle':
      polygon(ctx, regular(cx, cy, size * 0.36, 8, 0.5));
      ctx.fillStyle = p.lava;
      ctx.fill();
      ctx.fillStyle = p.surface;
      return ctx.fillRect(cx - size * 0.2, cy - size * 0.055, size * 0.4, size * 0.11);
    case 'distractor':
      polygon(ctx, regular(cx, cy, size * 0.26, [4, 3, 6, 5][cell.color ?? 0]!));
      ctx.strokeStyle = p.quiet;
      ctx.lineWidth = Math.max(1, size * 0.06);
      return ctx.stroke();
  }
}

function plate(ctx: Ctx, { x, y, size }: Tile, inset: number, fill: string): void {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.roundRect(x + size * inset, y + size * inset, size * (1 - 2 * inset), size * (1 - 2 * inset), size * 0.12);
  ctx.fill();
}

/** A doorway with an arrow out, and the keys that it wants: filled once they are held. */
function exit(ctx: Ctx, { x, y, size }: Tile, p: Palette, wanted: readonly { color: number; isHeld: boolean }[]): void {
  const at = (u: number): number => Math.round(u * size);
  const isOpen = wanted.every((w) => w.isHeld);
  ctx.fillStyle = p.goal;
  ctx.globalAlpha = isOpen ? 1 : 0.16;
  ctx.fillRect(x + at(0.2), y + at(0.12), at(0.6), at(0.8));
  ctx.globalAlpha = 1;
  ctx.strokeStyle = p.goal;
  ctx.lineWidth = Math.max(1, size * 0.07);
  ctx.strokeRect(x + at(0.2), y + at(0.12), at(0.6), at(0.8));
  const ink = isOpen ? p.onGoal : p.goal;
  if (size >= 24) text(ctx, x + size / 2, y + size * 0.34, size * 0.2, 'EXIT', ink);
  const step = size * 0.19;
  wanted.forEach(({ color, isHeld }, k) => {
    const cx = x + size / 2 + (k - (wanted.length - 1) / 2) * step;
    const cy = y + size * 0.66;
    const r = size * (wanted.length > 2 ? 0.085 : 0.12);
    if (isHeld) return notchedDisc(ctx, cx, cy, r, color, p.onGoal);
    notchedDisc(ctx, cx, cy, r, color, p.keys[color]!);
  });
}

function lava(ctx: Ctx, { x, y, size }: Tile, p: Palette): void {
  ctx.fillStyle = p.lava;
  ctx.fillRect(x, y, size, size);
  ctx.strokeStyle = p.onLava;
  ctx.lineWidth = Math.max(1, size * 0.05);
  for (const row of [0.26, 0.5, 0.74]) {
    ctx.beginPath();
    for (let k = 0; k <= 8; k++) {
      ctx.lineTo(x + size * (0.14 + 0.09 * k), y + size * (row + (k % 2 === 0 ? 0.05 : -0.05)));
    }
    ctx.stroke();
  }
}

function hole(ctx: Ctx, { x, y, size }: Tile, p: Palette): void {
  const [cx, cy, r] = [x + size / 2, y + size / 2, size * 0.38];
  ctx.fillStyle = p.hole;
  ctx.beginPath();
  ctx.arc(cx, cy, r, 0, 2 * Math.PI);
  ctx.fill();
  ctx.strokeStyle = p.holeLine;
  ctx.lineWidth = Math.max(1, size * 0.03);
  ctx.beginPath();
  for (const d of [-0.5, 0, 0.5]) {
    const half = Math.sqrt(1 - d * d) * 0.7 * r * Math.SQRT1_2;
    const shift = d * r * Math.SQRT1_2;
    ctx.moveTo(cx + shift - half, cy + shift + half);
    ctx.lineTo(cx + shift + half, cy + shift - half);
  }
  ctx.stroke();
}

function bonus(ctx: Ctx, x: number, y: number, size: number, p: Palette): void {
  ring(ctx, x, y, size * 0.25, size * 0.06, p.bonus);
  ctx.fillStyle = p.bonus;
  ctx.fillRect(x - size * 0.13, y - size * 0.035, size * 0.26, size * 0.07);
  ctx.fillRect(x - size * 0.035, y - size * 0.13, size * 0.07, size * 0.26);
}

function key(ctx: Ctx, { x, y, size }: Tile, color: number, p: Palette): void {
  const paint = p.keys[color & 3]!;
  ctx.strokeStyle = paint;
  ctx.lineWidth = Math.max(1.5, size * 0.085);
  ctx.lineCap = 'butt';
  ctx.beginPath();
  ctx.moveTo(x + size * 0.45, y + size * 0.5);
  ctx.lineTo(x + size * 0.84, y + size * 0.5);
  for (const tooth of [0.67, 0.8]) {
    ctx.moveTo(x + size * tooth, y + size * 0.5);
    ctx.lineTo(x + size * tooth, y + size * 0.66);
  }
  ctx.stroke();
  notchedDisc(ctx, x + size * 0.32, y + size * 0.5, size * 0.19, color & 3, paint);
}

/** A closed door fills its cell; its lock is the notched disc of its color, a door without lock has a knob. */
function door(ctx: Ctx, { x, y, size }: Tile, color: number | undefined, p: Palette): void {
  const paint = color === undefined ? p.quiet : p.keys[color & 3]!;
  const at = (u: number): number => Math.round(u * size);
  ctx.fillStyle = paint;
  ctx.globalAlpha = 0.22;
  ctx.fillRect(x + at(0.12), y + at(0.06), at(0.76), at(0.88));
  ctx.globalAlpha = 1;
  ctx.strokeStyle = paint;
  ctx.lineWidth = Math.max(1.5, size * 0.08);
  ctx.strokeRect(x + at(0.12), y + at(0.06), at(0.76), at(0.88));
  if (color !== undefined) return notchedDisc(ctx, x + size / 2, y + size / 2, size * 0.19, color & 3, paint);
  ctx.fillStyle = paint;
  ctx.beginPath();
  ctx.arc(x + size * 0.72, y + size / 2, size * 0.06, 0, 2 * Math.PI);
  ctx.fill();
}

/** Only the frame, with the leaf turned aside. */
function openDoor(ctx: Ctx, { x, y, size }: Tile, color: number | undefined, p: Palette): void {
  const paint = color === undefined ? p.quiet : p.keys[color & 3]!;
  ctx.strokeStyle = paint;
  ctx.lineWidth = Math.max(1, size * 0.05);
  ctx.strokeRect(x + size * 0.12, y + size * 0.06, size * 0.76, size * 0.88);
  ctx.fillStyle = paint;
  polygon(ctx, [
    [x + size * 0.12, y + size * 0.06],
    [x + size * 0.26, y + size * 0.16],
    [x + size * 0.26, y + size * 0.84],
    [x + size * 0.12, y + size * 0.94],
  ]);
  ctx.fill();
}
