import { useEffect, useState } from 'react';
import { MOST_MARK_BYTES } from '../../store/marks.ts';
import { usage, deleteAll, exportAll, type Usage } from '../../store/whole.ts';
import { forgets } from '../keeping.ts';
import { Modal } from '../Modal.tsx';
import { say } from '../notices/say.ts';
import { NOT_CHOSEN, placeFor, saveFile } from '../saveFile.ts';

const MB = 1e6;

/** “3.2 MB”, “1.4 GB” */
export const sizeOf = (bytes: number): string =>
  bytes < 1000 * MB ? `${(bytes / MB).toFixed(1)} MB` : `${(bytes / (1000 * MB)).toFixed(1)} GB`;

const counted = (n: number, one: string, many: string): string => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/** What is kept, in one sentence each. */
function Facts({ used, most, runs, sweeps, checkpointBytes, markBytes, isPersisted }: Usage) {
  return (
    <>
      <p>
        This browser keeps {counted(runs, 'run', 'runs')} with curves, {counted(sweeps, 'sweep', 'sweeps')} and{' '}
        {sizeOf(checkpointBytes)} of checkpoints on this device
        {markBytes > 0 && `, ${sizeOf(markBytes)} of them earlier ones for timelines`}. Nothing leaves it.
      </p>
      {used !== null && most !== null && (
        <p>
          With the files of the site these are {sizeOf(used)} of the {sizeOf(most)} that the browser allows. When there
          is no room left, earlier checkpoints of timelines go first, those of the oldest run before all others, then
          checkpoints of finished runs. Timelines may take {sizeOf(MOST_MARK_BYTES)} together.
        </p>
      )}
      <p>
        {isPersisted
          ? 'The browser has promised not to delete any of it by itself.'
          : forgets(navigator.userAgent, false)
            ? 'This browser deletes all of it once the page has not been opened for seven days.'
            : 'The browser may delete all of it when the disk is full.'}
      </p>
    </>
  );
}

/** Usage and state of the storage, one file of everything, and the way to get rid of it. */
export function StorageDialog({ close }: { close: () => void }) {
  const [found, setFound] = useState<Usage | 'blocked' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsked, ask] = useState(false);
  const look = (): void => void usage().then(setFound, () => setFound('blocked'));
  useEffect(look, []);
  const act = async (what: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await what().catch(() => say('That did not work: the storage could not be read or written.'));
    setBusy(false);
    look();
  };
  const persist = async (): Promise<void> => {
    const isKept = await navigator.storage.persist();
    say(isKept ? 'The browser will keep it.' : 'The browser does not promise to keep it.');
  };
  const exportIt = async (): Promise<void> => {
    const used = found === null || found === 'blocked' ? 0 : (found.used ?? 0);
    const place = await placeFor('horizon-lab.zip', used);
    say(place ? ((await saveFile(place, exportAll())) ?? 'Everything is in one file.') : NOT_CHOSEN);
  };
  const deleteIt = async (): Promise<void> => {
    await deleteAll();
    ask(false);
    say('Everything is deleted but the runs that are open and a comparison that trains.');
  };
  return (
    <Modal title="Storage" closeLabel="Close storage" close={close}>
      {found === null && <p className="quiet">Counting.</p>}
      {found === 'blocked' && <p>This browser stores nothing for this page: storage is full, blocked or private.</p>}
      {found !== null && found !== 'blocked' && (
        <>
          <Facts {...found} />
          <p className="ways">
            <button type="button" disabled={isBusy} onClick={() => void act(exportIt)}>
              Export all
            </button>{' '}
            {!found.isPersisted && (
              <button type="button" disabled={isBusy} onClick={() => void act(persist)}>
                Ask the browser to keep it
              </button>
            )}{' '}
            <button type="button" disabled={isBusy} aria-expanded={isAsked} onClick={() => ask(!isAsked)}>
              Delete everything
            </button>
          </p>
          {isAsked && (
            <p role="alert">
              All runs, sweeps and checkpoints are deleted for good; drafts, runs that are open and a comparison that
              trains stay.{' '}
              <button type="button" disabled={isBusy} onClick={() => void act(deleteIt)}>
                Yes, delete them
              </button>{' '}
              <button type="button" onClick={() => ask(false)}>
                No
              </button>
            </p>
          )}
        </>
      )}
    </Modal>
  );
}
