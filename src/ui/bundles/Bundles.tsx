import { useRef, useState } from 'react';
import { hasResultNow } from '../share/resultNow.ts';
import { useOutcome } from '../share/useOutcome.ts';
import { exportReport, exportRun, NOTHING } from './exportBundle.ts';
import { openBundle } from './openBundle.ts';
import './bundles.css';

/** Bundle and report of what is on the screen, and the way in for bundles of others. */
export function Bundles() {
  const [hasAliases, setAliases] = useState(false);
  const [hasParquet, setParquet] = useState(false);
  const [question, setQuestion] = useState('');
  const [hasResult] = useState(hasResultNow);
  const [words, act] = useOutcome();
  const picker = useRef<HTMLInputElement>(null);
  const save = async (done: Promise<string | null>, name: string): Promise<string> =>
    (await done) ?? `The ${name} is saved as a file.`;
  const open = async (file: File): Promise<string> => (await openBundle(file)).sentence;
  return (
    <section className="bundles" aria-label="Files">
      <h3>Bundle and report</h3>
      <p className="quiet">
        A bundle is a zip file with the experiment, all metrics, weights, a sample of trajectories and figures. A report
        is one page to print, with its tables and figures as files.
      </p>
      <label className="check">
        <input type="checkbox" checked={hasAliases} onChange={(event) => setAliases(event.target.checked)} /> Metrics
        also under the names of other stacks (verl)
      </label>
      <label className="check">
        <input type="checkbox" checked={hasParquet} onChange={(event) => setParquet(event.target.checked)} /> Metrics
        also as Parquet
      </label>
      <label className="field">
        Question of the report (optional)
        <input value={question} maxLength={300} onChange={(event) => setQuestion(event.target.value)} />
      </label>
      <p>
        <button
          type="button"
          disabled={!hasResult}
          onClick={() => act(save(exportRun({ hasAliases, hasParquet }), 'bundle'))}
        >
          Save bundle
        </button>
        <button type="button" disabled={!hasResult} onClick={() => act(save(exportReport(question), 'report'))}>
          Save report
        </button>
        <button type="button" onClick={() => picker.current?.click()}>
          Open a bundle …
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".zip,application/zip"
          aria-label="Bundle to open"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) act(open(file));
            target.value = '';
          }}
        />
      </p>
      {!hasResult && <p className="quiet">{NOTHING}</p>}
      <p role="status">{words}</p>
    </section>
  );
}
