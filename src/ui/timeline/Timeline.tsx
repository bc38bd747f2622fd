import { updateNumber } from '../../core/counting.ts';
import { ChevronLeft, ChevronRight, GitFork, History, Undo2 } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { parentOf } from '../../config/fork.ts';
import { leaveTo, unless } from '../focus.ts';
import { useWholeConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { ChangeList, CheckpointList } from './Lists.tsx';
import { Origin } from './Origin.tsx';
import { RewindDialog } from './RewindDialog.tsx';
import { backToNow, beginFork, lookAt, move } from './story.ts';
import './timeline.css';
import { useTimeline } from './timelineStore.ts';
import { Track } from './Track.tsx';
import { allChanges, nearestMark, reasonsOf } from './words.ts';

/** What can be done from the update that is looked at. */
function Actions({ past, askRewind }: { past: number; askRewind: () => void }) {
  const update = useRun((r) => r.update);
  const isBusy = useTimeline((t) => t.isBusy);
  return (
    <div className="row timelineactions">
      <button type="button" className="primary" onClick={() => leaveTo(backToNow, '.timeline input')}>
        <Undo2 aria-hidden size={16} /> Back to now
      </button>
      <button type="button" {...unless(isBusy || past >= update, askRewind)}>
        <History aria-hidden size={16} /> Continue from here
      </button>
      <button type="button" {...unless(isBusy || past === 0, beginFork)}>
        <GitFork aria-hidden size={16} /> Fork with a change
      </button>
      {past === 0 && <p className="quiet">A fork of the start is a new experiment: change Setup and press Reset.</p>}
    </div>
  );
}

/** Checkpoints of the run: scrub through them, continue from one, or fork it. The run itself stands still or continues. */
export function Timeline() {
  const id = useId();
  const config = useWholeConfig();
  const { marks, past, why } = useTimeline();
  const update = useRun((r) => r.update);
  const updates = useRun((r) => r.updates);
  const stretches = useRun((r) => r.stretches);
  const replica = useView((v) => v.replica);
  const [asked, setAsked] = useState<number | null>(null);
  useEffect(() => {
    // another seed is looked at: the worker plays that one again
    const { past: shown } = useTimeline.getState();
    if (shown !== null) void lookAt(shown);
  }, [replica]);
  if (!config || update === 0) return null;
  const at = past === null ? marks.length : marks.findIndex((m) => m.update === past);
  const mark = past === null ? undefined : marks[at];
  const words = mark ? `after update ${mark.update}, ${reasonsOf(mark)}` : `now, after update ${update}`;
  const changes = allChanges(config, stretches);
  const goNear = (to: number): void => {
    const near = nearestMark(marks, update, to);
    if (near === null) backToNow();
    else if (near !== past) void lookAt(near);
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = ({ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 } as const)[event.key];
    if (event.shiftKey || (by === undefined && event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    if (by !== undefined) move(by);
    else goNear(event.key === 'Home' ? 0 : Infinity);
  };
  return (
    <section className="timeline" aria-label="Timeline">
      <div className="panelhead">
        <h2>Timeline</h2>
        <label htmlFor={id} className="visually-hidden">
          Checkpoint
        </label>
        <button type="button" className="icon" aria-label="Previous checkpoint" {...unless(at <= 0, () => move(-1))}>
          <ChevronLeft aria-hidden size={18} />
        </button>
        <div className="scrub">
          <Track {...{ marks, changes, update, updates, past }} forkedAt={parentOf(config)?.at ?? 0} />
          <input
            id={id}
            type="range"
            min={0}
            max={updates}
            value={past ?? update}
            aria-valuetext={words}
            onKeyDown={onKey}
            onChange={(event) => goNear(Number(event.target.value))}
          />
        </div>
        <button type="button" className="icon" aria-label="Next checkpoint" {...unless(past === null, () => move(1))}>
          <ChevronRight aria-hidden size={18} />
        </button>
        <span className="quiet timelinewords" title={words}>
          {words}
        </span>
        <details>
          <summary>
            {marks.length === 1 ? '1 checkpoint' : `${marks.length} checkpoints`}
            {changes.length > 0 && `, ${changes.length === 1 ? '1 change' : `${changes.length} changes`}`}
          </summary>
          <ChangeList config={config} />
          <CheckpointList marks={marks} />
        </details>
      </div>
      <div role="status" className={past === null ? '' : 'pastbanner'}>
        {past !== null &&
          `You are looking at update ${updateNumber(past)} of ${updates}: the policy after update ${past} plays its batch. The run itself has reached update ${update}.`}
      </div>
      {past !== null && <Actions past={past} askRewind={() => setAsked(past)} />}
      {why !== '' && (
        <p className="issue error" role="alert">
          {why}
        </p>
      )}
      <Origin config={config} />
      {asked !== null && <RewindDialog config={config} from={asked} to={update} close={() => setAsked(null)} />}
    </section>
  );
}
