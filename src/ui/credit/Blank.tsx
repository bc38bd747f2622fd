import { useMemo, type ReactNode } from 'react';
import { updateNumber } from '../../core/counting.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { newestSnapshot } from '../frames.ts';
import { look } from '../stores/view.ts';
import { useTimeline } from '../timeline/timelineStore.ts';
import { loudestStep, runScale } from './runScale.ts';

/** Shows a kept update of the past, at the step with the largest credit. */
async function goTo(update: number): Promise<void> {
  const { lookAt } = await import('../timeline/story.ts');
  await lookAt(update);
  const batch = newestSnapshot.get();
  if (batch?.update !== update) return;
  const { i, t } = loudestStep(batch);
  look({ trajectory: i, step: t, isFollowing: true });
}

/** How to read the strip; where a batch has no credit to show, one button leads to the update that has most. */
export function Blank({ snapshot, children }: { snapshot: Snapshot | null; children: ReactNode }) {
  const marks = useTimeline((t) => t.marks);
  const past = useTimeline((t) => t.past);
  const scale = runScale();
  const isBlank = useMemo(() => past === null && snapshot !== null && scale.isBlank(snapshot), [past, scale, snapshot]);
  const best = useMemo(
    () =>
      isBlank && snapshot ? scale.mostTelling(marks.map((m) => m.update).filter((u) => u < snapshot.update)) : null,
    [isBlank, scale, marks, snapshot],
  );
  if (!isBlank || !snapshot) return <span className="quiet slimwords">{children}</span>;
  return (
    <>
      <span className="slimblank slimwords">Exact credit is 0 everywhere now</span>
      {best !== null && (
        <button type="button" className="slimmore" onClick={() => void goTo(best)}>
          Go to update {updateNumber(best)}, the most informative
        </button>
      )}
    </>
  );
}
