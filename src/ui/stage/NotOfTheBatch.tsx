import { select } from '../stores/view.ts';
import { batchOf } from './beside.ts';
import { showBatch, shownNow } from './shown.ts';

/** Stands where a view knows episodes of a batch alone, while one that trained beside it is on the stage. */
export function NotOfTheBatch({ what }: { what: string }) {
  const back = (): void => {
    const shown = shownNow();
    select(0, 0);
    if (shown) showBatch(batchOf(shown));
  };
  return (
    <p className="sees">
      The episode on the stage trained beside the batch. {what} knows episodes of the batch alone.{' '}
      <button type="button" onClick={back}>
        Back to the batch
      </button>
    </p>
  );
}
