import { bytes, count, duration, short } from '../format.ts';
import { estimateCost } from '../../config/cost.ts';
import { diffText } from '../../config/diff.ts';
import { slots } from '../../config/slots.ts';
import { startFrom, useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { SlotGroup } from './SlotGroup.tsx';

/** What the run will take on this device, before it starts. */
function CostLine() {
  const config = useDraft((d) => d.config);
  const calibrated = useRun((r) => r.calibrated);
  const stepsPerSecond = useRun((r) => r.stepsPerSecond ?? r.calibrated?.stepsPerSecond);
  const cost = estimateCost(config, calibrated?.fullStepsPerSecond ?? stepsPerSecond ?? null);
  if (!cost) return null;
  return (
    <p className="quiet cost">
      {count(cost.parameters)} parameters · {bytes(cost.bytes)} · up to {count(cost.stepsPerUpdate)} steps per update
      {stepsPerSecond ? ` · about ${short(stepsPerSecond)} steps per second` : ''}
      {cost.seconds !== null && ` · ${duration(cost.seconds)} in all`}
    </p>
  );
}

/** The experiment, slot by slot; everything here is derived from the schema. */
export function Form() {
  const base = useDraft((d) => d.base);
  const baseTitle = useDraft((d) => d.baseTitle);
  const config = useDraft((d) => d.config);
  const changes = diffText(base, config);
  return (
    <form className="form" onSubmit={(event) => event.preventDefault()}>
      <div className="formhead">
        <h2>Setup</h2>
        {changes !== 'no change' && (
          <button type="button" onClick={() => startFrom(base, baseTitle)}>
            Undo all changes
          </button>
        )}
      </div>
      <p className="quiet changes">
        {baseTitle}: {changes}
      </p>
      {slots.map((slot) => (
        <SlotGroup key={slot.id} slot={slot} />
      ))}
      <CostLine />
    </form>
  );
}
