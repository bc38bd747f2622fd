import type { Batch } from '../../contract/columns.ts';
import { baseCredit } from '../../slots/advantage/trajectoryCredit.ts';
import { headsOfWords } from '../../slots/advantage/segments.ts';

/** What a graph is built from. */
export type Walked = Pick<
  Batch,
  'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'finalStateKey' | 'action' | 'success' | 'terminated'
>;

/**
 * The trajectories of one task group merged into a graph. A node is a state; with history h, a state together with the
 * last min(h, t) pairs (state, action) that led to it. An edge is a step (node, action, next node): exactly the merged
 * edges of SALT (arXiv 2510.20022). h = 0 is the graph of transitions, h ≥ T a tree in which a path is shared only by
 * trajectories with an equal past. Nodes and edges are numbered in the order in which the episodes meet them.
 */
export type TrajectoryGraph = {
  readonly nodes: number;
  readonly edges: number;
  /** [nodes] first visit, as i*(T+1) + t */
  readonly first: Uint32Array;
  /** [nodes] times that an episode was here: starts + steps in = steps out + ends */
  readonly visits: Uint32Array;
  readonly starts: Uint32Array;
  /** [nodes] episodes that ended here: at the goal, without it, or cut at the step limit */
  readonly successes: Uint32Array;
  readonly failures: Uint32Array;
  readonly cuts: Uint32Array;
  /** [edges] */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly action: Uint32Array;
  /** steps of edge e: `member[memberStart[e] … memberStart[e + 1])`, as i*T + t, ascending */
  readonly memberStart: Uint32Array;
  readonly member: Uint32Array;
  /** [B*(T+1)] node of each visit and [B*T] edge of each step; −1 outside the group */
  readonly nodeOf: Int32Array;
  readonly edgeOf: Int32Array;
};

const NONE = 0xffffffff;

/** The graph of the trajectories of task group `task`. */
export function trajectoryGraph(batch: Walked, task: number, history: number): TrajectoryGraph {
  const { B, T, length, action } = batch;
  const group = Array.from({ length: B }, (_, i) => i).filter((i) => batch.taskIndex[i] === task);
  /** visits one after the other: row `rowOf(i) + t` for t = 0 … length */
  const visit = group.flatMap((i) => Array.from({ length: length[i]! + 1 }, (_, t) => i * (T + 1) + t));
  const node = numbered(contexts(batch, visit, history));
  const nodeOf = new Int32Array(B * (T + 1)).fill(-1);
  visit.forEach((v, row) => (nodeOf[v] = node.number[row]!));

  const steps = visit.filter((v) => v % (T + 1) < length[Math.floor(v / (T + 1))]!);
  const flat = steps.map((v) => Math.floor(v / (T + 1)) * T + (v % (T + 1)));
  const words = Uint32Array.from(steps.flatMap((v, k) => [nodeOf[v]!, action[flat[k]!]!, nodeOf[v + 1]!]));
  const edge = numbered(headsOfWords(words, 3, new Uint8Array(steps.length).fill(1)));
  const edgeOf = new Int32Array(B * T).fill(-1);
  flat.forEach((k, row) => (edgeOf[k] = edge.number[row]!));

  const column = (c: number): Uint32Array => edge.first.map((row) => words[3 * row + c]!);
  const counts = (): Uint32Array => new Uint32Array(node.first.length);
  const graph = {
    nodes: node.first.length,
    edges: edge.first.length,
    first: node.first.map((row) => visit[row]!),
    visits: counts(),
    starts: counts(),
    successes: counts(),
    failures: counts(),
    cuts: counts(),
    from: column(0),
    to: column(2),
    action: column(1),
    ...membersOf(edge, flat),
    nodeOf,
    edgeOf,
  };
  for (const v of visit) graph.visits[nodeOf[v]!]!++;
  for (const i of group) {
    graph.starts[nodeOf[i * (T + 1)]!]!++;
    const ends = batch.success[i] === 1 ? graph.successes : batch.terminated[i] === 1 ? graph.failures : graph.cuts;
    ends[nodeOf[i * (T + 1) + length[i]!]!]!++;
  }
  return graph;
}

/**
 * Sets of visits with equal state and equal last h pairs. One pair more at a time:
 *
 *   C_0(i,t) = s[i,t]     C_m(i,t) = (s[i,t], a[i,t−1], C_{m−1}(i,t−1)),  at the start of an episode (s[i,0])
 *
 * Each refines the one before; when nothing splits, nothing will.
 */
function contexts(batch: Walked, visit: readonly number[], history: number): Int32Array {
  const { T, length } = batch;
  const all = new Uint8Array(visit.length).fill(1);
  const keys = new Uint32Array(visit.length * 2);
  visit.forEach((v, row) => {
    const [i, t] = [Math.floor(v / (T + 1)), v % (T + 1)];
    const [key, at] = t < length[i]! ? [batch.stateKey, 2 * (i * T + t)] : [batch.finalStateKey, 2 * i];
    keys[2 * row] = key[at]!;
    keys[2 * row + 1] = key[at + 1]!;
  });
  const state = headsOfWords(keys, 2, all);
  let head = state;
  let sets = setsIn(head);
  for (let m = 1; m <= history; m++) {
    const words = new Uint32Array(visit.length * 3);
    visit.forEach((v, row) => {
      const [i, t] = [Math.floor(v / (T + 1)), v % (T + 1)];
      const past = t === 0 ? [NONE, NONE] : [batch.action[i * T + t - 1]!, head[row - 1]!];
      words.set([state[row]!, ...past], 3 * row);
    });
    head = headsOfWords(words, 3, all);
    const now = setsIn(head);
    if (now === sets) break;
    sets = now;
  }
  return head;
}

const setsIn = (head: Int32Array): number => head.reduce((n, h, row) => n + (h === row ? 1 : 0), 0);

/** Sets numbered 0, 1, 2 … by their first member, with that member. */
function numbered(head: Int32Array): { number: Uint32Array; first: Uint32Array } {
  const first: number[] = [];
  const number = new Uint32Array(head.length);
  head.forEach((h, row) => {
    if (h === row) first.push(row);
    number[row] = h === row ? first.length - 1 : number[h]!;
  });
  return { number, first: Uint32Array.from(first) };
}

function membersOf(
  edge: { number: Uint32Array; first: Uint32Array },
  flat: readonly number[],
): { memberStart: Uint32Array; member: Uint32Array } {
  const memberStart = new Uint32Array(edge.first.length + 1);
  for (const e of edge.number) memberStart[e + 1]!++;
  for (let e = 0; e < edge.first.length; e++) memberStart[e + 1]! += memberStart[e]!;
  const free = memberStart.slice();
  const member = new Uint32Array(flat.length);
  edge.number.forEach((e, row) => (member[free[e]!++] = flat[row]!));
  return { memberStart, member };
}

/** [edges] mean of `values` [B*T] over the steps of each edge. */
export function edgeMeans({ edges, memberStart, member }: TrajectoryGraph, values: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: edges }, (_, e) => {
    let sum = 0;
    for (let k = memberStart[e]!; k < memberStart[e + 1]!; k++) sum += values[member[k]!]!;
    return sum / (memberStart[e + 1]! - memberStart[e]!);
  });
}

/** Steps of an edge. */
export const stepsOfEdge = ({ memberStart, member }: TrajectoryGraph, e: number): Uint32Array =>
  member.subarray(memberStart[e], memberStart[e + 1]);

/** [B*T] credit of whole trajectories compared inside their group (GRPO): its edge means are what SALT assigns. */
export function trajectoryAdvantage(batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'outcome'>): Float32Array {
  return baseCredit(batch, 'grpo');
}
