import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { presetConfig, twinOf } from '../../config/presets.ts';
import { duration } from '../format.ts';
import { Modal, ModalText } from '../Modal.tsx';
import { remember } from '../before.ts';
import { present, reset } from '../session.ts';
import { startFrom, useDraft } from '../stores/draft.ts';
import { look } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { useTurn } from '../useTurn.ts';
import { drawPicture, SIZE } from './drawPicture.ts';
import { entriesFor, type Entry, type Picture } from './entries.ts';
import './gallery.css';

function choose({ preset }: Entry): void {
  remember(present());
  look({ isHuman: false, tab: 'watch' });
  startFrom(presetConfig(preset), preset.title);
  void reset();
}

function Thumbnail({ picture }: { picture: Picture }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useIsDark();
  useEffect(() => drawPicture(canvas.current!, picture, isDark), [picture, isDark]);
  return <canvas ref={canvas} aria-hidden style={{ width: SIZE.width, height: SIZE.height }} />;
}

function Card({ entry, isChosen, choose: take }: { entry: Entry; isChosen: boolean; choose: () => void }) {
  const { preset, world, method, picture } = entry;
  const twin = twinOf(preset);
  return (
    <li>
      <button type="button" className="entry" aria-current={isChosen || undefined} onClick={take}>
        {picture ? <Thumbnail picture={picture} /> : <span className="nopicture" />}
        <span className="cardwords">
          <strong>{preset.title}</strong>
          <span className="cardfacts">
            {world} · {method}
            {picture && ` · ${duration(picture.seconds)}`}
            {twin && ` · ${preset.mends === undefined ? 'farmed; mended by' : 'mends'} “${twin.title.split(' · ')[0]}”`}
          </span>
          <span className="cardlook">{preset.look}</span>
        </span>
      </button>
    </li>
  );
}

function Group({ name, children }: { name: string | undefined; children: ReactNode }) {
  const isDrawn = useTurn();
  return (
    <section aria-label={name}>
      {name && <h3>{name}</h3>}
      {isDrawn && <ul className="gallery">{children}</ul>}
    </section>
  );
}

/** All experiments with a picture of a real run, to look through or to search. */
export function Gallery({ close }: { close: () => void }) {
  const id = useId();
  const [query, setQuery] = useState('');
  const baseTitle = useDraft((d) => d.baseTitle);
  const found = entriesFor(query);
  const groups = [...new Set(found.map(({ preset }) => preset.group))];
  return (
    <Modal title="Experiments" closeLabel="Close experiments" close={close}>
      <ModalText>
        Each picture comes from a real run: where the agent went in its last batch, and success over the run. Times were
        measured on two slow cores without a GPU.
      </ModalText>
      <div className="gallerysearch" role="search">
        <label className="visually-hidden" htmlFor={id}>
          Search experiments
        </label>
        <input
          id={id}
          type="search"
          placeholder="Search by task, method or what happens"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <span className="quiet" role="status">
          {found.length === 1 ? '1 experiment' : `${found.length} experiments`}
        </span>
      </div>
      {found.length === 0 && (
        <p className="quiet">No experiment matches. Try a task or a method: sokoban, critic, GRPO.</p>
      )}
      {groups.map((group) => (
        <Group key={group} name={group}>
          {found
            .filter(({ preset }) => preset.group === group)
            .map((entry) => (
              <Card
                key={entry.preset.id}
                entry={entry}
                isChosen={entry.preset.title === baseTitle}
                choose={() => {
                  close();
                  choose(entry);
                }}
              />
            ))}
        </Group>
      ))}
    </Modal>
  );
}
