import { inkOn, signedColor } from '../color.ts';
import { signGlyph } from '../stage/shapes.ts';
import type { Layout } from './layout.ts';

/** Width in CSS pixels of the words before the rows. */
export const GUTTER = 46;

/** Everything a strip is drawn from; lengths in CSS pixels, `ratio` device pixels each. */
export type StripDrawing = {
  /** [B, columns] pixels */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  readonly layout: Layout;
  readonly values: Float32Array;
  readonly length: Uint32Array;
  readonly success: Uint32Array;
  readonly T: number;
  /** steps that a choice in the graph has marked, as i*T + t */
  readonly chosen: Uint32Array;
  readonly limit: number;
  readonly isDark: boolean;
  readonly hasSigns: boolean;
  readonly width: number;
  readonly ratio: number;
  readonly ink: string;
  readonly quiet: string;
};

let small: OffscreenCanvas | null = null;

/** Draws one pixel per step into a small image and enlarges it task by task, sharp, onto the canvas. */
export function drawStrip(canvas: HTMLCanvasElement, d: StripDrawing): void {
  const { layout, ratio } = d;
  const B = layout.order.length;
  canvas.width = Math.round(d.width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  small ??= new OffscreenCanvas(1, 1);
  small.width = layout.columns;
  small.height = B;
  small.getContext('2d')!.putImageData(new ImageData(d.pixels, layout.columns, B), 0, 0);
  const ctx = canvas.getContext('2d')!;
  ctx.imageSmoothingEnabled = false;
  const left = GUTTER * ratio;
  const right = canvas.width - left;
  for (const { task, from, to } of layout.groups) {
    const top = layout.top[from]! * ratio;
    const height = (to - from) * layout.rowHeight * ratio;
    ctx.drawImage(small, 0, from, layout.columns, to - from, left, top, right, height);
    if (height < 11 * ratio) continue;
    ctx.fillStyle = d.quiet;
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textBaseline = 'top';
    ctx.fillText(`task ${task + 1}`, 0, top);
  }
  drawEndings(ctx, d, left);
  if (d.hasSigns) drawSigns(ctx, d, left, right / layout.columns);
  drawChosen(ctx, d, left, right / layout.columns);
}

/** A mark before each episode that reached the goal. */
function drawEndings(ctx: CanvasRenderingContext2D, { layout, success, ratio, ink }: StripDrawing, left: number): void {
  ctx.fillStyle = ink;
  const height = Math.max(1, (layout.rowHeight - (layout.rowHeight > 3 ? 2 : 0)) * ratio);
  layout.order.forEach((i, row) => {
    if (success[i] === 1) ctx.fillRect(left - 6 * ratio, (layout.top[row]! + 1) * ratio, 3 * ratio, height);
  });
}

/** A thin frame around each marked step. */
function drawChosen(ctx: CanvasRenderingContext2D, d: StripDrawing, left: number, cell: number): void {
  const { layout, chosen, T, ratio } = d;
  ctx.strokeStyle = d.ink;
  ctx.lineWidth = ratio;
  for (const k of chosen) {
    const i = Math.floor(k / T);
    const x = left + (layout.offset[i]! + (k % T)) * cell + ratio / 2;
    const y = layout.top[layout.rowOf[i]!]! * ratio + ratio / 2;
    ctx.strokeRect(x, y, Math.max(1, cell - ratio), Math.max(1, (layout.rowHeight - 1) * ratio));
  }
}

function drawSigns(ctx: CanvasRenderingContext2D, d: StripDrawing, left: number, cell: number): void {
  const { layout, values, T, limit, isDark, ratio } = d;
  const r = Math.min(cell, layout.rowHeight * ratio) * 0.34;
  const inks = { up: inkOf(1, isDark), down: inkOf(-1, isDark), quiet: d.ink };
  layout.order.forEach((i, row) => {
    const y = (layout.top[row]! + layout.rowHeight / 2) * ratio;
    for (let t = 0; t < d.length[i]!; t++) {
      const A = values[i * T + t]!;
      if (A === 0) continue;
      const ink = Math.abs(A) < 0.5 * limit ? inks.quiet : A > 0 ? inks.up : inks.down;
      signGlyph(ctx, left + (layout.offset[i]! + t + 0.5) * cell, y, r, Math.sign(A), ink);
    }
  });
}

/** Ink that reads on the stronger half of one side of the scale. */
const inkOf = (sign: number, isDark: boolean): string => inkOn(signedColor(sign * 0.8, isDark));
