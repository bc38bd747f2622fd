import { useId, useState } from 'react';
import { download } from '../download.ts';
import { lab } from '../session.ts';
import { useRun } from '../stores/run.ts';

/** Every metric of every update and seed as one file, on request with the column names of other stacks as well. */
export function ExportCurves() {
  const id = useId();
  const [hasAliases, setAliases] = useState(false);
  const isEmpty = useRun((r) => r.update === 0);
  return (
    <details className="more">
      <summary>
        Export <span className="quiet">all curves as one table</span>
      </summary>
      <label className="inline">
        <input
          type="checkbox"
          aria-describedby={id}
          checked={hasAliases}
          onChange={(event) => setAliases(event.target.checked)}
        />{' '}
        also under the names other libraries use
      </label>
      <p id={id} className="help">
        Adds columns such as actor/entropy and actor/ppo_kl, so that dashboards made for verl can read them.
      </p>
      <button
        type="button"
        disabled={isEmpty}
        onClick={() =>
          void lab()
            .table(hasAliases)
            .then((file) => download('metrics.csv', file))
        }
      >
        Download metrics.csv
      </button>
    </details>
  );
}
