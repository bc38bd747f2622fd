import { TriangleAlert, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { leaveTo, RUN_BUTTON } from '../focus.ts';
import { useRun } from '../stores/run.ts';
import { useTimeline } from '../timeline/timelineStore.ts';
import { actionOf, type Action } from './actions.ts';
import './health.css';
import { putAway, rowsOf, useHealth, whenOf, type HealthRow } from './healthStore.ts';

/** The question takes the place of the button that had the focus, and gives it back. */
const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** The button of an action, which asks first where something would be lost. */
function Act({ action, tell }: { readonly action: Action; readonly tell: (answer: string) => void }) {
  const [isAsking, setAsking] = useState(false);
  const [hasStayed, stay] = useState(false);
  const act = (): void => {
    setAsking(false);
    void action.act().then(tell);
  };
  if (isAsking) {
    return (
      <span className="alarmask" role="group" aria-label="Are you sure?">
        <span>{action.ask}</span>
        <button type="button" className="primary" onClick={act} ref={focus}>
          Go back
        </button>
        <button
          type="button"
          onClick={() => {
            setAsking(false);
            stay(true);
          }}
        >
          Stay
        </button>
      </span>
    );
  }
  return (
    <button
      type="button"
      ref={hasStayed ? focus : undefined}
      onClick={() => (action.ask === null ? act() : setAsking(true))}
    >
      {action.label}
    </button>
  );
}

function Row({ alarm, times, children }: HealthRow & { readonly children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [answer, setAnswer] = useState('');
  const isOver = alarm.until !== null;
  const marks = useTimeline((t) => t.marks);
  const update = useRun((r) => r.update);
  const action = actionOf(alarm, marks, update);
  const more = `more-${alarm.id}`;
  return (
    <li className={`alarm${isOver ? ' over' : ''}${isOpen ? '' : ' shut'}`} data-condition={alarm.id}>
      <TriangleAlert aria-hidden size={16} className="alarmicon" />
      <div className="alarmtext">
        <p>
          <strong>{alarm.title}.</strong> {alarm.evidence}{' '}
          <span className="quiet">
            {whenOf(alarm)}
            {times > 1 && ` Raised ${times} times in this run.`}
          </span>
        </p>
        <p className="alarmcause">Likely cause: {alarm.cause}</p>
        {answer !== '' && <p role="status">{answer}</p>}
        <div id={more} hidden={!isOpen}>
          <p className="alarmdoc">{alarm.doc}</p>
        </div>
      </div>
      <div className="alarmbuttons">
        {action && <Act action={action} tell={setAnswer} />}
        {children}
        <button type="button" aria-expanded={isOpen} aria-controls={more} onClick={() => setOpen(!isOpen)}>
          What this means<span className="visually-hidden">: {alarm.title}</span>
        </button>
        <button
          type="button"
          className="icon"
          aria-label={`Close: ${alarm.title}`}
          onClick={() => leaveTo(() => putAway(alarm.key), '.alarmbuttons button', RUN_BUTTON)}
        >
          <X aria-hidden size={16} />
        </button>
      </div>
    </li>
  );
}

/**
 * What the health monitor has found, in words: the condition, its numbers, the likely cause, one thing to do. What began
 * first is shown, being most likely the cause of the rest; the rest waits behind a button.
 */
export function HealthStrip() {
  const [isLong, setLong] = useState(false);
  const rows = rowsOf(useHealth());
  if (rows.length === 0) return null;
  const others = rows.length - 1;
  return (
    <section className="health" aria-label="Health of the run">
      <ul>
        {rows.slice(0, isLong ? rows.length : 1).map((row, k) => (
          <Row key={row.alarm.key} {...row}>
            {k === 0 && others > 0 && (
              <button type="button" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
                {isLong ? 'Show the first alarm only' : `${others} more ${others === 1 ? 'alarm' : 'alarms'}`}
              </button>
            )}
          </Row>
        ))}
      </ul>
    </section>
  );
}
