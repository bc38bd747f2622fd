import { ExternalLink } from 'lucide-react';
import { useId, useState, type MouseEvent } from 'react';
import { linkOf } from '../share/linkOf.ts';
import { useDraft } from '../stores/draft.ts';
import { useEmbed } from './embedStore.ts';

/** A lesson opens as one, everything else with what is shown. */
function addressNow(): string {
  const { view, options } = useEmbed.getState();
  if (view !== 'lesson' || !options.lesson) return linkOf();
  return `${location.origin}${location.pathname}#/lesson/${encodeURIComponent(options.lesson)}`;
}

/** Leads to the lab with everything as it is here: experiment, update, step. A sandbox may forbid it; then the address is shown. */
export function OpenInLab() {
  const [blocked, setBlocked] = useState<string | null>(null);
  // the address is made when it is about to be used; another experiment is another one at once
  useDraft((d) => d.config);
  const id = useId();
  const refresh = ({ currentTarget }: { currentTarget: HTMLAnchorElement }): void =>
    void (currentTarget.href = addressNow());
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    refresh(event);
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    const opened = window.open(href, '_blank');
    setBlocked(opened ? null : href);
    // the lab does not reach back into this page
    if (opened) opened.opener = null;
  };
  return (
    <>
      <a
        className="embedopen"
        href={addressNow()}
        target="_blank"
        rel="noopener"
        onPointerEnter={refresh}
        onFocus={refresh}
        onClick={open}
      >
        Open in the lab <ExternalLink aria-hidden size={14} />
      </a>
      {blocked !== null && (
        <p className="embednote" role="alert">
          <label htmlFor={id}>This frame may not open pages. Copy the address of what you see:</label>{' '}
          <input id={id} type="text" readOnly value={blocked} onFocus={(event) => event.target.select()} />
        </p>
      )}
    </>
  );
}
