import { useWindowHeight } from '../charts/useWindowHeight.ts';
import { ActionBars } from '../stage/ActionBars.tsx';
import { COLOR_NAMES } from '../stage/palette.ts';
import { usePlayback } from '../stage/playback.ts';
import { Scale } from '../stage/Scale.tsx';
import { StageCanvas } from '../stage/StageCanvas.tsx';
import { useStage, type StageView as Shown } from '../stage/useStage.ts';
import { cellWords, describe, howToRead } from '../stage/words.ts';
import { look, select, useView, type Overlay } from '../stores/view.ts';
import type { ViewProps } from './views.tsx';

const OVERLAYS: readonly (readonly [Overlay, string])[] = [
  ['policy', 'Policy'],
  ['visits', 'Visits'],
  ['credit', 'Credit'],
  ['entropy', 'Entropy'],
  ['change', 'Change'],
];
const NONE: readonly number[] = [];

/** Height of a frame that is not the map: bar, player, and what stands under the map. */
const BESIDES = 170;
const LEAST = 140;
const FREE = 400;

/** The world, an episode of the newest batch in it, and what the policy would do everywhere. */
export function StageView({ hasControls, isFree }: ViewProps) {
  usePlayback();
  const view = useStage();
  const height = useWindowHeight();
  if (!view) return <p className="quiet">The level of this experiment cannot be drawn.</p>;
  return (
    <div className="embedstage">
      <h2 className="visually-hidden">World</h2>
      <Map view={view} most={isFree ? FREE : Math.max(LEAST, height - BESIDES)} />
      <div className="embedfacts">
        {hasControls && <OverlayChoice />}
        <Facts view={view} />
      </div>
      {hasControls && view.snapshot && <StepSlider view={view} />}
    </div>
  );
}

function Map({ view, most }: { view: Shown; most: number }) {
  const overlay = useView((v) => v.overlay);
  const { world, snapshot, state, scene, map, cells, limit, layers, layer, own, trail } = view;
  const name = layers.length > 1 ? layers.find((l) => l.layer === layer)!.name : '';
  const isOwn = layer === own;
  return (
    <StageCanvas
      {...{ scene, cells, limit, most }}
      overlay={overlay === 'ahead' ? 'policy' : overlay}
      hasAgent={isOwn}
      trail={isOwn ? trail : NONE}
      path={NONE}
      summary={describe(scene, world.env.text(world.level, state, 0))}
      tell={(cell) => cellWords(scene, cell, name, cells?.get(cell), map, snapshot?.actions ?? [], COLOR_NAMES)}
      hint={
        map
          ? howToRead(overlay, name, snapshot?.ages, cells?.values())
          : world.env.text(world.level, state, 0).split('\n')[0]!
      }
    />
  );
}

function Facts({ view }: { view: Shown }) {
  const overlay = useView((v) => v.overlay);
  const { snapshot, i, t } = view;
  if (!snapshot) return <p className="quiet">The map fills with what the agent learns once training has begun.</p>;
  return (
    <>
      <Scale overlay={overlay} view={view} />
      <ActionBars snapshot={snapshot} trajectory={i} step={t} />
    </>
  );
}

function OverlayChoice() {
  const overlay = useView((v) => v.overlay);
  return (
    <label className="inline">
      On the map{' '}
      <select value={overlay} onChange={(event) => look({ overlay: event.target.value as Overlay })}>
        {OVERLAYS.map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function StepSlider({ view }: { view: Shown }) {
  const { snapshot, i, t } = view;
  const length = snapshot!.length[i]!;
  return (
    <label className="embedsteps">
      Step{' '}
      <input
        type="range"
        aria-valuetext={`step ${t} of ${length}`}
        min={0}
        max={length}
        value={t}
        onChange={(event) => select(i, Number(event.target.value))}
      />
      <span className="number">
        {t} / {length}
      </span>
    </label>
  );
}
