import { useMemo, useState } from 'react';
import type { Config } from '../../config/slots.ts';
import { sourceOf } from '../stage/world.ts';
import { useDraft } from '../stores/draft.ts';
import { horizonRows, horizonSentence, keyRows } from './horizonWords.ts';
import { SignsFigure } from './SignsFigure.tsx';
import type { HorizonAnswer } from './horizon.worker.ts';
import { useHorizon } from './useHorizon.ts';
import './horizon.css';

/** How hard the first level of the task is to explore; worked out when somebody opens it. */
export function HorizonCard() {
  const config = useDraft((d) => d.config);
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>How hard is it to explore?</summary>
      {isOpen && <Answer config={config} />}
    </details>
  );
}

function Answer({ config: { task, reward } }: { config: Config }) {
  const source = useMemo(() => sourceOf({ task, reward } as Config, 1), [task, reward]);
  const answer = useHorizon(source);
  return (
    <div className="card horizon" role="status">
      {answer === undefined ? <p className="quiet">The first level is being solved.</p> : <Found {...answer} />}
      <p className="quiet">
        Effective horizon, arXiv 2304.09853. Of the first level, with the reward of the task alone.
      </p>
    </div>
  );
}

function Found({ horizon, keys, signs }: HorizonAnswer) {
  return (
    <>
      {horizon === null && <p>Nothing that is done in the first level changes what is paid within its step limit.</p>}
      {typeof horizon === 'string' && <p>There is no effective horizon of the first level because {horizon}.</p>}
      {horizon !== null && typeof horizon === 'object' && (
        <>
          <p>{horizonSentence(horizon)}</p>
          <Numbers rows={horizonRows(horizon)} />
        </>
      )}
      {keys && (
        <>
          <p>Different states of the level, by the key that says which count as one:</p>
          <Numbers rows={keyRows(keys)} />
        </>
      )}
      {typeof signs === 'string' ? (
        <p className="quiet">How far the sign of an advantage reaches is not known because {signs}.</p>
      ) : (
        <SignsFigure signs={signs} />
      )}
    </>
  );
}

function Numbers({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <table>
      <tbody>
        {rows.map(([name, number]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{number}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
