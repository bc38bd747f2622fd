import type { LevelMap } from '../../worker/protocol.ts';
import { layerNames, layersOfMap, rowsByCell } from './layers.ts';
import { placeOf, type World } from './world.ts';

/** More layers than this are not offered by name: then the map follows the episode. */
export const MOST_LAYERS = 24;

/** A layer of a map: its number, a state that stands for it, and what people call it. */
export type LayerName = { readonly layer: number; readonly row: number; readonly name: string };

/**
 * What stays the same in every map of a level: maps come with each frame, and differ in what the policy does in the
 * states, not in the states. Worked out once a level.
 */
export type Structure = {
  readonly n: number;
  /** [n, words] */
  readonly states: Uint32Array;
  readonly layers: readonly LayerName[];
  /** numbers of the layers by what the environment says of them; a map may have thousands */
  readonly numbers: ReadonlyMap<string, number>;
  /** rows of the map by the cell in which the agent stands */
  cellsOf(layer: number): ReadonlyMap<number, readonly number[]>;
  /** heading of the agent in a state of the map; null where agents walk in all directions */
  headingOf(row: number): number | null;
};

const structures = new WeakMap<World, Structure>();

export function structureOf(world: World, map: LevelMap): Structure {
  const known = structures.get(world);
  if (known?.n === map.cell.length) return known;
  const made = makeStructure(world, map);
  structures.set(world, made);
  return made;
}

function makeStructure(world: World, map: LevelMap): Structure {
  const { env, level } = world;
  const layers = layersOfMap(map);
  const cells = new Map<number, Map<number, number[]>>();
  const headings = new Map<number, number | null>();
  const sceneOf = (row: number) => env.scene(level, map.states, row * env.words);
  const names = layers.length > MOST_LAYERS ? [] : layerNames(layers.map(({ row }) => sceneOf(row)));
  // agents that walk in all directions have no heading, which one look tells
  const hasHeading = map.cell.length > 0 && sceneOf(0).agent.direction !== null;
  return {
    n: map.cell.length,
    states: map.states,
    layers: layers.map((l, k) => ({ ...l, name: names[k] ?? '' })),
    numbers: new Map(layers.map(({ layer, row }) => [env.layer(map.states, row * env.words), layer])),
    cellsOf(layer) {
      let found = cells.get(layer);
      if (!found) {
        found = rowsByCell(map, layer, (row) => placeOf(world, map.states, row * env.words));
        cells.set(layer, found);
      }
      return found;
    },
    headingOf(row) {
      if (!hasHeading) return null;
      let heading = headings.get(row);
      if (heading === undefined) headings.set(row, (heading = sceneOf(row).agent.direction));
      return heading;
    },
  };
}
