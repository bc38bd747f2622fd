import { useCallback, useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select } from '../stores/view.ts';
import { beliefOf, beliefWords, knownOf, learnsAt } from './belief.ts';
import type { Palette } from './palette.ts';
import { StepStrip } from './StepStrip.tsx';
import type { World } from './world.ts';

type Props = { world: World; snapshot: Snapshot; trajectory: number; step: number };

/** Pixels from no belief to certainty, and the same on screen. */
const ROWS = 56;

/** How likely the policy found the true answer before each step, as bars; a step that made it more likely is blue.
 * The line is what could be known by the signs: how far a bar is from it is the error of the policy as a model. */
export function Belief({ world, snapshot, trajectory: i, step }: Props) {
  const p = useMemo(() => beliefOf(snapshot, i), [snapshot, i]);
  const known = useMemo(() => knownOf(world, snapshot, i), [world, snapshot, i]);
  const length = p.length - 1;
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, { quiet, agent, ink }: Palette) => {
      for (let t = 0; t < length; t++) {
        ctx.fillStyle = learnsAt(p, t) ? agent : quiet;
        const high = Math.max(1, Math.round(p[t]! * ROWS));
        ctx.fillRect(t, ROWS - high, 1, high);
        ctx.fillStyle = ink;
        ctx.fillRect(t, ROWS - Math.round(known[t]! * ROWS), 1, 2);
      }
    },
    [p, known, length],
  );
  const t = Math.max(0, Math.min(step, length - 1));
  const text = `${beliefWords(p, known, t)}${learnsAt(p, t) ? ': it learned something' : ''}`;
  return (
    <StepStrip
      {...{ title: 'Belief', name: 'Belief in the true answer', text, paint, length, step: t }}
      rowNames={['certain', 'never']}
      className="beliefnames"
      rows={ROWS}
      height={ROWS}
      choose={(to) => select(i, to)}
    />
  );
}
