/** Shapes as paths on a canvas. Positions and sizes are device pixels; angles are turns of the circle from the top. */
export type Ctx = CanvasRenderingContext2D;

const TURN = 2 * Math.PI;
const angle = (turn: number): number => turn * TURN - TURN / 4;

/** A disc with one to four notches in its rim: the sign of a key color, readable without color. */
export function notchedDisc(ctx: Ctx, x: number, y: number, r: number, color: number, fill: string): void {
  const notches = color + 1;
  const half = 0.065;
  ctx.fillStyle = fill;
  ctx.beginPath();
  for (let k = 0; k < notches; k++) {
    const at = k / notches;
    const next = (k + 1) / notches;
    ctx.lineTo(x + 0.35 * r * Math.cos(angle(at)), y + 0.35 * r * Math.sin(angle(at)));
    ctx.arc(x, y, r, angle(at + half), angle(next - half));
  }
  ctx.closePath();
  ctx.fill();
}

/** Where the points of a regular star are: `points` tips at radius r, `points` inner corners at radius `inner`. */
export function starPoints(x: number, y: number, r: number, inner: number, points: number): [number, number][] {
  return Array.from({ length: 2 * points }, (_, k) => {
    const radius = k % 2 === 0 ? r : inner;
    const a = angle(k / (2 * points));
    return [x + radius * Math.cos(a), y + radius * Math.sin(a)];
  });
}

export function polygon(ctx: Ctx, points: readonly (readonly [number, number])[]): void {
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.closePath();
}

/** A regular polygon with one corner on top. */
export function regular(x: number, y: number, r: number, corners: number, turned = 0): [number, number][] {
  return Array.from({ length: corners }, (_, k) => {
    const a = angle((k + turned) / corners);
    return [x + r * Math.cos(a), y + r * Math.sin(a)];
  });
}

/** Text in the middle of (x, y), as high as `size`. */
export function text(ctx: Ctx, x: number, y: number, size: number, what: string, color: string): void {
  ctx.fillStyle = color;
  ctx.font = `600 ${size}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(what, x, y + size * 0.06);
}

/** An arrow from (x, y) in a direction (0 east, 1 south, 2 west, 3 north), from distance `from` to `to`. */
export function arrow(ctx: Ctx, x: number, y: number, d: number, from: number, to: number, head: number): void {
  const [dx, dy] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][d] as [number, number];
  const neck = Math.max(from, to - head);
  const wide = head * 0.62;
  ctx.beginPath();
  ctx.moveTo(x + dx * from, y + dy * from);
  ctx.lineTo(x + dx * neck, y + dy * neck);
  ctx.stroke();
  polygon(ctx, [
    [x + dx * to, y + dy * to],
    [x + dx * neck - dy * wide, y + dy * neck + dx * wide],
    [x + dx * neck + dy * wide, y + dy * neck - dx * wide],
  ]);
  ctx.fill();
}

/** Triangle ▲ or ▼ around (x, y): the sign of a number where color cannot say it. */
export function signGlyph(ctx: Ctx, x: number, y: number, r: number, sign: number, fill: string): void {
  ctx.fillStyle = fill;
  polygon(ctx, regular(x, y, r, 3, sign > 0 ? 0 : 0.5));
  ctx.fill();
}
