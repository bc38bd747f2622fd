import { useEffect, useMemo, useRef, type PointerEvent } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { CellGrid } from './CellGrid.tsx';
import { PALETTES } from './palette.ts';
import { laneOf, LANES, thoughtsOf, thoughtWords, type Thought } from './thoughts.ts';
import { useWidth } from './useWidth.ts';
import type { World } from './world.ts';

type Props = { world: World; snapshot: Snapshot; trajectory: number; step: number };

/** Height of a lane in CSS pixels: that of its name. */
const LANE = 14;

/** What each step of the episode was for, in a lane of its own for each tag; a refused step is in the last one. */
export function Thoughts({ world, snapshot, trajectory: i, step }: Props) {
  const thoughts = useMemo(() => thoughtsOf(world, snapshot, i), [world, snapshot, i]);
  const t = Math.max(0, Math.min(step, thoughts.length - 1));
  return (
    <div className="slim" role="group" aria-label="Thoughts of this episode">
      <div className="slimhead">
        <span>Thoughts</span>
        <span className="slimwords">{thoughtWords(t, thoughts[t]!)}</span>
      </div>
      <div className="slimrows">
        <span className="slimnames" aria-hidden>
          {LANES.map((lane) => (
            <span key={lane}>{lane}</span>
          ))}
        </span>
        <Lanes thoughts={thoughts} t={t} choose={(to) => select(i, to)} />
      </div>
    </div>
  );
}

type LanesProps = { thoughts: readonly Thought[]; t: number; choose: (step: number) => void };

function Lanes({ thoughts, t, choose }: LanesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width } = useWidth(box, 400);
  const isDark = useIsDark();
  const { length } = thoughts;
  const height = LANE * LANES.length;
  useEffect(() => {
    const picture = canvas.current!;
    picture.width = length;
    picture.height = LANES.length;
    const ctx = picture.getContext('2d')!;
    const { ink, agent } = PALETTES[isDark ? 'dark' : 'light'];
    thoughts.forEach((thought, k) => {
      const lane = laneOf(thought);
      ctx.fillStyle = thought.isRefused ? agent : ink;
      if (lane >= 0) ctx.fillRect(k, lane, 1, 1);
    });
  }, [thoughts, length, isDark]);
  const cell = width / length;
  const under = (event: PointerEvent<HTMLDivElement>): number => {
    const frame = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(length - 1, Math.floor(((event.clientX - frame.left) / frame.width) * length)));
  };
  return (
    <div className="slimcells" ref={box} style={{ height }}>
      <canvas ref={canvas} role="img" aria-label="One lane for each thought, one column per step" />
      <CellGrid
        label="Thoughts of this episode, step by step; arrow keys move"
        rows={1}
        columns={length}
        row={0}
        column={t}
        text={thoughtWords(t, thoughts[t]!)}
        isShown
        frame={{ transform: `translateX(${t * cell}px)`, width: cell, height }}
        onMove={(key) => {
          const to = { ArrowLeft: t - 1, ArrowRight: t + 1, Home: 0, End: length - 1 }[key];
          if (to !== undefined) choose(Math.max(0, Math.min(length - 1, to)));
          return to !== undefined;
        }}
        onHover={() => undefined}
        onLeave={() => undefined}
        onPoint={(event) => choose(under(event))}
      />
    </div>
  );
}
