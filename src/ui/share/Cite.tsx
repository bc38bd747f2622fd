import { useEffect, useState } from 'react';
import { configDigest } from '../../config/digest.ts';
import { bibtexOf, bibtexParts, citationCff, papersOf, type Cited } from '../../lab/cite/cite.ts';
import { download } from '../download.ts';
import { useDraft } from '../stores/draft.ts';
import { linkNow } from './linkOf.ts';
import { resultNow } from './resultNow.ts';
import { copied, useOutcome } from './useOutcome.ts';

/** What is cited: the experiment on the screen, with its result where there is one. */
async function citedNow(): Promise<Cited> {
  const { config, title } = useDraft.getState();
  const [result, { link, told }, name] = [await resultNow(), await linkNow(), await configDigest(config)];
  return { config, title, name, link, result: result?.names.result ?? null, caution: told, at: Date.now() };
}

/** The papers in words, as the records of the methods name them. */
function Papers({ cited }: { cited: Cited }) {
  const papers = papersOf(cited.config);
  if (papers.length === 0) return <p className="quiet">None of the chosen methods names a paper.</p>;
  return (
    <ul>
      {papers.map(({ title, arxiv }) => (
        <li key={arxiv ?? title}>
          {title}
          {arxiv && <span className="quiet"> arXiv:{arxiv}</span>}
        </li>
      ))}
    </ul>
  );
}

const PARTS = [
  { id: 'lab', title: 'The lab', name: 'The BibTeX of the lab' },
  { id: 'experiment', title: 'This experiment', name: 'The BibTeX of the experiment' },
  { id: 'papers', title: 'The papers of its methods', name: 'The BibTeX of the papers' },
] as const;

/** How to cite the lab, the experiment on the screen, and the papers of the methods that are chosen in it. */
export function Cite() {
  const [cited, setCited] = useState<Cited | null>(null);
  const [words, act] = useOutcome();
  useEffect(() => void citedNow().then(setCited), []);
  if (!cited) return <p className="quiet">The citation is being written.</p>;
  const parts = bibtexParts(cited);
  return (
    <section className="cite" aria-label="Citation">
      <p className="quiet">
        Please cite the papers of the methods, too. Their authors are not listed here; the page of each paper on arXiv
        names them.
      </p>
      <p className="presses">
        <button type="button" onClick={() => act(copied(bibtexOf(cited), 'The BibTeX'))}>
          Copy BibTeX
        </button>
        <button type="button" onClick={() => act(copied(citationCff(cited), 'The CITATION.cff'))}>
          Copy CITATION.cff
        </button>
        <button type="button" onClick={() => download('CITATION.cff', citationCff(cited), 'text/yaml')}>
          Save CITATION.cff
        </button>
      </p>
      <p role="status">{words}</p>
      {PARTS.map(
        ({ id, title, name }) =>
          parts[id] !== '' && (
            <section key={id} aria-label={title}>
              <h3>{title}</h3>
              {id === 'papers' && <Papers cited={cited} />}
              <pre tabIndex={0} role="region" aria-label={name}>
                {parts[id]}
              </pre>
              <button type="button" aria-label={`Copy: ${name}`} onClick={() => act(copied(parts[id], name))}>
                Copy
              </button>
            </section>
          ),
      )}
    </section>
  );
}
