import { useState } from 'react';
import { EMBED_VIEWS, type EmbedView } from '../embed/embedAddress.ts';
import { embedCode } from '../embed/embedCode.ts';
import { linkOf } from './linkOf.ts';
import { copied, useOutcome } from './useOutcome.ts';

const NAMES: Readonly<Record<Exclude<EmbedView, 'lesson'>, string>> = {
  stage: 'The world and its agent',
  charts: 'Curves',
  credit: 'Credit of every step',
  graph: 'Graph of the episodes',
  compare: 'Estimators compared',
};
/** A lesson is embedded from its own page: here an experiment is shared. */
const views = EMBED_VIEWS.filter((view) => view !== 'lesson');

/** HTML that shows one view of the experiment on another page. */
export function EmbedTab() {
  const [view, setView] = useState<(typeof views)[number]>('stage');
  const [isRun, setRun] = useState(false);
  const [words, act] = useOutcome();
  const code = embedCode(view, linkOf(), { run: isRun });
  return (
    <section className="bundles" aria-label="Embed">
      <p className="quiet">
        One view of the experiment in a frame of your page. It trains in the reader’s tab, sends nothing and keeps
        nothing.
      </p>
      <label className="field">
        View
        <select value={view} onChange={({ target }) => setView(views.find((one) => one === target.value) ?? 'stage')}>
          {views.map((one) => (
            <option key={one} value={one}>
              {NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input type="checkbox" checked={isRun} onChange={(event) => setRun(event.target.checked)} /> Train by itself
        when it is in sight, if that takes at most 10 s
      </label>
      <label className="field">
        HTML
        <textarea readOnly value={code} rows={7} onFocus={(event) => event.target.select()} />
      </label>
      <p className="presses">
        <button type="button" className="primary" onClick={() => act(copied(code, 'The HTML'))}>
          Copy HTML
        </button>
        <span role="status">{words}</span>
      </p>
    </section>
  );
}
