import { useEffect, useState } from 'react';
import { diffText } from '../../config/diff.ts';
import { packExpect, summaryText, type Expect } from '../../config/expect.ts';
import { lengthClass } from '../../config/link.ts';
import { defaultConfig } from '../../config/schema.ts';
import { claimOf, foreignWords } from '../../lab/runs/foreign.ts';
import { nullIfGone } from '../owed.ts';
import { part } from '../Part.tsx';
import { lab } from '../session.ts';
import { note as log } from '../stores/run.ts';
import { useDraft } from '../stores/draft.ts';
import { linkNow, linkOf } from './linkOf.ts';
import { foreignNow, resultNow, type ResultNow } from './resultNow.ts';
import { copied, useOutcome } from './useOutcome.ts';
import { Verify } from './Verify.tsx';

const QrCode = part(
  () => import('./QrCode.tsx').then((m) => m.QrCode),
  <p className="quiet">The QR code is loading.</p>,
);

/** The result that the link carries, and how anyone checks it. */
function CarriedResult({ expect, act }: { expect: Expect; act: (doing: Promise<string>) => void }) {
  return (
    <section className="carried" aria-label="Result in the link">
      <h3>The link carries the result</h3>
      <p className="quiet">
        Anyone who opens it can press Verify: their browser trains the experiment again and says whether the result is
        identical.
      </p>
      <p className="digest">
        <span>
          Exact: <code>{expect.exact}</code>. Summary: {summaryText(expect.summary)}.
        </span>
        <button type="button" onClick={() => act(copied(packExpect(expect), 'The digest'))}>
          Copy digest
        </button>
      </p>
    </section>
  );
}

/** Title, note, the link with its length and class, its QR code, and the result that it carries. */
export function LinkTab({ toFiles }: { toFiles: () => void }) {
  const config = useDraft((d) => d.config);
  const title = useDraft((d) => d.title);
  const note = useDraft((d) => d.note);
  const [names, setNames] = useState<{ config: string; result: string; update: number } | null>(null);
  const [result, setResult] = useState<ResultNow | null>(null);
  const [foreign, setForeign] = useState(0);
  const [words, act] = useOutcome();
  const expect = result && claimOf(result);
  const link = linkOf(expect, undefined, foreign === 0);
  const { id, text } = lengthClass(link.length);
  useEffect(() => {
    void lab().digest().then(setNames).catch(nullIfGone);
    void resultNow().then(setResult);
    void foreignNow().then(setForeign);
  }, []);
  const copy = async (): Promise<string> => {
    const sentence = await copied(
      linkNow().then((made) => made.link),
      'The link',
    );
    log('link copied');
    return sentence;
  };
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
        {link.length.toLocaleString('en-US')} characters: {text}.
        {names && names.config !== '' && ` Experiment ${names.config}.`}
        {names && names.update > 0 && ` Result after ${names.update} updates: ${names.result.slice(0, 12)}.`}
      </p>
      <p className="presses">
        <button type="button" className="primary" onClick={() => act(copy())}>
          Copy this link
        </button>
        {id === 'tooLong' && (
          <button type="button" onClick={toFiles}>
            Share a bundle instead
          </button>
        )}
        <span role="status">{words}</span>
      </p>
      {foreign > 0 && <p className="issue">{foreignWords(foreign)}</p>}
      <QrCode link={link} />
      {expect && <CarriedResult expect={expect} act={act} />}
      <Verify />
    </>
  );
}
