import { useState } from 'react';
import { look, useView, type Overlay } from '../stores/view.ts';
import { ActionBars } from './ActionBars.tsx';
import { HumanPlay } from './HumanPlay.tsx';
import { LayerSwitch } from './LayerSwitch.tsx';
import { COLOR_NAMES } from './palette.ts';
import { pathCells } from './path.ts';
import { usePlayback } from './playback.ts';
import { Player } from './Player.tsx';
import { Scale } from './Scale.tsx';
import { StageCanvas } from './StageCanvas.tsx';
import { useStage, type StageView } from './useStage.ts';
import { cellWords, describe, howToRead } from './words.ts';
import type { World } from './world.ts';

const OVERLAYS: readonly { id: Overlay; label: string }[] = [
  { id: 'policy', label: 'Policy' },
  { id: 'visits', label: 'Visits' },
  { id: 'credit', label: 'Credit' },
];
const NONE: readonly number[] = [];

/** The world: an episode of the batch, and what the policy would do everywhere. */
export function Stage() {
  usePlayback();
  const view = useStage();
  const isHuman = useView((v) => v.isHuman);
  const [best, setBest] = useState<{ world: World; cells: readonly number[] } | null>(null);
  if (!view) {
    return (
      <div className="stage">
        <p className="quiet">The level cannot be drawn: its settings have a mistake. Setup says where.</p>
      </div>
    );
  }
  const { world } = view;
  // a path belongs to the level it was found on
  const path = best?.world === world ? best.cells : NONE;
  const showBest = (): void => {
    const actions = path === NONE ? world.env.shortestPath(world.level) : null;
    setBest(actions && { world, cells: pathCells(world, actions) });
  };
  return (
    <div className="stage">
      <div className="panelhead">
        <h2>World</h2>
        {!isHuman && <OverlaySwitch />}
        <button type="button" aria-pressed={path !== NONE} onClick={showBest}>
          Best path
        </button>
        <button type="button" aria-pressed={isHuman} onClick={() => look({ isHuman: !isHuman })}>
          {isHuman ? 'Back to the agent' : 'Take over'}
        </button>
      </div>
      {isHuman ? <HumanPlay world={world} from={view.state} path={path} /> : <Watch view={view} path={path} />}
    </div>
  );
}

function OverlaySwitch() {
  const overlay = useView((v) => v.overlay);
  return (
    <div className="segmented" role="group" aria-label="On the map">
      {OVERLAYS.map(({ id, label }) => (
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
  const { world, snapshot, i, t, state, scene, map, cells, limit, layers, layer, own, trail } = view;
  const name = layers.length > 1 ? layers.find((l) => l.layer === layer)!.name : '';
  const actions = snapshot?.actions ?? [];
  const hint = map ? howToRead(overlay, name) : 'The map fills with what the agent learns once training has begun.';
  const isOwn = layer === own;
  return (
    <div className="watch">
      <div>
        <StageCanvas
          scene={scene}
          cells={cells}
          overlay={overlay}
          limit={limit}
          hasAgent={isOwn}
          trail={isOwn ? trail : NONE}
          path={path}
          summary={describe(scene, world.env.text(world.level, state, 0))}
          tell={(cell) => cellWords(scene, cell, name, cells?.get(cell), map, actions, COLOR_NAMES)}
          hint={hint}
        />
      </div>
      <div className="facts">
        <LayerSwitch layers={layers} layer={layer} own={own} />
        <Scale overlay={overlay} view={view} />
        {snapshot && <ActionBars snapshot={snapshot} trajectory={i} step={t} />}
      </div>
      {snapshot && <Player snapshot={snapshot} trajectory={i} step={t} />}
    </div>
  );
}
