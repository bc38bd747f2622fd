import { useCallback, useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select } from '../stores/view.ts';
import { aimsIn, aimSentence, followedIn } from './aims.ts';
import type { Palette } from './palette.ts';
import { RoleCredit } from './RoleCredit.tsx';
import { StepStrip } from './StepStrip.tsx';
import type { World } from './world.ts';

type Props = { world: World; snapshot: Snapshot; trajectory: number; step: number };

/** Which subgoal is followed: a lane for each, with a mark where the policy decides about it, and green where it holds. */
export function Aims({ world, snapshot, trajectory: i, step }: Props) {
  const steps = useMemo(() => aimsIn(world, snapshot, i), [world, snapshot, i]);
  const names = useMemo(() => world.env.aiming!.names(world.level), [world]);
  const lanes = useMemo(() => followedIn(steps), [steps]);
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, { ink, quiet, goal }: Palette) =>
      steps.forEach(({ decides, follows, holds }, t) => {
        if (follows >= 0) {
          ctx.fillStyle = holds ? goal : quiet;
          ctx.fillRect(t, 1 + lanes.indexOf(follows), 1, 1);
        }
        ctx.fillStyle = ink;
        if (decides !== 'action') ctx.fillRect(t, 0, 1, 1);
      }),
    [steps, lanes],
  );
  const t = Math.max(0, Math.min(step, steps.length - 1));
  const rowNames = ['decides', ...lanes.map((g) => names[g]!)];
  return (
    <>
      <StepStrip
        {...{ title: 'Subgoals', name: 'Subgoals of the policy', text: aimSentence(t, steps, names), paint, step: t }}
        length={steps.length}
        rows={rowNames.length}
        height={14 * rowNames.length}
        rowNames={rowNames}
        choose={(to) => select(i, to)}
      />
      {steps.length > 0 && <RoleCredit snapshot={snapshot} steps={steps} trajectory={i} step={step} />}
    </>
  );
}
