import { useMemo } from 'react';
import { bytes, count, duration, short } from '../format.ts';
import { estimateCost } from '../../config/cost.ts';
import { diffText } from '../../config/diff.ts';
import { slots, type Config } from '../../config/slots.ts';
import { useWholeConfig } from '../session.ts';
import { startFrom, useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { SlotGroup } from './SlotGroup.tsx';

/** What the run will take on this device, before it starts. A speed is that of the run in the worker: it counts for its size. */
function CostLine() {
  const config = useDraft((d) => d.config);
  const loaded = useWholeConfig();
  const speed = useRun((r) => r.calibrated?.fullStepsPerSecond ?? r.stepsPerSecond);
  const isOfSize = useMemo(() => loaded !== null && sizesOf(loaded) === sizesOf(config), [loaded, config]);
  const rate = isOfSize ? speed : null;
  const cost = useMemo(() => estimateCost(config, rate), [config, rate]);
  if (!cost) return null;
  return (
    <p className="quiet cost">
      {count(cost.parameters)} parameters · {bytes(cost.bytes)} · up to {count(cost.stepsPerUpdate)} steps per update
      {rate ? ` · about ${short(rate)} of them per second` : ''}
      {cost.seconds !== null && ` · ${duration(cost.seconds)} in all`}
    </p>
  );
}

/** Runs of equal sizes take about equally long. */
function sizesOf(config: Config): string {
  const cost = estimateCost(config, null);
  return `${config.task.method} ${cost?.parameters} ${cost?.bytes} ${cost?.stepsPerUpdate}`;
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
