import { stepsOfEdge, type TrajectoryGraph } from '../../lab/analysis/graph.ts';
import type { Answer, Group } from './question.ts';

/** What is chosen in a graph: a state or a step, in numbers of the trajectory graph. */
export type Focus = { readonly kind: 'node' | 'edge'; readonly at: number };

type Told = Pick<Answer, 'graph' | 'names'> & { readonly group: Group };

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`);
const many = (n: number, one: string, more = `${one}s`): string => `${n} ${n === 1 ? one : more}`;

/** The whole picture in words. */
export function graphSentence({ graph, group }: Told): string {
  const { batch, task } = group;
  const won = batch.success.reduce((a, b) => a + b, 0);
  const steps = graph.member.length;
  return (
    `${many(batch.B, 'episode')} of task ${task + 1}, ${won} of them reached the goal. Their ${many(steps, 'step')} ` +
    `merge into ${many(graph.nodes, 'state')} and ${many(graph.edges, 'different step')}; ` +
    `${Math.round((100 * sharedSteps(graph)) / Math.max(1, steps))} % of the steps were taken more than once.`
  );
}

/** Steps on an edge with more than one member. */
function sharedSteps({ edges, memberStart }: TrajectoryGraph): number {
  let shared = 0;
  for (let e = 0; e < edges; e++) {
    const n = memberStart[e + 1]! - memberStart[e]!;
    if (n > 1) shared += n;
  }
  return shared;
}

/** What the slider does to the picture. */
export function historySentence(history: number, longest: number): string {
  if (history === 0) return 'Equal states are merged, however an episode got there.';
  if (history >= longest)
    return 'The whole past matters: the graph is a tree, and episodes share a step only until they first differ.';
  return `States are merged only if the last ${history === 1 ? 'step' : `${history} steps`} before them were the same too.`;
}

/** Ways out of a state or into it, most used first. */
export function waysOf({ graph }: Pick<Told, 'graph'>, node: number, side: 'out' | 'in'): number[] {
  const end = side === 'out' ? graph.from : graph.to;
  const count = (e: number): number => graph.memberStart[e + 1]! - graph.memberStart[e]!;
  return Array.from(end.keys())
    .filter((e) => end[e] === node)
    .sort((a, b) => count(b) - count(a) || a - b);
}

/** How often an edge was taken. */
export const takenOf = ({ memberStart }: TrajectoryGraph, e: number): number => memberStart[e + 1]! - memberStart[e]!;

/** A state in words: what it is, how often, who starts and ends there. */
export function nodeSentence({ graph, names }: Told, node: number): string {
  const parts = [
    `${names[node]!.long}`,
    `visited ${times(graph.visits[node]!)}`,
    graph.starts[node]! > 0 ? `${many(graph.starts[node]!, 'episode starts', 'episodes start')} here` : '',
    graph.successes[node]! > 0
      ? `${many(graph.successes[node]!, 'episode reaches', 'episodes reach')} the goal here`
      : '',
    graph.failures[node]! > 0 ? `${many(graph.failures[node]!, 'episode fails', 'episodes fail')} here` : '',
    graph.cuts[node]! > 0
      ? `${many(graph.cuts[node]!, 'episode is', 'episodes are')} cut off here by the step limit`
      : '',
  ];
  return `State: ${parts.filter((part) => part !== '').join('; ')}.`;
}

/** A step in words: from where to where, how often, by whom, with what credit. */
export function edgeSentence(told: Told, e: number, actions: readonly string[], credit: string): string {
  const { graph, names, group } = told;
  const steps = stepsOfEdge(graph, e);
  const { T, success } = group.batch;
  const who = [...new Set(Array.from(steps, (k) => Math.floor(k / T)))];
  const won = who.filter((i) => success[i] === 1).length;
  return (
    `Step: ${actions[graph.action[e]!] ?? 'no command'} in ${names[graph.from[e]!]!.long}, leading to ` +
    `${graph.from[e] === graph.to[e] ? 'the same state' : names[graph.to[e]!]!.long}; taken ${times(steps.length)} by ` +
    `${many(who.length, 'episode')}, of which ${won} reached the goal; mean credit ${credit}.`
  );
}

/** Nodes and edges whose words contain the text; null for an empty text. */
export function search(
  { graph, names }: Told,
  actions: readonly string[],
  wanted: string,
): { nodes: number[]; edges: number[] } | null {
  const text = wanted.trim().toLowerCase();
  if (text === '') return null;
  const has = (words: string): boolean => words.toLowerCase().includes(text);
  const named = actions.map(has);
  return {
    nodes: Array.from(names.keys()).filter((v) => has(names[v]!.long) || names[v]!.short.toLowerCase() === text),
    edges: Array.from(graph.action.keys()).filter((e) => named[graph.action[e]!] === true),
  };
}

/** Mean credit of all steps out of a state, 0 for an end. */
export function creditOfNode({ graph }: Pick<Told, 'graph'>, credit: Float32Array, node: number): number {
  let sum = 0;
  let n = 0;
  for (const e of waysOf({ graph }, node, 'out')) {
    sum += credit[e]! * takenOf(graph, e);
    n += takenOf(graph, e);
  }
  return n > 0 ? sum / n : 0;
}
