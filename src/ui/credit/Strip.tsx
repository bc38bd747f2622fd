import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { select } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { moveCell, stripPixels, type Layer } from './strips.ts';

type Props = { snapshot: Snapshot; layer: Layer; limit: number; trajectory: number; step: number; rowHeight: number };

/** Credit of all steps: one row per episode, one cell per step. Pointer or arrow keys choose a step everywhere. */
export function Strip({ snapshot, layer, limit, trajectory: i, step: t, rowHeight }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useIsDark();
  const { B, T } = snapshot;
  useEffect(() => {
    const ctx = canvas.current!.getContext('2d')!;
    ctx.putImageData(new ImageData(stripPixels(snapshot, layer.values, limit, isDark), T, B), 0, 0);
  }, [snapshot, layer, limit, isDark, B, T]);
  const onKey = (event: KeyboardEvent): void => {
    const to = moveCell(snapshot, i, Math.min(t, snapshot.length[i]! - 1), event.key);
    if (!to) return;
    event.preventDefault();
    select(to.i, to.t);
  };
  const shown = Math.min(t, snapshot.length[i]! - 1);
  const now = `${layer.title}: episode ${i + 1}, step ${shown + 1}, credit ${signed(layer.values[i * T + shown]!)}`;
  return (
    <div
      className="strip"
      role="slider"
      tabIndex={0}
      aria-label={`${layer.title}, credit per step; arrow keys move`}
      aria-valuemin={1}
      aria-valuemax={B * T}
      aria-valuenow={i * T + shown + 1}
      aria-valuetext={now}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const row = Math.min(B - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * B)));
        const column = Math.floor(((event.clientX - box.left) / box.width) * T);
        select(row, Math.max(0, Math.min(snapshot.length[row]! - 1, column)));
      }}
    >
      <canvas ref={canvas} width={T} height={B} style={{ height: B * rowHeight }} aria-hidden />
      <span
        className="cursor"
        aria-hidden
        style={{ left: `${(100 * shown) / T}%`, width: `${100 / T}%`, top: `${(100 * i) / B}%`, height: `${100 / B}%` }}
      />
    </div>
  );
}
