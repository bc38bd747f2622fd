import { useMemo } from 'react';
import type { Scene } from '../../envs/types.ts';
import type { Config } from '../../config/slots.ts';
import type { LevelMap, Snapshot } from '../../worker/protocol.ts';
import { symmetricLimit } from '../color.ts';
import { useRunConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useView } from '../stores/view.ts';
import { cellsOfLayer, layerNames, layersOfMap, type CellView } from './layers.ts';
import { useShown } from './shown.ts';
import { firstState, placeOf, worldOf, type World } from './world.ts';

/** Everything the stage shows, worked out from the batch, the selection and the level. */
export type StageView = {
  readonly config: Config;
  readonly world: World;
  readonly snapshot: Snapshot | null;
  readonly i: number;
  readonly t: number;
  readonly state: Uint32Array;
  readonly scene: Scene;
  readonly map: LevelMap | null;
  readonly cells: ReadonlyMap<number, CellView> | null;
  readonly limit: number;
  readonly layers: readonly { readonly layer: number; readonly name: string }[];
  readonly layer: number;
  /** the layer of the step on the screen */
  readonly own: number;
  /** cells of the episode up to the step */
  readonly trail: readonly number[];
};

/** Numbers of the layers of a map by what the environment says of them; a map may have thousands. */
const layerNumbers = new WeakMap<LevelMap, Map<string, number>>();

/**
 * Layer of a step. The end of an episode may not be on the map: the last step that is stands for it. Layers are compared
 * by what the environment says of them, which holds also for states that differ from those of the map in other words.
 */
function layerOfStep({ env }: World, snapshot: Snapshot, map: LevelMap, i: number, t: number): number {
  let known = layerNumbers.get(map);
  if (!known) {
    known = new Map(layersOfMap(map).map(({ layer, row }) => [env.layer(map.states, row * env.words), layer]));
    layerNumbers.set(map, known);
  }
  for (let at = t; at >= 0; at--) {
    const layer = known.get(env.layer(snapshot.state, (i * (snapshot.T + 1) + at) * snapshot.words));
    if (layer !== undefined) return layer;
  }
  return 0;
}

/** The view of the stage; null if the level cannot be made. */
export function useStage(): StageView | null {
  const snapshot = useShown();
  const draft = useDraft((d) => d.config);
  const loaded = useRunConfig();
  const trajectory = useView((v) => v.hovered?.i ?? v.trajectory);
  const step = useView((v) => v.hovered?.t ?? v.step);
  const wanted = useView((v) => v.layer);
  const i = snapshot ? Math.min(trajectory, snapshot.B - 1) : 0;
  const t = snapshot ? Math.min(step, snapshot.length[i]!) : 0;
  const levelSeed = snapshot ? snapshot.levelSeeds[i]! : 1;
  const config = snapshot && loaded ? loaded : draft;
  const world = worldOf(config, levelSeed);
  const map = snapshot?.maps.find((m) => m.levelSeed === levelSeed) ?? null;
  const own = useMemo(
    () => (world && snapshot && map ? layerOfStep(world, snapshot, map, i, t) : 0),
    [world, snapshot, map, i, t],
  );
  const layers = useMemo(() => (world && map ? named(world, map) : []), [world, map]);
  const layer = wanted !== null && layers.some((l) => l.layer === wanted) ? wanted : own;
  const cells = useMemo(
    () => (world && map && snapshot ? viewsOf(world, map, layer, snapshot.actions) : null),
    [world, map, layer, snapshot],
  );
  const limit = useMemo(() => (map ? symmetricLimit(map.credit.filter((_, s) => map.visits[s]! > 0)) : 1), [map]);
  const at = snapshot ? (i * (snapshot.T + 1) + t) * snapshot.words : 0;
  const state = useMemo(
    () => (world === null ? null : snapshot ? snapshot.state.slice(at, at + snapshot.words) : firstState(world)),
    [world, snapshot, at],
  );
  const scene = useMemo(() => {
    if (!world || !state) return null;
    const row = layer === own ? undefined : layers.find((l) => l.layer === layer)?.row;
    const other = row === undefined || !map;
    return other
      ? world.env.scene(world.level, state, 0)
      : world.env.scene(world.level, map.states, row * state.length);
  }, [world, state, layer, own, layers, map]);
  const trail = useMemo(() => {
    if (!snapshot || !world) return [];
    const from = i * (snapshot.T + 1);
    return Array.from({ length: t + 1 }, (_, k) => placeOf(world, snapshot.state, (from + k) * snapshot.words));
  }, [snapshot, world, i, t]);
  if (!world || !state || !scene) return null;
  return { config, world, snapshot, i, t, state, scene, map, cells, limit, layers, layer, own, trail };
}

function viewsOf(world: World, map: LevelMap, layer: number, actions: readonly string[]): Map<number, CellView> {
  const placeOfRow = (row: number): number => placeOf(world, map.states, row * world.env.words);
  return cellsOfLayer(map, layer, actions, headings(world, map), placeOfRow);
}

/** More layers than this are not offered by name: then the map follows the episode. */
export const MOST_LAYERS = 24;

function named({ env, level }: World, map: LevelMap): { layer: number; row: number; name: string }[] {
  const layers = layersOfMap(map);
  if (layers.length > MOST_LAYERS) return layers.map((l) => ({ ...l, name: '' }));
  const names = layerNames(layers.map(({ row }) => env.scene(level, map.states, row * env.words)));
  return layers.map((l, k) => ({ ...l, name: names[k]! }));
}

/** Heading of the agent in a state of the map. Agents that walk in all directions have none, which one look tells. */
function headings({ env, level }: World, map: LevelMap): (row: number) => number | null {
  const headingOf = (row: number): number | null => env.scene(level, map.states, row * env.words).agent.direction;
  return headingOf(0) === null ? () => null : headingOf;
}
