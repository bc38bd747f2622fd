import { useEffect, useRef } from 'react';
import type { Opened } from '../../logs/desk.ts';
import { count, percent } from '../format.ts';
import { download } from '../download.ts';
import { part } from '../Part.tsx';
import { desk, endDesk } from './desk.ts';
import { DisputePanel } from './DisputePanel.tsx';
import { Intro } from './Intro.tsx';
import { LogStrips } from './LogStrips.tsx';
import { forget, readAgain, useLogs } from './logStore.ts';
import { Methods } from './Methods.tsx';
import { MetPanel } from './MetPanel.tsx';
import { ReadForm } from './ReadForm.tsx';
import { StepPanel } from './StepPanel.tsx';
import { TaskGraph } from './TaskGraph.tsx';
// what is dropped here is taken from the first moment on
import './logs.css';

const Lesson = part(() => import('./Lesson.tsx').then((m) => m.Lesson));

/** Credit for the logs of your own agents. */
export function TrajectoriesPage() {
  const { state, title } = useLogs();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main className="runspage logspage" data-state={state}>
      <div className="runstop">
        <h2 ref={heading} tabIndex={-1}>
          Your trajectories
        </h2>
        <span className="quiet">{title.slice(0, 120)}</span>
        {state !== 'empty' && (
          <button type="button" onClick={forget}>
            Close this log
          </button>
        )}
        <a href="#/lab">Back to the lab</a>
      </div>
      {state === 'empty' && <Intro />}
      {state === 'reading' && <Progress />}
      {state === 'refused' && <Refusal />}
      {state === 'open' && <Shown />}
    </main>
  );
}

function Progress() {
  const steps = useLogs((l) => l.steps);
  const stop = (): void => {
    endDesk();
    forget();
  };
  return (
    <p role="status">
      Reading the log{steps > 0 ? `: ${count(steps)} steps so far` : ''}.{' '}
      <button type="button" onClick={stop}>
        Stop
      </button>
    </p>
  );
}

/** Why the log was not read, with what can be done about it. */
function Refusal() {
  const refused = useLogs((l) => l.refused)!;
  const { found, sentence, canLeaveOut } = refused;
  return (
    <section aria-label="The log was not read">
      <p className="notice serious" role="alert">
        {sentence}
      </p>
      {canLeaveOut && (
        <p>
          <button type="button" onClick={() => void readAgain({ leavesOutBad: true })}>
            Leave these lines out
          </button>
        </p>
      )}
      {found && found.bad.first.length > 1 && (
        <details className="more">
          <summary>The first {found.bad.first.length} of them</summary>
          <ul className="logwhy">
            {found.bad.first.map(({ file, line, why }) => (
              <li key={`${file} ${line}`}>
                {file.slice(0, 80)}, line {line}: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      <ReadForm key={sentence} found={found} />
    </section>
  );
}

/** What is to be known first: how many succeeded, what can be compared, and what cannot teach anything. */
function headline({ successes, episodes, anchors, silent }: Opened): string {
  const parts = [`${percent(successes / Math.max(1, episodes))} of the episodes succeeded.`];
  if (anchors)
    parts.push(
      `${percent(anchors.stepsShared / Math.max(1, anchors.steps))} of the steps can be compared with another episode in the same state.`,
    );
  if (silent.all.length > 0)
    parts.push(
      `${count(silent.all.length)} of ${count(silent.tasks)} tasks ${silent.all.length === 1 ? 'teaches' : 'teach'} nothing: outcomes do not differ there.`,
    );
  return parts.join(' ');
}

function Shown() {
  const { opened, chosen, title } = useLogs();
  if (!opened) return null;
  const { found, notes } = opened;
  const save = async (): Promise<void> => download('credit.csv', await desk().csv(chosen));
  return (
    <>
      <section aria-label="The log">
        <p className="sees">
          {found.sentence} {headline(opened)}
        </p>
        {[...found.notes, ...notes].length > 0 && (
          <ul className="lognotes">
            {[...found.notes, ...notes].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <details className="more">
          <summary>How the log is read</summary>
          <ReadForm found={found} />
        </details>
      </section>
      {title === 'Example: An agent in a house' && <Lesson />}
      <Methods opened={opened} />
      <LogStrips opened={opened} />
      <p>
        <button type="button" onClick={() => void save()}>
          Save credit as CSV
        </button>
      </p>
      <div className="logpanels">
        <StepPanel opened={opened} />
        <MetPanel opened={opened} />
      </div>
      <TaskGraph opened={opened} />
      <DisputePanel opened={opened} />
    </>
  );
}
