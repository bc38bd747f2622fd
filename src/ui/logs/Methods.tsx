import { useEffect } from 'react';
import type { Opened } from '../../logs/desk.ts';
import { percent } from '../format.ts';
import { desk } from './desk.ts';
import { noteColumn, useLogs } from './logStore.ts';

/** Strips that are side by side at once. */
const MOST = 6;

/** The estimators of the lab: those that the log allows can be shown, the others say what they lack. */
export function Methods({ opened }: { opened: Opened }) {
  const { chosen, columns } = useLogs();
  const allowed = opened.offered.filter(({ why }) => why === null);
  const others = opened.offered.filter(({ why }) => why !== null);
  useEffect(() => {
    for (const id of chosen)
      if (!columns.has(id))
        void desk()
          .column(id)
          .then(noteColumn, () => undefined);
  }, [chosen, columns]);
  const toggle = (id: string): void =>
    useLogs.setState({ chosen: chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id] });
  return (
    <section aria-label="Estimators">
      <h3>Estimators</h3>
      <div className="logmethods">
        {allowed.map(({ id, title }) => {
          const column = columns.get(id);
          const isOn = chosen.includes(id);
          return (
            <label key={id} className="check">
              <input
                type="checkbox"
                checked={isOn}
                disabled={!isOn && chosen.length >= MOST}
                onChange={() => toggle(id)}
              />{' '}
              {title}
              {isOn && column && (
                <span className="quiet number">
                  {' '}
                  {column.why ?? `▲ ${percent(column.up)} ▼ ${percent(column.down)}`}
                </span>
              )}
            </label>
          );
        })}
      </div>
      {others.length > 0 && (
        <details className="more">
          <summary>{others.length} estimators need what this log does not hold</summary>
          <ul className="logwhy">
            {others.map(({ id, why }) => (
              <li key={id}>{why}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
