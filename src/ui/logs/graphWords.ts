import type { Place } from '../../logs/desk.ts';
import type { LogGraph } from '../../logs/graphOf.ts';
import { drawnFocus, focusOfHit, move } from '../graph/focus.ts';
import type { Hit } from '../graph/geometry.ts';
import { takenOf, type Focus } from '../graph/words.ts';

const many = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/** The edge of a step of the batch; the start where it is of another task. */
export function stepFocus({ graph, from, episodes, T }: LogGraph, { i, t }: Place): Focus {
  const k = i - from;
  const edge = k < 0 || k >= episodes ? -1 : graph.edgeOf[k * T + t]!;
  return edge >= 0 ? { kind: 'edge', at: edge } : { kind: 'node', at: 0 };
}

export const drawnHit = (made: LogGraph, focus: Focus): Hit => drawnFocus(made, focus);

/** Where a key leads from what is chosen. */
export function moved(made: LogGraph, hit: Hit, key: string): Hit | null {
  const to = move(made, focusOfHit(made, hit), key);
  return to && drawnFocus(made, to);
}

/** A step that stands for a choice: of the chosen episode if it was there, else the first one. Null at an end. */
export function placeOfHit(made: LogGraph, hit: Hit, own: Place): Place | null {
  const { graph, from, T } = made;
  const focus = focusOfHit(made, hit);
  const isHere = (k: number): boolean =>
    focus.kind === 'edge'
      ? graph.edgeOf[k] === focus.at
      : graph.edgeOf[k]! >= 0 && graph.from[graph.edgeOf[k]!] === focus.at;
  const first = (own.i - from) * T;
  for (let k = Math.max(0, first); k < first + T && k < graph.edgeOf.length; k++)
    if (isHere(k)) return { i: own.i, t: k - first };
  for (let k = 0; k < graph.edgeOf.length; k++) if (isHere(k)) return { i: from + Math.floor(k / T), t: k % T };
  return null;
}

/** A drawn state in words. */
export function nodeWords({ graph, drawn, names }: LogGraph, at: number): string {
  const inside = drawn.inside[at]!;
  if (inside.length > 1)
    return `${inside.length} states in a row with one path through them; Enter or a click shows them.`;
  const v = inside[0]!;
  const ends = graph.failures[v]! + graph.cuts[v]!;
  const parts = [
    `${names[v]!.long}: ${many(graph.visits[v]!, 'visit')}`,
    graph.starts[v]! > 0 ? `${many(graph.starts[v]!, 'episode')} began here` : '',
    graph.successes[v]! > 0 ? `${many(graph.successes[v]!, 'episode')} succeeded here` : '',
    ends > 0 ? `${many(ends, 'episode')} ended here without success` : '',
  ];
  return `${parts.filter((part) => part !== '').join('; ')}.`;
}

/** A drawn step in words. */
export function edgeWords({ graph, drawn, names, actions }: LogGraph, at: number, credit: string): string {
  const e = drawn.edge[at]!;
  const to = graph.from[e] === graph.to[e] ? 'the same state' : names[graph.to[e]!]!.long;
  return `“${actions[graph.action[e]!]}” in ${names[graph.from[e]!]!.long}, leading to ${to}: taken ${many(takenOf(graph, e), 'time')}, mean credit ${credit}.`;
}
