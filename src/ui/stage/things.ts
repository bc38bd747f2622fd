import type { Palette } from './palette.ts';
import { polygon, starPoints, type Ctx } from './shapes.ts';
import type { Tile } from './tiles.ts';

export function ring(ctx: Ctx, x: number, y: number, r: number, width: number, color: string): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = Math.max(1, width);
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.stroke();
}

/** Where a box belongs: a diamond with a dot. */
export function target(ctx: Ctx, { x, y, size }: Tile, p: Palette): void {
  const [cx, cy] = [x + size / 2, y + size / 2];
  ctx.strokeStyle = p.goal;
  ctx.lineWidth = Math.max(1.5, size * 0.06);
  ctx.lineJoin = 'round';
  polygon(ctx, starPoints(cx, cy, size * 0.32, size * 0.226, 2));
  ctx.stroke();
  ctx.fillStyle = p.goal;
  ctx.beginPath();
  ctx.arc(cx, cy, size * 0.07, 0, 2 * Math.PI);
  ctx.fill();
}

/** A floor from which a box never gets to a target: a quiet hatch. */
export function hatch(ctx: Ctx, { x, y, size }: Tile, p: Palette): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, size, size);
  ctx.clip();
  ctx.strokeStyle = p.quiet;
  ctx.globalAlpha = 0.4;
  ctx.lineWidth = Math.max(1, size * 0.02);
  ctx.beginPath();
  for (let k = 1; k < 8; k++) {
    ctx.moveTo(x + (size * k) / 4, y);
    ctx.lineTo(x + (size * k) / 4 - size, y + size);
  }
  ctx.stroke();
  ctx.restore();
}

/** A crate; planks across while it is on its way, a diamond of the target on its lid once it has arrived. */
export function box(ctx: Ctx, { x, y, size }: Tile, p: Palette, hasArrived: boolean): void {
  const inset = size * 0.13;
  const side = size - 2 * inset;
  const [left, top] = [x + inset, y + inset];
  ctx.fillStyle = hasArrived ? p.goal : p.box;
  ctx.beginPath();
  ctx.roundRect(left, top, side, side, size * 0.06);
  ctx.fill();
  ctx.strokeStyle = hasArrived ? p.onGoal : p.boxDark;
  ctx.lineWidth = Math.max(1.5, size * 0.055);
  ctx.lineJoin = 'round';
  if (hasArrived) {
    polygon(ctx, starPoints(x + size / 2, y + size / 2, size * 0.25, size * 0.177, 2));
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x + size * 0.41, y + size * 0.51);
    ctx.lineTo(x + size * 0.48, y + size * 0.58);
    ctx.lineTo(x + size * 0.6, y + size * 0.43);
    return ctx.stroke();
  }
  const rim = size * 0.07;
  ctx.strokeRect(left + rim / 2, top + rim / 2, side - rim, side - rim);
  ctx.beginPath();
  ctx.moveTo(left + rim, top + rim);
  ctx.lineTo(left + side - rim, top + side - rim);
  ctx.moveTo(left + side - rim, top + rim);
  ctx.lineTo(left + rim, top + side - rim);
  ctx.stroke();
}

/** A lamp, a coin or a cup around (x, y), about 2 r wide. */
export function thing(ctx: Ctx, what: string, x: number, y: number, r: number, p: Palette): void {
  ctx.fillStyle = p.bonus;
  ctx.strokeStyle = p.bonus;
  ctx.lineWidth = Math.max(1, r * 0.24);
  if (what === 'coin') {
    ring(ctx, x, y, r * 0.85, r * 0.24, p.bonus);
    return ctx.fillRect(x - r * 0.12, y - r * 0.42, r * 0.24, r * 0.84);
  }
  if (what === 'lamp') {
    polygon(ctx, [
      [x - r * 0.4, y - r],
      [x + r * 0.4, y - r],
      [x + r * 0.85, y + r * 0.15],
      [x - r * 0.85, y + r * 0.15],
    ]);
    ctx.fill();
    ctx.fillRect(x - r * 0.11, y + r * 0.15, r * 0.22, r * 0.6);
    return ctx.fillRect(x - r * 0.5, y + r * 0.72, r, r * 0.25);
  }
  polygon(ctx, [
    [x - r * 0.8, y - r * 0.7],
    [x + r * 0.45, y - r * 0.7],
    [x + r * 0.25, y + r * 0.85],
    [x - r * 0.6, y + r * 0.85],
  ]);
  ctx.fill();
  ctx.beginPath();
  ctx.arc(x + r * 0.45, y - r * 0.05, r * 0.42, -Math.PI / 2, Math.PI / 2);
  ctx.stroke();
}
