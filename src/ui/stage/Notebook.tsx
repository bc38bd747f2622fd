import { useCallback, useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select } from '../stores/view.ts';
import { noteSentence, notesWords, writtenIn } from './notebook.ts';
import type { Palette } from './palette.ts';
import { StepStrip } from './StepStrip.tsx';
import type { World } from './world.ts';

type Props = { world: World; snapshot: Snapshot; trajectory: number; step: number };

/** Height of a lane in CSS pixels: that of its name, or less where there are many. */
const heightOf = (lanes: number): number => lanes * (lanes > 6 ? 9 : 14);

/** What the policy writes to itself: a lane for each symbol, dark where it is written, light while it is in the note. */
export function Notebook({ world, snapshot, trajectory: i, step }: Props) {
  const steps = useMemo(() => writtenIn(world, snapshot, i), [world, snapshot, i]);
  const first = world.env.notebook!.first(world.level);
  const letters = useMemo(() => snapshot.actions.slice(first).map((name) => name.slice(-1)), [snapshot, first]);
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, { ink, quiet }: Palette) =>
      steps.forEach(({ note, draft, writes }, t) => {
        ctx.fillStyle = quiet;
        for (const letter of note + draft) ctx.fillRect(t, letters.indexOf(letter), 1, 1);
        ctx.fillStyle = ink;
        if (writes !== null) ctx.fillRect(t, letters.indexOf(writes.slice(-1)), 1, 1);
      }),
    [steps, letters],
  );
  const t = Math.max(0, Math.min(step, steps.length - 1));
  return (
    <>
      <StepStrip
        {...{ title: 'Notes', name: 'Notes to itself', text: noteSentence(t, steps), paint, step: t }}
        length={steps.length}
        rows={letters.length}
        height={heightOf(letters.length)}
        rowNames={letters}
        choose={(to) => select(i, to)}
      />
      <p className="quiet">{notesWords(steps)}</p>
    </>
  );
}
