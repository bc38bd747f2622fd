import { useState } from 'react';
import { diffText } from '../../config/diff.ts';
import { lengthClass } from '../../config/link.ts';
import { defaultConfig } from '../../config/schema.ts';
import { Modal, ModalText } from '../Modal.tsx';
import { digest } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { copyLink } from './copyLink.ts';
import { linkOf } from './linkOf.ts';

function Body() {
  const config = useDraft((d) => d.config);
  const title = useDraft((d) => d.title);
  const note = useDraft((d) => d.note);
  const [names, setNames] = useState<{ config: string; result: string; update: number } | null>(null);
  const link = linkOf();
  if (names === null) void digest().then(setNames);
  return (
    <>
      <p>
        <strong>What differs from the default:</strong> {diffText(defaultConfig(), config)}
      </p>
      <label className="field">
        Title (optional)
        <input value={title} maxLength={120} onChange={(event) => useDraft.setState({ title: event.target.value })} />
      </label>
      <label className="field">
        Note (optional, plain text)
        <textarea
          value={note}
          maxLength={1000}
          rows={2}
          onChange={(event) => useDraft.setState({ note: event.target.value })}
        />
      </label>
      <label className="field">
        Link
        <textarea readOnly value={link} rows={3} onFocus={(event) => event.target.select()} />
      </label>
      <p className="quiet">
        {link.length} characters: {lengthClass(link.length).text}.
        {names && names.config !== '' && ` Experiment ${names.config}.`}
        {names && names.update > 0 && ` Result after ${names.update} updates: ${names.result.slice(0, 12)}.`}
      </p>
      <button type="button" className="primary" onClick={() => void copyLink()}>
        Copy this link
      </button>
    </>
  );
}

/** The link of the experiment, how far it travels, and what it says. */
export function ShareDialog({ close }: { close: () => void }) {
  return (
    <Modal title="Share this experiment" closeLabel="Close share" close={close}>
      <ModalText>
        Anyone who opens the link sees these settings as a draft; nothing starts by itself. On the CPU path, the result
        is the same on every machine.
      </ModalText>
      <Body />
    </Modal>
  );
}
