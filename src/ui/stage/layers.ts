import { splitName } from '../../contract/tags.ts';
import type { Scene } from '../../envs/types.ts';
import type { LevelMap } from '../../worker/protocol.ts';
import { directionOf } from './directions.ts';
import { many } from '../format.ts';

/** What the policy does in one cell, over all states of a layer with the agent in that cell. */
export type CellView = {
  /** rows of the map with the agent here */
  readonly rows: readonly number[];
  readonly visits: number;
  /** mean credit, and mean reward as the estimator sees it, over the visits; 0 without visits */
  readonly credit: number;
  readonly reward: number;
  /** means over the states of the cell: entropy of the policy in nats, KL(π_old‖π_θ) of the update */
  readonly entropy: number;
  readonly change: number;
  /** [4] probability of going east, south, west, north; where the agent has a heading, of going ahead with that heading */
  readonly arrows: Float32Array;
};

/** Rows of a layer by the cell of the drawing in which the agent stands, `placeOf(row)`. */
export function rowsByCell(map: LevelMap, layer: number, placeOf: (row: number) => number): Map<number, number[]> {
  const rowsOf = new Map<number, number[]>();
  map.layer.forEach((l, s) => {
    if (l !== layer) return;
    const cell = placeOf(s);
    const rows = rowsOf.get(cell);
    if (rows) rows.push(s);
    else rowsOf.set(cell, [s]);
  });
  return rowsOf;
}

/**
 * What the policy does in each cell. States that share a cell (other headings, other obstacles) are averaged, weighted by
 * their visits, or equally where nobody was. `headingOf(row)` is null for agents without heading.
 */
export function viewsOf(
  map: LevelMap,
  cells: ReadonlyMap<number, readonly number[]>,
  actions: readonly string[],
  headingOf: (row: number) => number | null,
): Map<number, CellView> {
  return new Map([...cells].map(([cell, rows]) => [cell, viewOf(map, rows, actions, headingOf)]));
}

/** Both at once, for a map that is looked at once. */
export function cellsOfLayer(
  map: LevelMap,
  layer: number,
  actions: readonly string[],
  headingOf: (row: number) => number | null,
  placeOf: (row: number) => number = (row) => map.cell[row]!,
): Map<number, CellView> {
  return viewsOf(map, rowsByCell(map, layer, placeOf), actions, headingOf);
}

function viewOf(
  map: LevelMap,
  rows: readonly number[],
  actions: readonly string[],
  headingOf: (row: number) => number | null,
): CellView {
  const visits = rows.reduce((sum, s) => sum + map.visits[s]!, 0);
  const arrows = new Float32Array(4);
  const weights = new Float32Array(4);
  let credit = 0;
  let reward = 0;
  let entropy = 0;
  let change = 0;
  let total = 0;
  for (const s of rows) {
    credit += map.visits[s]! * map.credit[s]!;
    reward += map.visits[s]! * map.paid[s]!;
    const weight = visits > 0 ? map.visits[s]! : 1;
    total += weight;
    entropy += weight * entropyAt(map, s, actions.length);
    change += weight * map.moved[s]!;
    const heading = headingOf(s);
    actions.forEach((name, a) => {
      const { tag, action } = splitName(name);
      const d = heading === null ? directionOf(action) : action === 'forward' ? heading : undefined;
      if (d === undefined) return;
      // headings are never averaged with each other: each keeps its own arrow, visited or not
      const w = heading === null ? weight : map.visits[s]! + 1e-6;
      arrows[d]! += w * map.probs[s * actions.length + a]!;
      // the same move with another tag is the same move
      if (tag === 0) weights[d]! += w;
    });
  }
  for (let d = 0; d < 4; d++) if (weights[d]! > 0) arrows[d]! /= weights[d]!;
  return {
    ...{ rows, visits, arrows },
    credit: visits > 0 ? credit / visits : 0,
    reward: visits > 0 ? reward / visits : 0,
    entropy: entropy / total,
    change: change / total,
  };
}

function entropyAt({ probs }: LevelMap, s: number, actions: number): number {
  let H = 0;
  for (let a = 0; a < actions; a++) {
    const p = probs[s * actions + a]!;
    if (p > 0) H -= p * Math.log(p);
  }
  return H;
}

/** Layers of a map in the order in which they are reached, each with a row that stands for it. */
export function layersOfMap(map: LevelMap): { layer: number; row: number }[] {
  const first = new Map<number, number>();
  map.layer.forEach((layer, s) => {
    if (!first.has(layer)) first.set(layer, s);
  });
  return [...first].map(([layer, row]) => ({ layer, row })).sort((a, b) => a.layer - b.layer);
}

/** How many of a thing there are on the board, in the rooms and, for open doors, between them. */
function countOf({ cells, passages }: Scene, item: string): number {
  const inRooms = cells.reduce((n, c) => n + (c.items?.filter((i) => i.item === item).length ?? 0), 0);
  const between = item === 'openDoor' ? (passages?.filter((p) => p.color !== undefined && p.open).length ?? 0) : 0;
  return cells.filter((c) => c.item === item).length + inRooms + between;
}

/**
 * Names for layers by what tells them apart: keys held, doors open, numbers still to visit, goals still open. The
 * scenes are drawings of one state per layer.
 */
export function layerNames(scenes: readonly Scene[]): string[] {
  const differs = (f: (scene: Scene) => string | number): boolean => new Set(scenes.map(f)).size > 1;
  const hasKeys = differs((s) => s.holding.join());
  const onlyKeys = scenes.every((s) => s.holding.every((name) => name.endsWith('key')));
  const parts = [
    { item: 'openDoor', say: (n: number) => (n === 0 ? 'door shut' : n === 1 ? 'door open' : `${n} doors open`) },
    { item: 'subgoal', say: (n: number) => `${n} to visit` },
    { item: 'goal', say: (n: number) => `${many(n, 'goal')} left` },
    { item: 'key', say: (n: number) => `${many(n, 'key')} on the floor` },
  ].filter(({ item }) => item !== 'key' || !hasKeys);
  const told = parts.filter(({ item }) => differs((s) => countOf(s, item)));
  const names = scenes.map((scene) => {
    const held =
      scene.holding.length > 0 ? `with ${scene.holding.join(' and ')}` : onlyKeys ? 'without a key' : 'empty-handed';
    const rest = told.map(({ item, say }) => say(countOf(scene, item)));
    return [...(hasKeys ? [held] : []), ...rest].join(', ') || 'all states';
  });
  const seen = new Map<string, number>();
  return names.map((name) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return n > 1 ? `${name} (${n})` : name;
  });
}
