import { useCallback, useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select } from '../stores/view.ts';
import { storeIn, storeSentence } from './notebook.ts';
import type { Palette } from './palette.ts';
import { StepStrip } from './StepStrip.tsx';
import type { World } from './world.ts';

type Props = { world: World; snapshot: Snapshot; trajectory: number; step: number };

/** What the policy keeps: a lane for each slot, light while it is filled, dark where it is written, colored where it is read. */
export function Store({ world, snapshot, trajectory: i, step }: Props) {
  const steps = useMemo(() => storeIn(world, snapshot, i), [world, snapshot, i]);
  const slots = steps[0]?.filled.length ?? 0;
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, { ink, quiet, agent }: Palette) =>
      steps.forEach(({ filled, writes, reads }, t) =>
        filled.forEach((isFilled, k) => {
          const color = writes === k ? ink : reads === k ? agent : isFilled ? quiet : null;
          if (color === null) return;
          ctx.fillStyle = color;
          ctx.fillRect(t, k, 1, 1);
        }),
      ),
    [steps],
  );
  if (slots === 0) return null;
  const t = Math.max(0, Math.min(step, steps.length - 1));
  return (
    <StepStrip
      {...{ title: 'Store', name: 'Store of observations', text: storeSentence(t, steps), paint, step: t }}
      length={steps.length}
      rows={slots}
      height={slots * 14}
      rowNames={Array.from({ length: slots }, (_, k) => `slot ${k + 1}`)}
      choose={(to) => select(i, to)}
    />
  );
}
