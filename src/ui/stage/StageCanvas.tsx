import { useEffect, useRef, useState } from 'react';
import type { Scene } from '../../envs/types.ts';
import type { LevelMap } from '../../worker/protocol.ts';
import { css, signedColor, symmetricLimit, viridis } from '../color.ts';
import { percent, signed } from '../format.ts';
import type { Overlay } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { drawAgent, drawArrows, drawScene, PALETTES } from './draw.ts';
import type { World } from './world.ts';
import { pathCells } from './path.ts';

type Props = {
  scene: Scene;
  summary: string;
  overlay: Overlay;
  map: LevelMap | null;
  /** row of the current state in the map */
  row: number;
  actions: readonly string[];
  world: World;
  path: readonly number[] | null;
};

/** Rows of the map that share the layer of the current state, by cell. */
function layerRows(map: LevelMap, row: number): Map<number, number> {
  const layer = map.layer[row] ?? 0;
  const rows = new Map<number, number>();
  map.cell.forEach((cell, s) => {
    if (map.layer[s] === layer) rows.set(cell, s);
  });
  return rows;
}

/** Cell size in CSS pixels for the room there is. */
export function cellSize(available: number, width: number, height: number): number {
  return Math.max(8, Math.floor(Math.min(available / width, 420 / height, 76)));
}

export function StageCanvas({ scene, summary, overlay, map, row, actions, world, path }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [available, setAvailable] = useState(400);
  const [cell, setCell] = useState<number | null>(null);
  const isDark = useIsDark();
  const size = cellSize(available, scene.width, scene.height);

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setAvailable(entry!.contentRect.width));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const ratio = devicePixelRatio || 1;
    const element = canvas.current!;
    element.width = scene.width * size * ratio;
    element.height = scene.height * size * ratio;
    const ctx = element.getContext('2d')!;
    ctx.scale(ratio, ratio);
    const palette = PALETTES[isDark ? 'dark' : 'light'];
    const rows = map ? layerRows(map, row) : new Map<number, number>();
    const most = map ? Math.max(1, ...map.visits) : 1;
    const limit = map ? symmetricLimit(map.credit.filter((_, s) => map.visits[s]! > 0)) : 1;
    drawScene(ctx, scene, size, palette, (k) => {
      const s = rows.get(k);
      if (!map || s === undefined || map.visits[s] === 0) return null;
      if (overlay === 'visits') return css(viridis(Math.sqrt(map.visits[s]! / most)), 0.85);
      if (overlay === 'credit') return css(signedColor(map.credit[s]! / limit, isDark));
      return null;
    });
    if (map && overlay === 'policy') {
      for (const [k, s] of rows)
        drawArrows(ctx, k, scene.width, size, actions, map.probs, s * actions.length, palette.ink);
    }
    if (path) {
      ctx.strokeStyle = palette.goal;
      ctx.lineWidth = Math.max(2, size * 0.08);
      ctx.setLineDash([size * 0.16, size * 0.12]);
      ctx.beginPath();
      for (const k of pathCells(world, path))
        ctx.lineTo(((k % scene.width) + 0.5) * size, (Math.floor(k / scene.width) + 0.5) * size);
      ctx.stroke();
      ctx.setLineDash([]);
    }
    drawAgent(ctx, scene, size, palette);
  }, [scene, size, isDark, map, row, overlay, actions, path, world]);

  const told = cell !== null && map ? cellText(map, row, cell, scene.width, actions) : null;
  return (
    <div className="stagebox" ref={box}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={summary}
        style={{ width: scene.width * size, height: scene.height * size }}
        onPointerMove={(event) => {
          const frame = event.currentTarget.getBoundingClientRect();
          setCell(
            Math.floor((event.clientY - frame.top) / size) * scene.width +
              Math.floor((event.clientX - frame.left) / size),
          );
        }}
        onPointerLeave={() => setCell(null)}
      />
      <p className="told quiet">{told ?? ' '}</p>
    </div>
  );
}

/** The numbers of one cell in words. */
function cellText(map: LevelMap, row: number, cell: number, width: number, actions: readonly string[]): string | null {
  const s = layerRows(map, row).get(cell);
  if (s === undefined) return null;
  const moves = actions.map((name, a) => `${name} ${percent(map.probs[s * actions.length + a]!)}`).join(', ');
  const where = `Column ${(cell % width) + 1}, row ${Math.floor(cell / width) + 1}`;
  return `${where}: ${moves}; ${map.visits[s]} visits${map.visits[s]! > 0 ? `, mean credit ${signed(map.credit[s]!)}` : ''}.`;
}
