import { css, viridis } from '../color.ts';
import { PALETTES, type Palette } from '../stage/palette.ts';
import type { Picture } from './entries.ts';

/** Size of a picture in CSS pixels; the lower part is the curve. */
export const SIZE = { width: 116, height: 92, map: 66 } as const;
const DIGIT = 9;

/** What is in a cell, by its letter; null for what has no color. */
function colorOf(letter: string, p: Palette): string | null {
  switch (letter) {
    case '#':
      return p.wall;
    case 'g':
      return p.goal;
    case 'k':
    case 'o':
      return p.bonus;
    case 'd':
      return p.keys[1];
    case 'b':
      return p.box;
    case 'x':
      return p.lava;
    case 'i':
      return p.ice;
    default:
      return null;
  }
}

/** Draws the map with the last batch in it, and success over the run below. */
export function drawPicture(canvas: HTMLCanvasElement, picture: Picture, isDark: boolean): void {
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
  canvas.width = SIZE.width * ratio;
  canvas.height = SIZE.height * ratio;
  const ctx = canvas.getContext('2d')!;
  ctx.scale(ratio, ratio);
  const p = PALETTES[isDark ? 'dark' : 'light'];
  drawMap(ctx, picture, p);
  drawCurve(ctx, picture.curve, p);
}

function drawMap(ctx: CanvasRenderingContext2D, { w, ground, visits, ways }: Picture, p: Palette): void {
  const h = Math.ceil(ground.length / w);
  const side = Math.min(SIZE.width / w, SIZE.map / h, 22);
  const [left, top] = [(SIZE.width - side * w) / 2, (SIZE.map - side * h) / 2];
  const x = (cell: number): number => left + (cell % w) * side;
  const y = (cell: number): number => top + Math.floor(cell / w) * side;
  const middle = side / 2;
  ctx.strokeStyle = p.quiet;
  ctx.lineWidth = 2;
  for (const [a, b] of ways ?? []) {
    ctx.beginPath();
    ctx.moveTo(x(a!) + middle, y(a!) + middle);
    ctx.lineTo(x(b!) + middle, y(b!) + middle);
    ctx.stroke();
  }
  const gap = ways ? side * 0.2 : side > 6 ? 0.5 : 0;
  for (let cell = 0; cell < ground.length; cell++) {
    const letter = ground[cell]!;
    if (letter === ' ') continue;
    const visited = Number(visits[cell]);
    const own = colorOf(letter, p);
    const isFloor = own === null || letter === 'i';
    const color = visited > 0 && isFloor ? css(viridis(visited / DIGIT)) : (own ?? p.room);
    ctx.fillStyle = visited > 0 && !isFloor ? css(viridis(visited / DIGIT)) : color;
    ctx.fillRect(x(cell) + gap, y(cell) + gap, side - 2 * gap, side - 2 * gap);
    if (isFloor || letter === '#' || visited === 0) continue;
    // what is there, on top of how often it was reached
    ctx.fillStyle = own!;
    ctx.fillRect(x(cell) + side * 0.28, y(cell) + side * 0.28, side * 0.44, side * 0.44);
  }
}

function drawCurve(ctx: CanvasRenderingContext2D, curve: string, p: Palette): void {
  const [top, height] = [SIZE.map + 6, SIZE.height - SIZE.map - 8];
  ctx.strokeStyle = p.grid;
  ctx.lineWidth = 1;
  ctx.strokeRect(0.5, top - 1.5, SIZE.width - 1, height + 3);
  ctx.strokeStyle = p.agent;
  ctx.lineWidth = 1.6;
  ctx.lineJoin = 'round';
  ctx.beginPath();
  const last = Math.max(1, curve.length - 1);
  for (let k = 0; k < curve.length; k++)
    ctx.lineTo(2 + ((SIZE.width - 4) * k) / last, top + height * (1 - Number(curve[k]) / DIGIT));
  ctx.stroke();
}
