import { useMemo, useSyncExternalStore } from 'react';
import type { Scene } from '../../envs/types.ts';
import type { Config } from '../../config/slots.ts';
import type { LevelMap, Snapshot } from '../../worker/protocol.ts';
import { symmetricLimit } from '../color.ts';
import { newestSnapshot } from '../frames.ts';
import { useRunConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useView } from '../stores/view.ts';
import { coveredBy, radiusOf, type Covered } from './covered.ts';
import { viewsOf, type CellView } from './layers.ts';
import { useIsMoving } from './playback.ts';
import { useShown } from './shown.ts';
import { structureOf, type LayerName, type Structure } from './structure.ts';
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
  /** index of the batch that the map is of: the newest one, whatever the player does, wherever that has the level */
  readonly mapUpdate: number;
  /** the batch of the credit under the map: that of the map, unless a person looks at an episode */
  readonly credited: Snapshot | null;
  readonly cells: ReadonlyMap<number, CellView> | null;
  readonly limit: number;
  readonly layers: readonly LayerName[];
  readonly layer: number;
  /** the layer of the step on the screen */
  readonly own: number;
  /** cells of the episode up to the step */
  readonly trail: readonly number[];
  /** what the episode has covered so far, where a reward pays for that */
  readonly covered: Covered | null;
};

const NO_LAYERS: readonly LayerName[] = [];
const NO_ACTIONS: readonly string[] = [];

/**
 * Layer of a step. The end of an episode may not be on the map: the last step that is stands for it. Layers are compared
 * by what the environment says of them, which holds also for states that differ from those of the map in other words.
 */
function layerOfStep({ env }: World, snapshot: Snapshot, structure: Structure, i: number, t: number): number {
  for (let at = t; at >= 0; at--) {
    const layer = structure.numbers.get(env.layer(snapshot.state, (i * (snapshot.T + 1) + at) * snapshot.words));
    if (layer !== undefined) return layer;
  }
  return 0;
}

/**
 * Map of a level in the newest batch, whatever episode of whatever batch is on the stage; where the newest batch does not
 * have this level, that of the episode's own batch.
 */
export function mapOf(shown: Snapshot | null, newest: Snapshot | null, levelSeed: number): LevelMap | null {
  if (!shown) return null;
  const find = (snapshot: Snapshot): LevelMap | undefined => snapshot.maps.find((m) => m.levelSeed === levelSeed);
  return (newest && newest.replica === shown.replica ? find(newest) : undefined) ?? find(shown) ?? null;
}

/** The view of the stage; null if the level cannot be made. */
export function useStage(): StageView | null {
  const snapshot = useShown();
  const newest = useSyncExternalStore(newestSnapshot.subscribe, newestSnapshot.get);
  const draft = useDraft((d) => d.config);
  const loaded = useRunConfig();
  const trajectory = useView((v) => v.hovered?.i ?? v.trajectory);
  const step = useView((v) => v.hovered?.t ?? v.step);
  const wanted = useView((v) => v.layer);
  // an episode that was not chosen and does not move rests on a step, not after the end
  const isFollowing = useView((v) => v.isFollowing);
  const isPointed = useView((v) => v.hovered !== null);
  const isResting = !useIsMoving() && isFollowing;
  const actions = snapshot?.actions ?? NO_ACTIONS;
  const i = snapshot ? Math.min(trajectory, snapshot.B - 1) : 0;
  const t = snapshot ? Math.max(0, Math.min(step, snapshot.length[i]! - (isResting ? 1 : 0))) : 0;
  const levelSeed = snapshot ? snapshot.levelSeeds[i]! : 1;
  const config = snapshot && loaded ? loaded : draft;
  const world = worldOf(config, levelSeed);
  const map = mapOf(snapshot, newest, levelSeed);
  const structure = world && map ? structureOf(world, map) : null;
  const own = useMemo(
    () => (world && snapshot && structure ? layerOfStep(world, snapshot, structure, i, t) : 0),
    [world, snapshot, structure, i, t],
  );
  const layers = structure?.layers ?? NO_LAYERS;
  const layer = wanted !== null && layers.some((l) => l.layer === wanted) ? wanted : own;
  const cells = useMemo(
    () => (structure && map ? viewsOf(map, structure.cellsOf(layer), actions, structure.headingOf) : null),
    [structure, map, layer, actions],
  );
  const isPaid = useView((v) => v.overlay === 'reward');
  const limit = useMemo(
    () => (map ? symmetricLimit((isPaid ? map.paid : map.credit).filter((_, s) => map.visits[s]! > 0)) : 1),
    [map, isPaid],
  );
  const at = snapshot ? (i * (snapshot.T + 1) + t) * snapshot.words : 0;
  const state = useMemo(
    () => (world === null ? null : snapshot ? snapshot.state.slice(at, at + snapshot.words) : firstState(world)),
    [world, snapshot, at],
  );
  const scene = useMemo(() => {
    if (!world || !state) return null;
    const row = layer === own ? undefined : layers.find((l) => l.layer === layer)?.row;
    return row === undefined || !structure
      ? world.env.scene(world.level, state, 0)
      : world.env.scene(world.level, structure.states, row * state.length);
  }, [world, state, layer, own, layers, structure]);
  const trail = useMemo(() => {
    if (!snapshot || !world) return [];
    const from = i * (snapshot.T + 1);
    return Array.from({ length: t + 1 }, (_, k) => placeOf(world, snapshot.state, (from + k) * snapshot.words));
  }, [snapshot, world, i, t]);
  const covered = useMemo(() => {
    const radius = radiusOf(config);
    return world && snapshot && radius !== null ? coveredBy(world, snapshot, [i, t], radius) : null;
  }, [world, snapshot, config, i, t]);
  if (!world || !state || !scene) return null;
  const mapUpdate = (newest && map && newest.maps.includes(map) ? newest : snapshot)?.update ?? 0;
  const credited = isFollowing && !isPointed ? newest : snapshot;
  return {
    mapUpdate,
    credited,
    config,
    world,
    snapshot,
    i,
    t,
    state,
    scene,
    map,
    cells,
    limit,
    layers,
    layer,
    own,
    trail,
    covered,
  };
}
