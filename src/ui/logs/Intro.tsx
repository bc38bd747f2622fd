import { useRef, useState } from 'react';
import { openLogs } from './logStore.ts';
import { EXAMPLES, givenOf, openExample, titleOf } from './pick.ts';

/** What the page is for, and the ways in. */
export function Intro() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const take = (input: HTMLInputElement): void => {
    const given = givenOf(input.files ?? []);
    input.value = '';
    if (given.length > 0) void openLogs(given, titleOf(given));
  };
  return (
    <section className="logintro" aria-label="Open a log">
      <p className="sees">
        Drop the log of your agent here: rows of steps, conversations, verl’s generations or ATIF trials, as JSON Lines,
        JSON, CSV, a folder or a zip archive.
      </p>
      <p>
        You see what every credit estimator would have told the policy, step by step: which steps are praised or blamed,
        which states the episodes met again, where estimators disagree, and how each number came about.
      </p>
      <p className="logways">
        <button type="button" className="primary" onClick={() => files.current?.click()}>
          Choose files …
        </button>
        <button type="button" onClick={() => folder.current?.click()}>
          Choose a folder …
        </button>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label="Files of a log"
          onChange={({ target }) => take(target)}
        />
        <input
          ref={(input) => {
            folder.current = input;
            // no attribute that React knows
            input?.setAttribute('webkitdirectory', '');
          }}
          type="file"
          hidden
          aria-label="Folder of a log"
          onChange={({ target }) => take(target)}
        />
      </p>
      <h3>Try an example</h3>
      <ul className="logexamples">
        {EXAMPLES.map((example) => (
          <li key={example.file}>
            <button type="button" onClick={() => void openExample(example).then((why) => setWords(why ?? ''))}>
              {example.title}
            </button>{' '}
            <span className="quiet">{example.about}</span>
          </li>
        ))}
      </ul>
      <p className="quiet">
        Nothing leaves your computer: files are read in a worker of this page, and nothing of them is kept when you
        leave it. The columns that are read are described in docs/trajectories.md of the repository.
      </p>
      <p role="status">{words}</p>
    </section>
  );
}
