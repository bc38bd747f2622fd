import { useMemo, useRef, useState } from 'react';
import { useDraft } from '../stores/draft.ts';
import { look, useView, type Overlay } from '../stores/view.ts';
import { useSnapshot } from '../frames.ts';
import { useRunConfig } from '../session.ts';
import { ActionBars } from './ActionBars.tsx';
import { Player } from './Player.tsx';
import { HumanPlay } from './HumanPlay.tsx';
import { StageCanvas } from './StageCanvas.tsx';
import { describe, firstState, worldOf, type World } from './world.ts';

/** What `mapRow` holds for a state that the map does not have. */
const NOT_ON_MAP = 0xffffffff;

const OVERLAYS: readonly { id: Overlay; label: string }[] = [
  { id: 'policy', label: 'Policy' },
  { id: 'visits', label: 'Visits' },
  { id: 'credit', label: 'Credit' },
];

/** The world: an episode of the newest batch, and what the policy would do everywhere. */
export function Stage() {
  const snapshot = useSnapshot();
  const draft = useDraft((d) => d.config);
  const loaded = useRunConfig();
  const overlay = useView((v) => v.overlay);
  const trajectory = useView((v) => v.trajectory);
  const step = useView((v) => v.step);
  const [isHuman, setHuman] = useState(false);
  const [best, setBest] = useState<{ world: World; path: readonly number[] | null } | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const i = snapshot ? Math.min(trajectory, snapshot.B - 1) : 0;
  const t = snapshot ? Math.min(step, snapshot.length[i]!) : 0;
  const world = worldOf(snapshot && loaded ? loaded : draft, snapshot ? snapshot.levelSeeds[i]! : 1);
  const at = snapshot ? (i * (snapshot.T + 1) + t) * snapshot.words : 0;
  const state = useMemo(
    () => (world === null ? null : snapshot ? snapshot.state.slice(at, at + snapshot.words) : firstState(world)),
    [world, snapshot, at],
  );
  // a path belongs to the level it was found on
  const path = best !== null && best.world === world ? best.path : null;

  if (!world || !state) {
    return (
      <div className="stage">
        <p className="quiet">The level cannot be drawn: its settings have a mistake. Setup says where.</p>
      </div>
    );
  }
  const scene = world.env.scene(world.level, state, 0);
  const map = snapshot?.maps.find((m) => m.levelSeed === snapshot.levelSeeds[i]) ?? null;
  // the state after the last step is not on the map: the policy is shown for the state before it
  const last = snapshot && t > 0 && snapshot.mapRow[i * (snapshot.T + 1) + t] === NOT_ON_MAP ? t - 1 : t;
  const row = snapshot ? snapshot.mapRow[i * (snapshot.T + 1) + last]! : 0;
  const summary = describe(scene, world.env.text(world.level, state, 0));
  return (
    <div className="stage">
      <div className="panelhead">
        <h2 ref={heading}>World</h2>
        <div className="segmented" role="group" aria-label="On the map">
          {OVERLAYS.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={overlay === id} onClick={() => look({ overlay: id })}>
              {label}
            </button>
          ))}
        </div>
        <button
          type="button"
          onClick={() => setBest(path ? null : { world, path: world.env.shortestPath(world.level) })}
          aria-pressed={path !== null}
        >
          Best path
        </button>
        <button type="button" aria-pressed={isHuman} onClick={() => setHuman(!isHuman)}>
          {isHuman ? 'Back to the agent' : 'Play yourself'}
        </button>
      </div>
      {isHuman ? (
        <HumanPlay world={world} />
      ) : (
        <>
          <StageCanvas
            scene={scene}
            summary={summary}
            overlay={overlay}
            map={map}
            row={row}
            actions={snapshot?.actions ?? []}
            world={world}
            path={path}
          />
          <p className="legend quiet">{legendOf(overlay, scene.holding, map !== null)}</p>
          <ActionBars snapshot={snapshot} trajectory={i} step={t} />
          <Player snapshot={snapshot} trajectory={i} step={t} />
        </>
      )}
    </div>
  );
}

/** What the colors and arrows on the map mean now. */
function legendOf(overlay: Overlay, holding: readonly string[], hasMap: boolean): string {
  const held = holding.length > 0 ? `with the ${holding.join(' and ')}` : 'without a key';
  if (!hasMap) return 'The map fills with what the agent learns once training has begun.';
  if (overlay === 'policy') return `Arrows: how likely each move is in every cell, ${held}.`;
  if (overlay === 'visits') return `Brighter: visited more often in the newest batch, ${held}.`;
  return `Mean credit of the steps taken in each cell, ${held}: orange more of this, purple less.`;
}
