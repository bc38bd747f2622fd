import type { DrawnGraph } from '../../lab/analysis/graphChains.ts';
import type { TrajectoryGraph } from '../../lab/analysis/graph.ts';
import type { GraphLayout } from '../../lab/analysis/graphLayout.ts';

/** Least and largest distance of neighbors in a layer, and of layers, in pixels at scale 1. */
const ROW = { least: 38, most: 84, all: 340 };
const LEAST = 46;
const MOST = 130;
/** Height of the picture. */
const LOWEST = 220;
const HIGHEST = 520;
const MARGIN = { x: 44, y: 46 };
const LARGEST_NODE = 13;
const WIDEST_EDGE = 14;
const WIDEST_LOOP = 5;
/** Directions of the loops at one node, in turns from straight up; more loops than that are bundled into one. */
const PETALS = [0, 0.13, -0.13];

/** Where everything is at scale 1. A curve is a cubic Bézier: start, two handles, end. */
export type Geometry = {
  readonly width: number;
  readonly height: number;
  /** [nodes] */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly r: Float32Array;
  /** [edges] width of the line, by the steps that took it; 0 for a loop that another one stands for */
  readonly line: Float32Array;
  /** loops that stand for all loops of their node, with those */
  readonly bundles: ReadonlyMap<number, readonly number[]>;
  /** [edges] the edge whose line stands for it: itself, or the first loop of its bundle */
  readonly lineOf: Uint32Array;
  /** [edges, 8] */
  readonly curve: Float32Array;
};

/** A point (x, y) at scale 1 is drawn at (x·scale + left, y·scale + top). */
export type Camera = { readonly left: number; readonly top: number; readonly scale: number };
export type Size = { readonly width: number; readonly height: number };

export function geometryOf(graph: TrajectoryGraph, drawn: DrawnGraph, layout: GraphLayout, width: number): Geometry {
  const rows = layout.bottom - layout.top;
  const row = Math.max(ROW.least, Math.min(ROW.most, ROW.all / Math.max(1, rows)));
  const height = 2 * MARGIN.y + rows * row;
  // a tall graph is drawn small, so its layers may lie further apart
  const small = Math.min(1, HIGHEST / height);
  const room = (width / small - 2 * MARGIN.x) / Math.max(1, layout.layers - 1);
  const step = Math.max(LEAST, Math.min(MOST / small, room));
  const x = Float32Array.from(layout.layer, (l) => MARGIN.x + l * step);
  const y = Float32Array.from(layout.y, (at) => MARGIN.y + (at - layout.top) * row);
  const visits = Array.from(drawn.inside, (list) => graph.visits[list[0]!]!);
  const steps = Array.from(drawn.edge, (e) => graph.memberStart[e + 1]! - graph.memberStart[e]!);
  const [mostVisits, mostSteps] = [most(visits), most(steps)];
  const bundles = bundlesOf(drawn);
  const lineOf = Uint32Array.from({ length: drawn.edges }, (_, e) => e);
  for (const [first, all] of bundles) for (const e of all) lineOf[e] = first;
  const r = Float32Array.from(visits, (n) => 4 + (LARGEST_NODE - 4) * Math.sqrt(n / mostVisits));
  return {
    width: 2 * MARGIN.x + (layout.layers - 1) * step,
    height,
    x,
    y,
    r,
    line: Float32Array.from(steps, (n, e) => {
      if (lineOf[e] !== e) return 0;
      const all = bundles.get(e)?.reduce((sum, k) => sum + steps[k]!, 0) ?? n;
      const widest = drawn.from[e] === drawn.to[e] ? WIDEST_LOOP : WIDEST_EDGE;
      return Math.max(1.2, Math.min(widest, (WIDEST_EDGE * all) / mostSteps));
    }),
    bundles,
    lineOf,
    curve: curvesOf(drawn, layout, { x, y, r }, step, bundles),
  };
}

const most = (list: readonly number[]): number => list.reduce((a, b) => Math.max(a, b), 1);

/** Loops of nodes that have too many of them, by the first one. */
function bundlesOf({ edges, from, to }: DrawnGraph): Map<number, number[]> {
  const loops = new Map<number, number[]>();
  for (let e = 0; e < edges; e++) if (from[e] === to[e]) loops.set(from[e]!, [...(loops.get(from[e]!) ?? []), e]);
  const many = [...loops.values()].filter((all) => all.length > PETALS.length);
  return new Map(many.map((all) => [all[0]!, all]));
}

function curvesOf(
  drawn: DrawnGraph,
  layout: GraphLayout,
  { x, y, r }: Pick<Geometry, 'x' | 'y' | 'r'>,
  step: number,
  bundles: Geometry['bundles'],
): Float32Array {
  const curve = new Float32Array(drawn.edges * 8);
  const used = new Map<string, number>();
  const isBundled = new Set([...bundles.values()].flat());
  for (let e = 0; e < drawn.edges; e++) {
    const [v, w] = [drawn.from[e]!, drawn.to[e]!];
    const pair = `${v} ${w}`;
    // several actions between the same two states lie beside one another
    const copy = used.get(pair) ?? 0;
    used.set(pair, copy + 1);
    const aside = copy === 0 ? 0 : (copy % 2 === 1 ? 1 : -1) * 15 * Math.ceil(copy / 2);
    const [x0, y0, x1, y1] = [x[v]!, y[v]!, x[w]!, y[w]!];
    const span = layout.layer[v]! - layout.layer[w]!;
    if (v === w) {
      const turn = isBundled.has(e) ? 0 : PETALS[copy]!;
      curve.set(petal(x0, y0, r[v]!, 2 * Math.PI * turn), 8 * e);
    } else if (layout.isBack[e] === 0)
      curve.set([x0, y0, x0 + 0.45 * step, y0 + aside, x1 - 0.45 * step, y1 + aside, x1, y1], 8 * e);
    else if (span === 0) {
      const out = 0.34 * step + 9 * copy;
      curve.set([x0, y0, x0 + out, y0, x1 + out, y1, x1, y1], 8 * e);
    } else {
      const up = 16 + 6 * Math.min(6, span) + 9 * copy;
      const [a, b] = [x0 + 0.2 * (x1 - x0), x1 - 0.2 * (x1 - x0)];
      curve.set([x0, y0, a, y0 - up, b, y1 - up, x1, y1], 8 * e);
    }
  }
  return curve;
}

/** A loop that leaves a node and comes back to it. */
function petal(x: number, y: number, r: number, turn: number): number[] {
  const points = [
    [-2, -0.8 * r],
    [-13, -r - 20],
    [13, -r - 20],
    [2, -0.8 * r],
  ] as const;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return points.flatMap(([a, b]) => [x + a * c - b * s, y + a * s + b * c]);
}

/** Point of edge e at t = 0 … 1. */
export function pointOf({ curve }: Geometry, e: number, t: number): [number, number] {
  const s = 1 - t;
  const weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  let x = 0;
  let y = 0;
  weights.forEach((w, k) => {
    x += w * curve[8 * e + 2 * k]!;
    y += w * curve[8 * e + 2 * k + 1]!;
  });
  return [x, y];
}

/** Everything in the picture, in the middle. */
export function fit({ width, height }: Geometry, size: Size): Camera {
  const scale = Math.min(1.5, size.width / width, size.height / height);
  return { scale, left: (size.width - width * scale) / 2, top: (size.height - height * scale) / 2 };
}

/** Height of the picture for a width: enough for the whole graph, within bounds. */
export function pictureHeight({ width, height }: Geometry, available: number): number {
  return Math.round(Math.max(LOWEST, Math.min(HIGHEST, height * Math.min(1, available / width) + 20)));
}

const SCALES = { least: 0.05, most: 4 };

/** Larger or smaller around a point of the picture. */
export function zoom(camera: Camera, factor: number, x: number, y: number): Camera {
  const scale = Math.max(SCALES.least, Math.min(SCALES.most, camera.scale * factor));
  const ratio = scale / camera.scale;
  return { scale, left: x - (x - camera.left) * ratio, top: y - (y - camera.top) * ratio };
}

/** Moves as little as needed so that a point lies well inside of the picture. */
export function reveal(camera: Camera, x: number, y: number, size: Size): Camera {
  const edge = Math.min(60, size.width / 4, size.height / 4);
  const inside = (at: number, length: number): number => Math.max(edge, Math.min(length - edge, at)) - at;
  return {
    ...camera,
    left: camera.left + inside(x * camera.scale + camera.left, size.width),
    top: camera.top + inside(y * camera.scale + camera.top, size.height),
  };
}

/** Keeps a corner of the graph in the picture, so that nobody gets lost beside it. */
export function held(camera: Camera, { width, height }: Geometry, size: Size): Camera {
  const within = (at: number, length: number, room: number): number =>
    Math.max(40 - length * camera.scale, Math.min(room - 40, at));
  return {
    ...camera,
    left: within(camera.left, width, size.width),
    top: within(camera.top, height, size.height),
  };
}

export type Hit = { readonly kind: 'node' | 'edge'; readonly at: number };

/** What is under a point of the picture: the nearest node, else the nearest edge; null where there is nothing. */
export function hit(geometry: Geometry, camera: Camera, px: number, py: number): Hit | null {
  const [x, y] = [(px - camera.left) / camera.scale, (py - camera.top) / camera.scale];
  const slack = 6 / camera.scale;
  let best: Hit | null = null;
  let nearest = Infinity;
  geometry.x.forEach((nx, v) => {
    const d = Math.hypot(nx - x, geometry.y[v]! - y) - geometry.r[v]!;
    if (d < slack && d < nearest) [best, nearest] = [{ kind: 'node', at: v }, d];
  });
  if (best) return best;
  geometry.line.forEach((wide, e) => {
    if (wide === 0) return;
    for (let k = 1; k < 16; k++) {
      const [ex, ey] = pointOf(geometry, e, k / 16);
      const d = Math.hypot(ex - x, ey - y) - wide / 2;
      if (d < slack && d < nearest) [best, nearest] = [{ kind: 'edge', at: e }, d];
    }
  });
  return best;
}
