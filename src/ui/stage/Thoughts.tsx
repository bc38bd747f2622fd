import { useCallback, useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select } from '../stores/view.ts';
import type { Palette } from './palette.ts';
import { StepStrip } from './StepStrip.tsx';
import { laneOf, LANES, thoughtsOf, thoughtWords } from './thoughts.ts';
import type { World } from './world.ts';

type Props = { world: World; snapshot: Snapshot; trajectory: number; step: number };

/** Height of a lane in CSS pixels: that of its name. */
const LANE = 14;

/** What each step of the episode was for, in a lane of its own for each tag; a refused step is in the last one. */
export function Thoughts({ world, snapshot, trajectory: i, step }: Props) {
  const thoughts = useMemo(() => thoughtsOf(world, snapshot, i), [world, snapshot, i]);
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, { ink, agent }: Palette) =>
      thoughts.forEach((thought, k) => {
        const lane = laneOf(thought);
        ctx.fillStyle = thought.isRefused ? agent : ink;
        if (lane >= 0) ctx.fillRect(k, lane, 1, 1);
      }),
    [thoughts],
  );
  const t = Math.max(0, Math.min(step, thoughts.length - 1));
  const text = thoughtWords(t, thoughts[t]!);
  return (
    <StepStrip
      {...{ title: 'Thoughts', name: 'Thoughts', text, paint, length: thoughts.length, step: t }}
      rowNames={LANES}
      rows={LANES.length}
      height={LANE * LANES.length}
      choose={(to) => select(i, to)}
    />
  );
}
