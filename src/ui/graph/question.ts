import type { DrawnGraph } from '../../lab/analysis/graphChains.ts';
import type { TrajectoryGraph, Walked } from '../../lab/analysis/graph.ts';
import type { GraphLayout } from '../../lab/analysis/graphLayout.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { judgedOf } from '../credit/judged.ts';
import type { LevelSource } from '../stage/world.ts';
import type { StateName } from './names.ts';

/** One task group of a batch, numbered from 0: trajectory k of it is `members[k]` of the batch. */
export type Group = {
  readonly snapshot: Snapshot;
  readonly task: number;
  readonly members: readonly number[];
  readonly batch: Walked & { readonly outcome: Float32Array };
  /** [members, T+1, words] */
  readonly state: Uint32Array;
};

/** Page → worker. */
export type Question = {
  readonly id: number;
  readonly batch: Walked;
  readonly state: Uint32Array;
  readonly words: number;
  /** level that the states are of; null if it cannot be made again */
  readonly source: LevelSource | null;
  readonly history: number;
  /** first nodes of chains that are shown unfolded */
  readonly open: readonly number[];
};

/** Worker → page. `merged`: too many nodes to draw, so a coarser graph is shown. */
export type Answer = {
  readonly id: number;
  readonly graph: TrajectoryGraph;
  readonly drawn: DrawnGraph;
  readonly layout: GraphLayout;
  /** [graph.nodes] */
  readonly names: readonly StateName[];
  readonly merged: { readonly nodes: number; readonly by: 'state' | 'place' } | null;
};

/** What a picture of a graph is drawn from. */
export type Picture = Pick<Answer, 'graph' | 'drawn' | 'layout' | 'names'>;

/** The trajectories of one task, copied out of a batch. */
export function groupOf(snapshot: Snapshot, task: number): Group {
  const { T, words } = snapshot;
  const members = Array.from({ length: snapshot.B }, (_, i) => i).filter((i) => snapshot.taskIndex[i] === task);
  const rows = <A extends Uint32Array | Float32Array>(from: A, size: number, empty: A): A => {
    members.forEach((i, k) => empty.set(from.subarray(i * size, (i + 1) * size), k * size));
    return empty;
  };
  const u32 = (from: Uint32Array, size: number): Uint32Array =>
    rows(from, size, new Uint32Array(members.length * size));
  return {
    snapshot,
    task,
    members,
    batch: {
      B: members.length,
      T,
      length: u32(snapshot.length, 1),
      taskIndex: new Uint32Array(members.length),
      stateKey: u32(snapshot.stateKey, 2 * T),
      finalStateKey: u32(snapshot.finalStateKey, 2),
      action: u32(snapshot.action, T),
      success: u32(snapshot.success, 1),
      terminated: u32(snapshot.terminated, 1),
      // SALT’s credit, by which edges are colored, is of the returns that the estimator sees
      outcome: rows(judgedOf(snapshot).outcome, 1, new Float32Array(members.length)),
    },
    state: u32(snapshot.state, (T + 1) * words),
  };
}

/** The rows of a [B, T] array of the batch that belong to the group. */
export function valuesOf({ snapshot, members }: Group, values: Float32Array): Float32Array {
  const own = new Float32Array(members.length * snapshot.T);
  members.forEach((i, k) => own.set(values.subarray(i * snapshot.T, (i + 1) * snapshot.T), k * snapshot.T));
  return own;
}
