import { updateNumber } from '../../core/counting.ts';
import type { Config } from '../../config/slots.ts';
import type { Mark } from '../../worker/protocol.ts';
import { useRun } from '../stores/run.ts';
import { lookAt } from './story.ts';
import { useTimeline } from './timelineStore.ts';
import { allChanges, reasonsOf } from './words.ts';

/** Every kept checkpoint, as a button that leads there. */
export function CheckpointList({ marks }: { marks: readonly Mark[] }) {
  const past = useTimeline((t) => t.past);
  return (
    <ol className="checkpoints" aria-label="Kept checkpoints">
      {marks.map((mark) => (
        <li key={mark.update}>
          <button
            type="button"
            aria-current={past === mark.update ? 'true' : undefined}
            onClick={() => void lookAt(mark.update)}
          >
            <span className="number">{mark.update}</span> {reasonsOf(mark)}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Every change during the run; pointing at one opens its flag on all charts. */
export function ChangeList({ config }: { config: Config }) {
  const stretches = useRun((r) => r.stretches);
  const changes = allChanges(config, stretches);
  if (changes.length === 0) return null;
  const point = (update: number | null) => () => useTimeline.setState({ shownEvent: update });
  return (
    <ol className="changelist" aria-label="Changes during the run">
      {changes.map(({ update, words }) => (
        <li key={`${update} ${words}`}>
          <button
            type="button"
            onFocus={point(update)}
            onBlur={point(null)}
            onPointerEnter={point(update)}
            onPointerLeave={point(null)}
          >
            {`From update ${updateNumber(update)}: ${words}`}
          </button>
        </li>
      ))}
    </ol>
  );
}
