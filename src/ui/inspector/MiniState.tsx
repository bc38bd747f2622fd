import { useEffect, useRef } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useRunConfig } from '../session.ts';
import { cellSize, render } from '../stage/render.ts';
import { describe } from '../stage/words.ts';
import { worldOf } from '../stage/world.ts';
import { useIsDark } from '../useTheme.ts';

const NONE: readonly number[] = [];
const SIDE = 190;

/** The world as it was before one step, drawn small. */
export function MiniState({ snapshot, i, t }: { snapshot: Snapshot; i: number; t: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const config = useRunConfig();
  const isDark = useIsDark();
  const world = config && worldOf(config, snapshot.levelSeeds[i]!);
  const at = (i * (snapshot.T + 1) + t) * snapshot.words;
  const scene = world?.env.scene(world.level, snapshot.state, at);
  const text = world ? world.env.text(world.level, snapshot.state, at) : '';
  useEffect(() => {
    if (!scene) return;
    const ratio = devicePixelRatio || 1;
    const picture = { scene, cells: null, overlay: 'policy' as const, limit: 1, hasAgent: true, isDark };
    const size = cellSize(SIDE, ratio, scene, SIDE);
    render(canvas.current!, { ...picture, trail: NONE, path: NONE }, size, ratio);
    canvas.current!.style.width = `${(scene.width * size) / ratio}px`;
  });
  if (!scene) return null;
  return (
    <div className="mini">
      <canvas ref={canvas} role="img" aria-label={describe(scene, text)} />
      <p className="quiet">{scene.holding.length > 0 ? `holding ${scene.holding.join(' and ')}` : 'empty-handed'}</p>
    </div>
  );
}
