import { useEffect, useRef } from 'react';
import { diffText } from '../../config/diff.ts';
import { errorsOf, useDraft } from '../stores/draft.ts';
import { cancelFork, startFork } from './story.ts';
import { useTimeline } from './timelineStore.ts';

/** Shown while the form is that of a fork: what will be different, and the two ways out. */
export function ForkStrip() {
  const fork = useDraft((d) => d.fork);
  const config = useDraft((d) => d.config);
  const errors = useDraft((d) => errorsOf(d.issues).length);
  const why = useTimeline((t) => t.why);
  const here = useRef<HTMLDivElement>(null);
  // whoever asked for a fork far down the page finds its form and its buttons at the top
  useEffect(() => {
    here.current?.focus();
    return () => document.querySelector<HTMLElement>('.runbar .primary')?.focus();
  }, []);
  if (!fork) return null;
  const changes = diffText(fork.base, config);
  const isSame = changes === 'no change';
  return (
    <div className="linkstrip" role="region" aria-label="Fork" tabIndex={-1} ref={here}>
      <p>
        <strong>Fork after update {fork.at}</strong> · {isSame ? 'change settings in Setup, then make it' : changes}
      </p>
      <p className="quiet">
        It replaces the run, keeps the curves up to update {fork.at} and waits there for Resume. A changed optimizer
        starts with empty moments.
      </p>
      {errors > 0 && (
        <p role="status">{errors === 1 ? 'One setting is' : `${errors} settings are`} not valid: see Setup.</p>
      )}
      {why !== '' && <p role="alert">{why}</p>}
      <button type="button" className="primary" disabled={isSame || errors > 0} onClick={() => void startFork()}>
        Make the fork
      </button>
      <button type="button" onClick={cancelFork}>
        Cancel the fork
      </button>
    </div>
  );
}
