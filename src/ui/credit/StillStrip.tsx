import { useEffect, useMemo, useRef } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useWidth } from '../stage/useWidth.ts';
import { useIsDark } from '../useTheme.ts';
import { drawStrip } from './draw.ts';
import { stripPixels } from './strips.ts';
import { useLayout } from './useCells.ts';

type Props = { snapshot: Snapshot; limit: number; label: string; ink: string; quiet: string };

const NONE = new Uint32Array();

/** Credit of a batch that is no longer in the worker: only a picture, no step of it can be chosen. */
export function StillStrip({ snapshot, limit, label, ink, quiet }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 400);
  const isDark = useIsDark();
  const { layout, hasSigns } = useLayout(snapshot, 0.6);
  const values = snapshot.A;
  const pixels = useMemo(
    () => stripPixels(snapshot, layout, values, limit, isDark),
    [snapshot, layout, values, limit, isDark],
  );
  useEffect(() => {
    const { length, success, T } = snapshot;
    const frame = { layout, values, limit, isDark, hasSigns, width, ratio, ink, quiet };
    drawStrip(canvas.current!, { pixels, length, success, T, chosen: NONE, ...frame });
  }, [snapshot, pixels, layout, values, limit, isDark, hasSigns, width, ratio, ink, quiet]);
  return (
    <div className="strip" ref={box} style={{ height: layout.height }}>
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  );
}
