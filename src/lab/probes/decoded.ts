import { headOf, labelOf, type Layout } from './layout.ts';
import type { Moment } from './sample.ts';

export type DecodedMap = {
  readonly width: number;
  /** [cells] class, and what the read-out says; cells that are the same on every level say the same */
  readonly truth: readonly number[];
  readonly decoded: readonly number[];
  /** [cells] 0 never seen, 1 seen earlier, 2 seen now */
  readonly seen: readonly number[];
  readonly agent: number;
  readonly decodedAgent: number;
};

export function mapOf(layout: Layout, { scene, seen }: Moment, said: Int16Array, n: number): DecodedMap {
  const { names, cells, width, heads } = layout;
  const truth = scene.cells.map((cell) => labelOf(names, cell));
  const decoded = truth.slice();
  cells.forEach((cell, h) => (decoded[cell] = said[n * heads.length + h]!));
  const decodedAgent = said[n * heads.length + headOf(layout, 'agent')]!;
  return { width, truth, decoded, seen: [...seen], agent: scene.agent.cell, decodedAgent };
}

/** Of the actions taken: share that is best in the true map, in the decoded one, and of the others those best in the decoded one. */
export type Belief = {
  readonly steps: number;
  readonly best: number;
  readonly decodedBest: number;
  readonly explained: number;
};

const WALKS = ['right', 'down', 'left', 'up'];

/**
 * Of the actions taken, those on a shortest way to the goal in the true map and in the decoded one, from the true and from
 * the decoded place. Only where maps are walls, floor and a goal, and an action is a step in a direction.
 */
export function beliefOf(
  layout: Layout,
  moments: readonly Moment[],
  said: Int16Array,
  actions: readonly string[],
): Belief | null {
  const plain = ['wall', 'floor', 'goal'];
  const walks = actions.map((name) => WALKS.indexOf(name));
  if (layout.names.some((name) => !plain.includes(name)) || walks.some((way) => way < 0)) return null;
  let [steps, best, decodedBest, wrong, explained] = [0, 0, 0, 0, 0];
  moments.forEach((moment, n) => {
    const { truth, decoded, agent, decodedAgent, width } = mapOf(layout, moment, said, n);
    const isBest = (map: readonly number[], from: number): boolean =>
      bestWalks(
        map.map((label) => layout.names[label]!),
        width,
        from,
      ).includes(walks[moment.actions[0]!]!);
    const [inTruth, inBelief] = [isBest(truth, agent), isBest(decoded, decodedAgent)];
    steps++;
    best += Number(inTruth);
    decodedBest += Number(inBelief);
    wrong += Number(!inTruth);
    explained += Number(!inTruth && inBelief);
  });
  return { steps, best: best / steps, decodedBest: decodedBest / steps, explained: wrong > 0 ? explained / wrong : 0 };
}

/** Directions (right, down, left, up) that bring one nearer to the nearest goal; none where no goal is in reach. */
export function bestWalks(map: readonly string[], width: number, from: number): number[] {
  const neighbors = (cell: number): number[] => {
    const x = cell % width;
    return [
      x + 1 < width ? cell + 1 : -1,
      cell + width < map.length ? cell + width : -1,
      x > 0 ? cell - 1 : -1,
      cell - width,
    ];
  };
  const distance = new Map<number, number>();
  let edge = map.flatMap((name, cell) => (name === 'goal' ? [cell] : []));
  for (const cell of edge) distance.set(cell, 0);
  for (let d = 1; edge.length > 0; d++) {
    edge = [...new Set(edge.flatMap(neighbors))].filter(
      (cell) => cell >= 0 && map[cell] !== 'wall' && !distance.has(cell),
    );
    for (const cell of edge) distance.set(cell, d);
  }
  const here = distance.get(from);
  if (here === undefined) return [];
  return neighbors(from).flatMap((cell, way) => (distance.get(cell) === here - 1 ? [way] : []));
}
