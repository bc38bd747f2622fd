import { stepsOfEdge } from '../../lab/analysis/graph.ts';
import type { Cell } from '../credit/layout.ts';
import type { Hit } from './geometry.ts';
import type { Answer, Group } from './question.ts';
import { waysOf, type Focus } from './words.ts';

type Shape = Pick<Answer, 'graph' | 'drawn' | 'layout'>;
type Made = Shape & { readonly group: Group };

/** The edge of a step of the batch, the node of an episode's end, the start for an episode of another task. */
export function stepOf({ graph, group }: Made, trajectory: number, step: number): Focus {
  const k = group.members.indexOf(trajectory);
  if (k < 0) return { kind: 'node', at: 0 };
  const { T, length } = group.batch;
  const t = Math.min(step, length[k]!);
  return t < length[k]!
    ? { kind: 'edge', at: graph.edgeOf[k * T + t]! }
    : { kind: 'node', at: graph.nodeOf[k * (T + 1) + t]! };
}

/** A step or visit of the batch that stands for a choice in the graph: of the selected episode if it was there. */
export function visitOf({ graph, group }: Made, focus: Focus, trajectory: number): Cell {
  const { T, length, B } = group.batch;
  const own = group.members.indexOf(trajectory);
  if (focus.kind === 'edge') {
    const steps = stepsOfEdge(graph, focus.at);
    const k = steps.find((s) => Math.floor(s / T) === own) ?? steps[0]!;
    return { i: group.members[Math.floor(k / T)]!, t: k % T };
  }
  const order = [...(own >= 0 ? [own] : []), ...Array.from({ length: B }, (_, k) => k)];
  for (const k of order)
    for (let t = 0; t <= length[k]!; t++)
      if (graph.nodeOf[k * (T + 1) + t] === focus.at) return { i: group.members[k]!, t };
  return { i: group.members[0]!, t: 0 };
}

/** All steps of an edge, as i*T + t of the batch. */
export function batchSteps({ graph, group }: Pick<Made, 'graph' | 'group'>, e: number): Uint32Array {
  const { T } = group.batch;
  return stepsOfEdge(graph, e).map((k) => group.members[Math.floor(k / T)]! * T + (k % T));
}

/** Where a choice is drawn: an edge inside of a chain is the chain. */
export function drawnFocus({ graph, drawn }: Shape, focus: Focus): Hit {
  if (focus.kind === 'node') return { kind: 'node', at: drawn.drawnOf[focus.at]! };
  const e = drawn.edge.indexOf(focus.at);
  return e >= 0 ? { kind: 'edge', at: e } : { kind: 'node', at: drawn.drawnOf[graph.from[focus.at]!]! };
}

export function focusOfHit({ drawn }: Shape, hit: Hit): Focus {
  return hit.kind === 'edge'
    ? { kind: 'edge', at: drawn.edge[hit.at]! }
    : { kind: 'node', at: drawn.inside[hit.at]![0]! };
}

/**
 * Where a key leads: right along the way out that was taken most, left along the way in, up and down to the next state
 * of the layer, Home to the start. Null for keys that mean nothing here.
 */
export function move(made: Shape, focus: Focus, key: string): Focus | null {
  const { graph, drawn, layout } = made;
  const here = focus.kind === 'node' ? focus.at : null;
  const drawnHere = drawn.drawnOf[here ?? graph.from[focus.at]!]!;
  switch (key) {
    case 'ArrowRight': {
      if (here === null) return { kind: 'node', at: graph.to[focus.at]! };
      const onward = waysOf(made, here, 'out');
      const forward = onward.find((e) => isForward(made, e)) ?? onward[0];
      return forward === undefined ? focus : { kind: 'edge', at: forward };
    }
    case 'ArrowLeft': {
      if (here === null) return { kind: 'node', at: graph.from[focus.at]! };
      const before = waysOf(made, here, 'in').filter((e) => graph.from[e] !== here);
      const back = before.find((e) => isForward(made, e)) ?? before[0];
      return back === undefined ? focus : { kind: 'edge', at: back };
    }
    case 'ArrowUp':
    case 'ArrowDown': {
      if (here === null) return nextWay(made, focus.at, key === 'ArrowUp' ? -1 : 1);
      const row = Array.from(layout.layer.keys())
        .filter((v) => layout.layer[v] === layout.layer[drawnHere])
        .sort((a, b) => layout.y[a]! - layout.y[b]!);
      const to = row.indexOf(drawnHere) + (key === 'ArrowUp' ? -1 : 1);
      return { kind: 'node', at: drawn.inside[row[Math.max(0, Math.min(row.length - 1, to))]!]![0]! };
    }
    case 'Home':
      return { kind: 'node', at: 0 };
    default:
      return null;
  }
}

/** On an edge up and down change to the other ways out of its state. */
function nextWay(made: Shape, e: number, by: number): Focus {
  const ways = waysOf(made, made.graph.from[e]!, 'out');
  return { kind: 'edge', at: ways[Math.max(0, Math.min(ways.length - 1, ways.indexOf(e) + by))]! };
}

function isForward({ graph, drawn, layout }: Shape, e: number): boolean {
  const [v, w] = [drawn.drawnOf[graph.from[e]!]!, drawn.drawnOf[graph.to[e]!]!];
  return v === w ? graph.from[e] !== graph.to[e] : layout.layer[w]! > layout.layer[v]!;
}
