import { TERMS } from './glossary/terms.ts';
import { WORDS } from './glossary/words.ts';
import './glossary/glossary.css';
import { useState } from 'react';
import { KEYS } from './keyWords.ts';
import { Modal, ModalText } from './Modal.tsx';
import { part } from './Part.tsx';
import { look, useView } from './stores/view.ts';

const StorageDialog = part(() => import('./kept/StorageDialog.tsx').then((m) => m.StorageDialog));

/** What this page is, how to read it, and its keys. */
export function HelpDialog({ close }: { close: () => void }) {
  const keysOn = useView((v) => v.keysOn);
  const [isStorage, showStorage] = useState(false);
  if (isStorage) return <StorageDialog close={close} />;
  return (
    <Modal title="How to read this page" closeLabel="Close help" isText close={close}>
      <ModalText>
        Press Run. Several copies of one agent (seeds) learn the same task side by side, in this browser tab. The map
        shows one episode of the newest batch; its arrows show what the policy would do in each cell.
      </ModalText>
      <p>
        The strips under the map show the credit: one row per episode, one cell per step. Orange says “do this more”,
        purple “do this less”. Where the task is small, the exact advantage is computed as well and shown next to the
        estimate: the closer the two look, the better the method tells good steps from bad ones.
      </p>
      <p>
        When training goes wrong, a strip at the bottom says what happened, with the numbers, the likely cause and one
        thing to do. The experiments under “Health alarms” show each problem separately.
      </p>
      <p>
        New to this? Twelve short{' '}
        <a href="#/lessons" onClick={close}>
          lessons
        </a>{' '}
        show one idea each: you predict, an agent trains, and the numbers say who was right.
      </p>
      <p>
        Do you train agents elsewhere? Their logs can be read here, and every estimator says what it would have told
        them:{' '}
        <a href="#/trajectories" onClick={close}>
          Your trajectories
        </a>
        .
      </p>
      <p>
        Nothing leaves your computer. A link holds the settings of an experiment, never code, and never starts a run.
        Runs are kept in this browser:{' '}
        <button type="button" className="inword" onClick={() => showStorage(true)}>
          Storage
        </button>
        .
      </p>
      <p>
        Horizon Lab is free software under the Apache License 2.0, and builds on the work of others:{' '}
        <a href="./third-party.txt" target="_blank" rel="noopener noreferrer">
          their notices and licenses
        </a>
        .
      </p>
      <h3>Symbols and words</h3>
      <p>A symbol with a dotted underline is a button that explains it. These are all of them:</p>
      <dl className="glossary">
        {[...TERMS, ...WORDS].map((term) => (
          <div key={term.id}>
            <dt>
              {term.symbols[0] && <span className="formula">{term.symbols[0]}</span>} {term.name}
            </dt>
            <dd>{term.text}</dd>
          </div>
        ))}
      </dl>
      <h3>Keys</h3>
      <dl className="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={keysOn} onChange={(event) => look({ keysOn: event.target.checked })} />{' '}
        Single-key shortcuts
      </label>
    </Modal>
  );
}
