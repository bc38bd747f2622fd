import type { TrajectoryGraph } from './graph.ts';

/**
 * The graph as it is drawn: rows of states with one way in and one way out may stand for one another as a chain. A drawn
 * node is one node of the trajectory graph or a chain of several; a drawn edge is one edge of it, and the edges inside of
 * chains are not drawn.
 */
export type DrawnGraph = {
  readonly nodes: number;
  /** [nodes] the nodes inside, in the order in which they are walked; one unless it is a chain */
  readonly inside: readonly Uint32Array[];
  /** [graph.nodes] drawn node of each node */
  readonly drawnOf: Uint32Array;
  readonly edges: number;
  /** [edges] edge of the trajectory graph, and the drawn nodes at its ends */
  readonly edge: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
};

/** Folds every chain of at least two nodes, except those whose first node is in `open`. */
export function drawnGraph(graph: TrajectoryGraph, open: ReadonlySet<number>): DrawnGraph {
  const { nodes, edges, from, to } = graph;
  const { next, isInner } = singleWays(graph);
  const drawnOf = new Uint32Array(nodes);
  const inside: Uint32Array[] = [];
  const hasPlace = new Uint8Array(nodes);
  const put = (list: number[]): void => {
    for (const v of list) {
      drawnOf[v] = inside.length;
      hasPlace[v] = 1;
    }
    inside.push(Uint32Array.from(list));
  };
  // a chain starts at an inner node that no inner node leads to
  const follows = new Uint8Array(nodes);
  for (let v = 0; v < nodes; v++) if (isInner[v] === 1 && isInner[next[v]!] === 1) follows[next[v]!] = 1;
  for (let v = 0; v < nodes; v++) {
    if (hasPlace[v] === 1 || follows[v] === 1) continue;
    const chain = [v];
    if (isInner[v] === 1) for (let w = next[v]!; isInner[w] === 1; w = next[w]!) chain.push(w);
    if (chain.length > 1 && open.has(v)) for (const w of chain) put([w]);
    else put(chain);
  }
  const isDrawn = (e: number): boolean => drawnOf[from[e]!] !== drawnOf[to[e]!] || from[e] === to[e];
  const edge = Uint32Array.from({ length: edges }, (_, e) => e).filter(isDrawn);
  return {
    nodes: inside.length,
    inside,
    drawnOf,
    edges: edge.length,
    edge,
    from: edge.map((e) => drawnOf[from[e]!]!),
    to: edge.map((e) => drawnOf[to[e]!]!),
  };
}

/** Nodes that one only passes through: one edge in, one edge out, no episode starts or ends there, no loop. */
function singleWays(graph: TrajectoryGraph): { next: Int32Array; isInner: Uint8Array } {
  const { nodes, edges, from, to } = graph;
  const into = new Uint32Array(nodes);
  const out = new Uint32Array(nodes);
  const next = new Int32Array(nodes).fill(-1);
  for (let e = 0; e < edges; e++) {
    out[from[e]!]!++;
    into[to[e]!]!++;
    next[from[e]!] = to[e]!;
  }
  const isInner = Uint8Array.from({ length: nodes }, (_, v) => {
    const ends = graph.successes[v]! + graph.failures[v]! + graph.cuts[v]!;
    return into[v] === 1 && out[v] === 1 && graph.starts[v] === 0 && ends === 0 && next[v] !== v ? 1 : 0;
  });
  return { next, isInner };
}
