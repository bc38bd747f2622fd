import { useMemo, useState } from 'react';
import type { Config } from '../../config/slots.ts';
import { hasTags } from '../../contract/tags.ts';
import { updateNumber } from '../../core/counting.ts';
import { Enlarge } from '../layout/Enlarge.tsx';
import { part } from '../Part.tsx';
import { SlimStrip } from '../credit/SlimStrip.tsx';
import { useSolution } from '../solve/useSolution.ts';
import { look, useView, type Overlay } from '../stores/view.ts';
import { LayerSwitch } from './LayerSwitch.tsx';
import { BestLine } from './BestLine.tsx';
import { COLOR_NAMES } from './palette.ts';
import { pathStates } from './path.ts';
import { usePlayback } from './playback.ts';
import { Scale } from './Scale.tsx';
import { StageCanvas } from './StageCanvas.tsx';
import { linesOf, linesOfEpisode } from './transcript.ts';
import { Transcript } from './Transcript.tsx';
import { useStage, type StageView } from './useStage.ts';
import { cellWords, describe, howToRead } from './words.ts';
import { nextLevelSeed, placeOf, worldOf, type World } from './world.ts';

// There is no episode before the first update.
const Player = part(() => import('./Player.tsx').then((m) => m.Player), <div className="player" />);
const ActionBars = part(() => import('./ActionBars.tsx').then((m) => m.ActionBars));

// most visits watch
const HumanPlay = part(
  () => import('./HumanPlay.tsx').then((m) => m.HumanPlay),
  <p className="quiet">The controls are loading.</p>,
);

// few worlds ask for a thought before each action
const Thoughts = part(() => import('./Thoughts.tsx').then((m) => m.Thoughts), null);

// few estimators credit words
const WordCredit = part(() => import('./WordCredit.tsx').then((m) => m.WordCredit), null);

const Belief = part(() => import('./Belief.tsx').then((m) => m.Belief), null);

const Dealt = part(() => import('./Dealt.tsx').then((m) => m.Dealt), null);

// few look ahead
const AheadMap = part(
  () => import('../ahead/AheadMap.tsx').then((m) => m.AheadMap),
  <p className="quiet">The map is loading.</p>,
);
const AheadFacts = part(() => import('../ahead/AheadFacts.tsx').then((m) => m.AheadFacts), null);

const OVERLAYS: readonly { id: Overlay; label: string }[] = [
  { id: 'policy', label: 'Policy' },
  { id: 'visits', label: 'Visits' },
  { id: 'credit', label: 'Credit' },
  { id: 'entropy', label: 'Entropy' },
  { id: 'change', label: 'Change' },
];
/** Only where modules change what is paid: else it is what the level says. */
const REWARD = { id: 'reward', label: 'Reward' } as const;
/** What the agent would do if it looked ahead before it acts. */
const AHEAD = { id: 'ahead', label: 'Ahead' } as const;
const NONE: readonly number[] = [];
const NO_MAP = 'This task has too many states to draw the policy everywhere; the bars show what it does at this step.';

/** The world: an episode of the batch, and what the policy would do everywhere; or a person plays. */
export function Stage() {
  usePlayback();
  const view = useStage();
  const isHuman = useView((v) => v.isHuman);
  const [isBest, setBest] = useState(false);
  const [ownSeed, setOwnSeed] = useState<{ config: Config; seed: number } | null>(null);
  const isOwn = isHuman && view !== null && ownSeed?.config === view.config;
  const world = isOwn ? worldOf(view.config, ownSeed.seed) : (view?.world ?? null);
  const solution = useSolution(isBest || isHuman ? (world?.source ?? null) : null);
  const actions = isBest && solution?.kind === 'path' ? solution.actions : NONE;
  const path = useMemo(() => (world && actions.length > 0 ? pathPlaces(world, actions) : NONE), [world, actions]);
  const next = useMemo(
    () => (isHuman && view && world ? nextLevelSeed(view.config, world) : null),
    [isHuman, view, world],
  );
  if (!view || !world) {
    return (
      <div className="stage">
        <p className="quiet">The level cannot be drawn: its settings have a mistake. Setup shows where.</p>
      </div>
    );
  }
  const switchSides = (): void => {
    setOwnSeed(null);
    look({ isHuman: !isHuman });
  };
  return (
    <div className="stage">
      <div className="panelhead">
        <h2>World</h2>
        <button type="button" aria-pressed={isBest} onClick={() => setBest(!isBest)}>
          Best path
        </button>
        <button
          type="button"
          onClick={() => look({ editing: { levelSeed: world.source.levelSeed, config: view.config } })}
        >
          Edit this level
        </button>
        <button type="button" aria-pressed={isHuman} onClick={switchSides}>
          {isHuman ? 'Back to the agent' : 'Take over'}
        </button>
        {!isHuman && <OverlaySwitch isShaped={(view.snapshot?.judged?.shapedBy.length ?? 0) > 0} />}
        <Enlarge panel="stage" name="the world" />
      </div>
      {isBest && <BestLine world={world} solution={solution} />}
      {isHuman ? (
        <HumanPlay
          key={`${world.source.id} ${world.source.levelSeed}`}
          world={world}
          from={isOwn ? null : view.state}
          path={path}
          best={solution?.kind === 'path' ? solution.actions : null}
          another={next === null ? null : () => setOwnSeed({ config: view.config, seed: next })}
        />
      ) : (
        <Watch view={view} path={path} />
      )}
    </div>
  );
}

const pathPlaces = (world: World, actions: readonly number[]): number[] =>
  pathStates(world, actions).map((state) => placeOf(world, state, 0));

function OverlaySwitch({ isShaped }: { isShaped: boolean }) {
  const overlay = useView((v) => v.overlay);
  const offered = isShaped || overlay === 'reward' ? [...OVERLAYS, REWARD, AHEAD] : [...OVERLAYS, AHEAD];
  return (
    <div className="segmented tight" role="group" aria-label="On the map">
      {offered.map(({ id, label }) => (
        <button key={id} type="button" aria-pressed={overlay === id} onClick={() => look({ overlay: id })}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** The agent at work: map, numbers of the step, player. */
function Watch({ view, path }: { view: StageView; path: readonly number[] }) {
  const overlay = useView((v) => v.overlay);
  const {
    world,
    snapshot,
    i,
    t,
    state,
    scene,
    map,
    mapUpdate,
    credited,
    cells,
    limit,
    layers,
    layer,
    own,
    trail,
    covered,
  } = view;
  const name = layers.length > 1 ? layers.find((l) => l.layer === layer)!.name : '';
  const actions = snapshot?.actions ?? [];
  const hint = map
    ? `${howToRead(overlay, name, snapshot?.ages, cells?.values())} Batch of update ${updateNumber(mapUpdate)}.`
    : snapshot
      ? NO_MAP
      : 'The map fills with what the agent learns once training has begun.';
  const isOwn = layer === own;
  const lines = useMemo(
    () => (snapshot ? linesOfEpisode(world, snapshot, i) : linesOf([scene.said ?? []], [])),
    [world, snapshot, i, scene],
  );
  return (
    <div className="watch">
      <div>
        {overlay === 'ahead' ? (
          <AheadMap view={view} path={path} />
        ) : (
          <StageCanvas
            scene={scene}
            cells={cells}
            overlay={overlay}
            limit={limit}
            hasAgent={isOwn}
            trail={isOwn ? trail : NONE}
            covered={covered}
            path={path}
            summary={describe(scene, world.env.text(world.level, state, 0))}
            tell={(cell) => cellWords(scene, cell, name, cells?.get(cell), map, actions, COLOR_NAMES)}
            hint={hint}
          />
        )}
        {scene.said && <Transcript lines={lines.slice(0, 2 * t + 1)} isLive={false} />}
      </div>
      <SlimStrip snapshot={credited} trajectory={i} step={t} isPlayed={credited === snapshot} />
      {snapshot && world.env.asks && snapshot.answerProb.some((p) => p > 0) && (
        <Belief world={world} snapshot={snapshot} trajectory={i} step={t} />
      )}
      {snapshot && (world.env.deal || world.env.recalls || world.env.notebook || world.env.aiming || scene.store) && (
        <Dealt world={world} snapshot={snapshot} trajectory={i} step={t} />
      )}
      {snapshot && hasTags(snapshot.actions) && <Thoughts world={world} snapshot={snapshot} trajectory={i} step={t} />}
      {snapshot?.written?.A && <WordCredit snapshot={snapshot} trajectory={i} step={t} />}
      {snapshot ? <Player snapshot={snapshot} trajectory={i} step={t} /> : <div className="player" />}
      <div className="facts">
        <LayerSwitch layers={layers} layer={layer} own={own} />
        <Scale overlay={overlay} view={view} />
        {overlay === 'ahead' && <AheadFacts actions={actions} />}
        {snapshot && <ActionBars snapshot={snapshot} trajectory={i} step={t} />}
      </div>
    </div>
  );
}
