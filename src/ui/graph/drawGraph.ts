import { css, inkOn, signedColor } from '../color.ts';
import { PALETTES, type Palette } from '../stage/palette.ts';
import { polygon, signGlyph, text, type Ctx } from '../stage/shapes.ts';
import { pointOf, type Camera, type Geometry, type Hit } from './geometry.ts';
import type { Place } from './labels.ts';
import { hasArrow, hasSign, isFaint, placeWords, signPlace, sizeAt } from './placeWords.ts';
import type { Picture } from './question.ts';
import { takenOf } from './words.ts';

/** Everything a graph is drawn from. */
export type GraphPicture = {
  readonly made: Picture;
  readonly geometry: Geometry;
  readonly camera: Camera;
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly isDark: boolean;
  /** [drawn edges] credit that is shown: of the edge, or of all loops it stands for */
  readonly shown: Float32Array;
  /** [drawn nodes] mean credit inside of chains */
  readonly chains: Float32Array;
  /** the value of the strongest color */
  readonly limit: number;
  readonly actions: readonly string[];
  /** drawn edges of the selected episode, and the drawn node or edge that is chosen or pointed at */
  readonly path: ReadonlySet<number>;
  readonly focus: Hit | null;
  readonly pointed: Hit | null;
  /** drawn nodes and edges that a search has found */
  readonly found: { readonly nodes: ReadonlySet<number>; readonly edges: ReadonlySet<number> } | null;
};

export function drawGraph(canvas: HTMLCanvasElement, picture: GraphPicture): void {
  const p = enlarged(picture);
  const { camera, ratio, geometry, made } = p;
  canvas.width = Math.round(p.width * ratio);
  canvas.height = Math.round(p.height * ratio);
  const ctx = canvas.getContext('2d')!;
  const scale = camera.scale * ratio;
  ctx.setTransform(scale, 0, 0, scale, camera.left * ratio, camera.top * ratio);
  const colors = PALETTES[p.isDark ? 'dark' : 'light'];
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  const visible = Uint32Array.from(geometry.line.keys()).filter((e) => geometry.line[e]! > 0);
  const order = visible.sort((a, b) => geometry.line[a]! - geometry.line[b]!);
  const accent = p.isDark ? '#7ab8ff' : '#0b5fc0';
  const onPath = new Set([...p.path].map((e) => geometry.lineOf[e]!));
  for (const e of order) if (onPath.has(e)) trace(ctx, geometry, e, accent, geometry.line[e]! + 8, false);
  for (const e of order) drawEdge(ctx, p, e, colors);
  for (const hit of [p.focus, p.pointed])
    if (hit?.kind === 'edge') {
      const e = geometry.lineOf[hit.at]!;
      trace(ctx, geometry, e, colors.ink, geometry.line[e]! + 4, false);
      drawEdge(ctx, p, e, colors);
    }
  for (const e of order) drawGlyph(ctx, p, e, colors);
  for (let v = 0; v < made.drawn.nodes; v++) drawNode(ctx, p, v, { ...colors, accent });
  for (const place of placeWords(p, order)) drawWord(ctx, place, sizeAt(camera.scale), colors);
}

/** A word on a rim of the ground, so that lines below it do not strike it out. */
function drawWord(ctx: Ctx, { x, y, words }: Place, size: number, colors: Palette): void {
  ctx.font = `600 ${size}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.strokeStyle = colors.surface;
  ctx.lineWidth = 3.5;
  ctx.strokeText(words, x, y);
  ctx.fillStyle = colors.ink;
  ctx.fillText(words, x, y);
}

/** From afar marks and lines are drawn larger than they are, within the distance of neighbors. */
function enlarged(p: GraphPicture): GraphPicture {
  const by = Math.max(1, Math.min(1.8, 0.7 / p.camera.scale));
  if (by === 1) return p;
  const { geometry } = p;
  const r = geometry.r.map((size) => Math.max(size, Math.min(16, size * by)));
  return { ...p, geometry: { ...geometry, r, line: geometry.line.map((wide) => wide * by) } };
}

function trace(ctx: Ctx, { curve }: Geometry, e: number, color: string, width: number, isDashed: boolean): void {
  const [x0, y0, a, b, c, d, x1, y1] = curve.subarray(8 * e, 8 * e + 8) as unknown as readonly number[];
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.setLineDash(isDashed ? [5, 4] : []);
  ctx.beginPath();
  ctx.moveTo(x0!, y0!);
  ctx.bezierCurveTo(a!, b!, c!, d!, x1!, y1!);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A line in the color of its credit with a thin rim, so that a credit of 0 can be seen too. */
function drawEdge(ctx: Ctx, p: GraphPicture, e: number, colors: Palette): void {
  const { geometry, made, shown, limit, isDark } = p;
  const x = shown[e]! / limit;
  const isBack = made.layout.isBack[e] === 1;
  const wide = geometry.line[e]!;
  ctx.globalAlpha = isFaint(p, e) ? 0.25 : 1;
  trace(ctx, geometry, e, colors.quiet, wide + 1.6, isBack);
  if (wide > 1.5 || x !== 0)
    trace(ctx, geometry, e, css(signedColor(Math.max(-1, Math.min(1, x)), isDark)), wide, isBack);
  ctx.globalAlpha = 1;
}

/** Arrow head in the middle of a line, and ▲ or ▼ beside it. */
function drawGlyph(ctx: Ctx, p: GraphPicture, e: number, colors: Palette): void {
  const { geometry, shown, limit, isDark } = p;
  if (isFaint(p, e)) return;
  const [x, y] = pointOf(geometry, e, 0.5);
  const [bx, by] = pointOf(geometry, e, 0.44);
  const wide = geometry.line[e]!;
  if (hasArrow(p)) {
    const turn = Math.atan2(y - by, x - bx);
    const long = Math.max(4, wide * 0.75);
    const at = (f: number, s: number): [number, number] => [
      x + f * Math.cos(turn) - s * Math.sin(turn),
      y + f * Math.sin(turn) + s * Math.cos(turn),
    ];
    const strength = shown[e]! / limit;
    ctx.fillStyle = wide > 6 ? inkOn(signedColor(Math.max(-1, Math.min(1, strength)), isDark)) : colors.ink;
    polygon(ctx, [at(long * 0.7, 0), at(-long * 0.5, long * 0.55), at(-long * 0.5, -long * 0.55)]);
    ctx.fill();
  }
  if (!hasSign(p, e)) return;
  const c = shown[e]!;
  signGlyph(ctx, ...signPlace(p, e), 3 + 2 * Math.min(1, Math.abs(c) / limit), Math.sign(c), colors.ink);
}

function drawNode(ctx: Ctx, p: GraphPicture, v: number, colors: Palette & { accent: string }): void {
  const { accent } = colors;
  const { geometry, made, camera, found } = p;
  const [x, y, r] = [geometry.x[v]!, geometry.y[v]!, geometry.r[v]!];
  const inside = made.drawn.inside[v]!;
  const { graph } = made;
  const node = inside[0]!;
  const isStart = graph.starts[node]! > 0;
  ctx.globalAlpha = found && !found.nodes.has(v) ? 0.3 : 1;
  const isChosen = [p.focus, p.pointed].some((hit) => hit?.kind === 'node' && hit.at === v);
  if (isChosen || found?.nodes.has(v)) ring(ctx, x, y, r + (isChosen ? 5 : 4), isChosen ? colors.ink : accent, 2.5);
  const tint = inside.length > 1 ? signedColor(Math.max(-1, Math.min(1, p.chains[v]! / p.limit)), p.isDark) : null;
  const inkOnChain = tint ? inkOn(tint) : colors.ink;
  ctx.fillStyle = tint ? css(tint) : isStart ? accent : colors.surface;
  ctx.strokeStyle = isStart ? accent : colors.ink;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  const by = camera.scale < 0.5 ? 1.8 : 1;
  if (inside.length > 1) ctx.roundRect(x - 15 * by, y - 8 * by, 30 * by, 16 * by, 8 * by);
  else if (graph.failures[node]! > 0) ctx.rect(x - r, y - r, 2 * r, 2 * r);
  else ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  if (inside.length > 1) text(ctx, x, y, 10 * by, `×${inside.length}`, inkOnChain);
  if (isStart) text(ctx, x, y, Math.max(8, r * 1.1), '▶', p.isDark ? '#08121f' : '#ffffff');
  drawEnds(ctx, p, v, colors);
  ctx.globalAlpha = 1;
}

/** [drawn edges] mean credit of the steps of each line; a bundle of loops is one line. */
export function lineMeans(
  { graph, drawn }: Pick<Picture, 'graph' | 'drawn'>,
  { bundles }: Geometry,
  credit: Float32Array,
): Float32Array {
  const shown = Float32Array.from(drawn.edge, (e) => credit[e]!);
  for (const [first, all] of bundles) {
    let sum = 0;
    let n = 0;
    for (const e of all) {
      const steps = takenOf(graph, drawn.edge[e]!);
      sum += steps * credit[drawn.edge[e]!]!;
      n += steps;
    }
    shown[first] = sum / n;
  }
  return shown;
}

/** [drawn nodes] mean credit of the steps inside of each chain; 0 for single states. */
export function chainMeans({ graph, drawn }: Picture, credit: Float32Array): Float32Array {
  const sums = new Float32Array(drawn.nodes);
  graph.from.forEach((v, e) => {
    const at = drawn.drawnOf[v]!;
    if (at === drawn.drawnOf[graph.to[e]!] && drawn.inside[at]!.length > 1) sums[at]! += credit[e]!;
  });
  return sums.map((sum, v) => sum / Math.max(1, drawn.inside[v]!.length - 1));
}

/** Success: a second ring in green and ✓. Failure: ✕. Cut at the step limit: a bar behind the state. */
function drawEnds(ctx: Ctx, { geometry, made }: GraphPicture, v: number, colors: Palette): void {
  const [x, y, r] = [geometry.x[v]!, geometry.y[v]!, geometry.r[v]!];
  const node = made.drawn.inside[v]![0]!;
  const { graph } = made;
  if (graph.successes[node]! > 0) {
    ring(ctx, x, y, r + 3, colors.goal, 2);
    text(ctx, x, y, Math.max(9, r * 1.3), '✓', graph.starts[node]! > 0 ? colors.surface : colors.goal);
  } else if (graph.failures[node]! > 0) text(ctx, x, y, Math.max(9, r * 1.3), '✕', colors.ink);
  if (graph.cuts[node]! > 0) {
    ctx.strokeStyle = colors.ink;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(x + r + 3, y - r);
    ctx.lineTo(x + r + 3, y + r);
    ctx.stroke();
  }
}

function ring(ctx: Ctx, x: number, y: number, r: number, color: string, width: number): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.stroke();
}
