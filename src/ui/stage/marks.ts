import type { Scene } from '../../envs/types.ts';
import type { Covered } from './covered.ts';
import type { CellView } from './layers.ts';
import { COLOR_NAMES, type Palette } from './palette.ts';
import { arrow, notchedDisc, polygon, signGlyph, text, type Ctx } from './shapes.ts';

/** What is drawn on top of the level. Sizes are device pixels, `size` per cell. */

const center = (cell: number, width: number, size: number): [number, number] => [
  ((cell % width) + 0.5) * size,
  (Math.floor(cell / width) + 0.5) * size,
];

/** Actions less likely than this are left out: one arrow in twenty would only be dirt. */
const RARE = 0.05;

/** Arrows in one cell: length, width and opacity grow with the probability. They start outside of what is there. */
export function drawArrows(
  ctx: Ctx,
  cell: number,
  width: number,
  size: number,
  arrows: ArrayLike<number>,
  isTaken: boolean,
  p: Palette,
): void {
  const [x, y] = center(cell, width, size);
  const from = isTaken ? 0.27 : 0.05;
  for (let d = 0; d < 4; d++) {
    const likely = arrows[d]!;
    if (likely < RARE) continue;
    const to = size * (from + 0.09 + (0.36 - from * 0.75) * likely);
    ctx.lineCap = 'butt';
    ctx.strokeStyle = p.ink;
    ctx.fillStyle = p.ink;
    ctx.globalAlpha = 0.3 + 0.7 * likely;
    ctx.lineWidth = Math.max(1, size * (0.02 + 0.045 * likely));
    arrow(ctx, x, y, d, size * from, to, size * (0.07 + 0.07 * likely));
  }
  ctx.globalAlpha = 1;
}

/** Number at the lower edge of a cell, with ▲ or ▼ before a signed one. */
export function drawNumber(
  ctx: Ctx,
  cell: number,
  width: number,
  size: number,
  what: string,
  sign: number,
  ink: string,
): void {
  const [x, y] = center(cell, width, size);
  const height = Math.min(size * 0.2, 22);
  text(ctx, x + (sign === 0 ? 0 : height * 0.4), y + size * 0.35, height, what, ink);
  if (sign === 0) return;
  const left = x - ctx.measureText(what).width / 2 - height * 0.35;
  signGlyph(ctx, left, y + size * 0.36, height * 0.38, sign, ink);
}

/** The agent: a disc, or an arrowhead where it has a heading, with the keys that it holds. */
export function drawAgent(ctx: Ctx, scene: Scene, size: number, p: Palette): void {
  const { cell, direction } = scene.agent;
  const [x, y] = center(cell, scene.width, size);
  // in a room the name stands above the agent and what is there below
  const r = size * (scene.passages ? 0.15 : 0.24);
  ctx.fillStyle = p.agent;
  ctx.strokeStyle = p.agentEdge;
  ctx.lineWidth = Math.max(1.5, size * 0.06);
  ctx.lineJoin = 'round';
  if (direction === null) {
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
  } else {
    const at = (ahead: number, aside: number): [number, number] => {
      const [c, s] = [
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
      ][direction] as [number, number];
      return [x + size * (c * ahead - s * aside), y + size * (s * ahead + c * aside)];
    };
    polygon(ctx, [at(0.34, 0), at(-0.24, 0.26), at(-0.12, 0), at(-0.24, -0.26)]);
  }
  ctx.stroke();
  ctx.fill();
  if (scene.passages) return;
  scene.holding.forEach((name, k) => {
    const color = COLOR_NAMES.findIndex((c) => name.startsWith(c));
    if (color < 0) return;
    const cx = x + size * (0.25 - 0.17 * k);
    const cy = y + size * 0.25;
    ctx.fillStyle = p.surface;
    ctx.beginPath();
    ctx.arc(cx, cy, size * 0.125, 0, 2 * Math.PI);
    ctx.fill();
    notchedDisc(ctx, cx, cy, size * 0.095, color, p.keys[color]!);
  });
}

/** The cells of a path, one after the other; `weight` 1 is the full width of its dots. */
export function drawPath(
  ctx: Ctx,
  cells: readonly number[],
  width: number,
  size: number,
  p: Palette,
  weight: number,
): void {
  ctx.strokeStyle = p.goal;
  ctx.lineWidth = Math.max(2, size * 0.09 * weight);
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';
  ctx.setLineDash([size * 0.02, size * 0.18 * weight]);
  ctx.beginPath();
  for (const cell of cells) ctx.lineTo(...center(cell, width, size));
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A ring around the cell to which a teacher sends. */
export function drawBeacon(ctx: Ctx, cell: number, width: number, size: number, p: Palette): void {
  ctx.strokeStyle = p.ink;
  ctx.lineWidth = Math.max(2, size * 0.05);
  ctx.beginPath();
  ctx.arc(...center(cell, width, size), size * 0.44, 0, 2 * Math.PI);
  ctx.stroke();
}

/** What the episode has covered so far, and darker what its last step added. */
export function drawCovered(ctx: Ctx, { all, fresh }: Covered, width: number, size: number, p: Palette): void {
  ctx.fillStyle = p.agent;
  for (const [cells, alpha] of [
    [all, 0.16],
    [fresh, 0.22],
  ] as const) {
    ctx.globalAlpha = alpha;
    for (const cell of cells) ctx.fillRect((cell % width) * size, Math.floor(cell / width) * size, size, size);
  }
  ctx.globalAlpha = 1;
}

/** Where the episode went so far: a thin line through the cells, the older the fainter. */
export function drawTrail(ctx: Ctx, cells: readonly number[], width: number, size: number, p: Palette): void {
  ctx.strokeStyle = p.agent;
  ctx.lineWidth = Math.max(1, size * 0.045);
  ctx.lineCap = 'round';
  for (let k = 1; k < cells.length; k++) {
    if (cells[k] === cells[k - 1]) continue;
    ctx.globalAlpha = 0.12 + 0.45 * (k / cells.length);
    ctx.beginPath();
    ctx.moveTo(...center(cells[k - 1]!, width, size));
    ctx.lineTo(...center(cells[k]!, width, size));
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/** Least room between the ends of a scale: less is rounding, and would look like a difference. */
const LEAST = { entropy: 1e-3, change: 1e-6 } as const;

/**
 * Ends of the scale of an overlay: its own smallest and largest value, so that cells differ where they do, even if all
 * are far from 0.
 */
export function rangeOf(
  cells: ReadonlyMap<number, CellView>,
  overlay: 'entropy' | 'change',
): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const view of cells.values()) {
    low = Math.min(low, view[overlay]);
    high = Math.max(high, view[overlay]);
  }
  if (low > high) return [0, LEAST[overlay]];
  // values that are all alike are the dark end, and a policy that did not move is that of 0
  return [low, Math.max(high, low + LEAST[overlay])];
}

/** Largest number of visits of any cell, at least 1. */
export function mostVisits(cells: ReadonlyMap<number, CellView>): number {
  let most = 1;
  for (const { visits } of cells.values()) most = Math.max(most, visits);
  return most;
}
