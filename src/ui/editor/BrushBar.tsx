import { useEffect, useRef } from 'react';
import { PALETTES } from '../stage/palette.ts';
import { render } from '../stage/render.ts';
import { useIsDark } from '../useTheme.ts';
import type { BoardKind, Brush } from '../../envs/editor.ts';

const SIDE = 26;

/** What the brush paints, as it looks on the map. */
function Swatch({ brush }: { brush: Brush }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useIsDark();
  useEffect(() => {
    const scene = {
      width: 1,
      height: 1,
      cells: [brush.cell],
      holding: [],
      agent: { cell: 0, direction: brush.agent?.direction ?? null },
    };
    const hasAgent = brush.agent !== undefined;
    const ratio = devicePixelRatio || 1;
    const picture = { scene, cells: null, overlay: 'policy', limit: 1, hasAgent, trail: [], path: [], isDark } as const;
    render(canvas.current!, picture, Math.round(SIDE * ratio), ratio);
  }, [brush, isDark]);
  const { grid } = PALETTES[isDark ? 'dark' : 'light'];
  return <canvas ref={canvas} aria-hidden style={{ width: SIDE, height: SIDE, boxShadow: `0 0 0 1px ${grid}` }} />;
}

/** The brushes with their names and keys; one is chosen. */
export function BrushBar({ kind, char, choose }: { kind: BoardKind; char: string; choose: (char: string) => void }) {
  return (
    <div className="brushes" role="group" aria-label="Brushes">
      {kind.brushes
        .filter((brush) => brush.isRare !== true)
        .map((brush) => (
          <button key={brush.char} type="button" aria-pressed={brush.char === char} onClick={() => choose(brush.char)}>
            <Swatch brush={brush} />
            <span>{brush.name}</span>
            <kbd aria-hidden>{brush.char === ' ' ? '␣' : brush.char}</kbd>
          </button>
        ))}
    </div>
  );
}
