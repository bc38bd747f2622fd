/** A directed graph to be laid out. `isSource`: where walks begin; every node can be reached from one of them. */
export type Net = {
  readonly nodes: number;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** [edges] how many walks took it */
  readonly weight: ArrayLike<number>;
  readonly isSource: Uint8Array;
};

/** Where everything goes: x is the layer, y a place inside of it, at least 1 apart. */
export type GraphLayout = {
  /** [nodes] fewest steps from a source */
  readonly layer: Uint32Array;
  readonly layers: number;
  /** [nodes] */
  readonly y: Float32Array;
  readonly top: number;
  readonly bottom: number;
  /** [edges] 1 = leads back or stays in its layer; the others lead from their layer to the next one */
  readonly isBack: Uint8Array;
};

const ORDER_SWEEPS = 8;
const PLACE_SWEEPS = 6;

/**
 * Layered drawing (after Sugiyama, Tagawa and Toda 1981). Layers are shortest distances from the sources, so a forward
 * edge spans exactly one layer and needs no bends. The order inside layers comes from sweeps of barycenters, forth and
 * back; the order with the fewest crossings is kept. Places are then moved toward the mean of their neighbors as far as
 * the gap of 1 allows (isotonic regression). No chance, no clock: equal graphs give equal drawings.
 */
export function layoutGraph(net: Net): GraphLayout {
  const layer = layersOf(net);
  const layers = layer.reduce((most, l) => Math.max(most, l + 1), 0);
  const isBack = net.from.map((v, e) => (layer[net.to[e]!]! > layer[v]! ? 0 : 1));
  const sides = { before: neighbors(net, isBack, 'to'), after: neighbors(net, isBack, 'from') };
  let rows = rowsOf(layer, layers);
  let best = rows.map((row) => row.slice());
  let fewest = crossings(rows, sides.after);
  const place = new Float64Array(net.nodes);
  for (let sweep = 0; sweep < ORDER_SWEEPS && fewest > 0; sweep++) {
    rows = rows.map((row) => row.slice());
    const forth = sweep % 2 === 0;
    for (const row of rows) row.forEach((v, k) => (place[v] = k));
    for (const row of forth ? rows : [...rows].reverse()) sortRow(row, forth ? sides.before : sides.after, place);
    const now = crossings(rows, sides.after);
    if (now >= fewest) continue;
    fewest = now;
    best = rows;
  }
  const y = places(best, sides);
  const [top, bottom] = y.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [0, 0]);
  return { layer, layers, y, top, bottom, isBack: Uint8Array.from(isBack) };
}

/** Fewest steps from a source, breadth first; what no source reaches lies in layer 0. */
function layersOf({ nodes, from, to, isSource }: Net): Uint32Array {
  const layer = new Uint32Array(nodes);
  const seen = isSource.slice();
  const out = listsBy(nodes, from);
  const queue: number[] = [];
  isSource.forEach((is, v) => is === 1 && queue.push(v));
  for (let at = 0; at < queue.length; at++) {
    const v = queue[at]!;
    for (let k = out.start[v]!; k < out.start[v + 1]!; k++) {
      const w = to[out.edge[k]!]!;
      if (seen[w] === 1) continue;
      seen[w] = 1;
      layer[w] = layer[v]! + 1;
      queue.push(w);
    }
  }
  return layer;
}

/** Edges by one of their ends: `edge[start[v] … start[v + 1])`. */
function listsBy(nodes: number, end: Uint32Array): { start: Uint32Array; edge: Uint32Array } {
  const start = new Uint32Array(nodes + 1);
  for (const v of end) start[v + 1]!++;
  for (let v = 0; v < nodes; v++) start[v + 1]! += start[v]!;
  const free = start.slice();
  const edge = new Uint32Array(end.length);
  end.forEach((v, e) => (edge[free[v]!++] = e));
  return { start, edge };
}

/** Neighbors in the layer before or after, with the weights of the edges. */
type Side = { readonly start: Uint32Array; readonly node: Uint32Array; readonly weight: Float64Array };

function neighbors(net: Net, isBack: ArrayLike<number>, end: 'from' | 'to'): Side {
  const kept = Uint32Array.from(net.from.keys()).filter((e) => isBack[e] === 0);
  const own = kept.map((e) => net[end][e]!);
  const other = end === 'from' ? net.to : net.from;
  const { start, edge } = listsBy(net.nodes, own);
  return {
    start,
    node: edge.map((k) => other[kept[k]!]!),
    weight: Float64Array.from(edge, (k) => net.weight[kept[k]!]!),
  };
}

function rowsOf(layer: Uint32Array, layers: number): number[][] {
  const rows: number[][] = Array.from({ length: layers }, () => []);
  layer.forEach((l, v) => rows[l]!.push(v));
  return rows;
}

/** Sorts a layer by the mean place of the neighbors on one side; nodes without any keep their place. */
function sortRow(row: number[], side: Side, place: Float64Array): void {
  const mean = new Map<number, number>();
  for (const v of row) {
    const [from, to] = [side.start[v]!, side.start[v + 1]!];
    let sum = 0;
    for (let k = from; k < to; k++) sum += place[side.node[k]!]!;
    mean.set(v, to > from ? sum / (to - from) : place[v]!);
  }
  row.sort((v, w) => mean.get(v)! - mean.get(w)! || place[v]! - place[w]!);
  row.forEach((v, k) => (place[v] = k));
}

/** Pairs of forward edges that cross, summed over all layers, by a tree of running counts. */
function crossings(rows: readonly (readonly number[])[], after: Side): number {
  const place = new Map<number, number>();
  for (const row of rows) row.forEach((v, k) => place.set(v, k));
  let total = 0;
  rows.slice(0, -1).forEach((row, l) => {
    const size = rows[l + 1]!.length;
    const tree = new Uint32Array(size + 1);
    let passed = 0;
    for (const v of row) {
      const ends: number[] = [];
      for (let k = after.start[v]!; k < after.start[v + 1]!; k++) ends.push(place.get(after.node[k]!)!);
      for (const end of ends) {
        let below = 0;
        for (let k = end + 1; k > 0; k -= k & -k) below += tree[k]!;
        total += passed - below;
      }
      for (const end of ends) for (let k = end + 1; k <= size; k += k & -k) tree[k]!++;
      passed += ends.length;
    }
  });
  return total;
}

/** Places inside the layers: toward the weighted mean of the neighbors, in the given order, at least 1 apart. */
function places(rows: readonly number[][], { before, after }: { before: Side; after: Side }): Float32Array {
  const y = new Float64Array(rows.reduce((n, row) => n + row.length, 0));
  for (const row of rows) row.forEach((v, k) => (y[v] = k - (row.length - 1) / 2));
  for (let sweep = 0; sweep < PLACE_SWEEPS; sweep++) {
    const forth = sweep % 2 === 0;
    for (const row of forth ? rows : [...rows].reverse()) settle(row, forth ? before : after, y);
  }
  return Float32Array.from(y);
}

/** Least squares under the gaps: with z_k = y_k − k the constraint is that z does not fall; pool adjacent violators. */
function settle(row: readonly number[], side: Side, y: Float64Array): void {
  const blocks: { sum: number; weight: number; size: number }[] = [];
  row.forEach((v, k) => {
    let sum = 0;
    let weight = 0;
    for (let n = side.start[v]!; n < side.start[v + 1]!; n++) {
      sum += side.weight[n]! * y[side.node[n]!]!;
      weight += side.weight[n]!;
    }
    // without neighbors on this side a node stays where it is, but gives way easily
    const wish = weight > 0 ? sum / weight : y[v]!;
    const w = weight > 0 ? weight : 0.01;
    blocks.push({ sum: (wish - k) * w, weight: w, size: 1 });
    while (blocks.length > 1) {
      const [a, b] = [blocks.at(-2)!, blocks.at(-1)!];
      if (a.sum / a.weight <= b.sum / b.weight) break;
      blocks.splice(-2, 2, { sum: a.sum + b.sum, weight: a.weight + b.weight, size: a.size + b.size });
    }
  });
  let k = 0;
  for (const { sum, weight, size } of blocks) for (let n = 0; n < size; n++, k++) y[row[k]!] = sum / weight + k;
}
