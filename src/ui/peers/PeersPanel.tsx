import { useEffect, useState } from 'react';
import type { PeerStatus } from '../../worker/protocol.ts';
import { nullIfGone } from '../owed.ts';
import { lab } from '../session.ts';
import { useRun } from '../stores/run.ts';
import './peers.css';

const HELP =
  'Tabs of this browser with the same task tell each other what they played: actions and returns, nothing else. What comes is played again here before it trains; what does not come out as told is refused. Episodes that begin in a saved state are not told.';
const EVERY_MS = 1000;

/** Whether this tab shares what it plays with other tabs, and what has come of it. Off until somebody switches it on. */
export function PeersPanel() {
  const [status, setStatus] = useState<PeerStatus | null>(null);
  /** what was chosen and is not yet answered: answers to earlier questions say nothing about it */
  const [chosen, setChosen] = useState<{ readonly isOpen: boolean } | null>(null);
  const run = useRun((r) => r.run);
  useEffect(() => {
    const ask = (): void => void lab().peers(null).then(setStatus).catch(nullIfGone);
    ask();
    const timer = setInterval(ask, EVERY_MS);
    return () => clearInterval(timer);
  }, [run]);
  const { isOpen } = chosen ?? status ?? { isOpen: false };
  const set = (isWanted: boolean): void => {
    const mine = { isOpen: isWanted };
    setChosen(mine);
    void lab()
      .peers(isWanted)
      .then(setStatus)
      .catch(nullIfGone)
      .finally(() => setChosen((now) => (now === mine ? null : now)));
  };
  return (
    <fieldset className="peers" aria-describedby="peers-help">
      <legend>Other tabs</legend>
      <label className="inline">
        <input type="checkbox" checked={isOpen} onChange={(event) => set(event.target.checked)} /> Hear other tabs, and
        tell them what is played here
      </label>
      <p id="peers-help" className="help">
        {HELP}
      </p>
      {status && (isOpen || status.taken > 0) && (
        <>
          <dl>
            <Count name="Tabs seen" value={status.seen} />
            <Count name="Episodes told" value={status.sent} />
            <Count name="Episodes taken" value={status.taken} />
            <Count name="Episodes refused" value={status.refused} />
            <Count name="Messages ignored" value={status.ignored} />
          </dl>
          <p className="quiet" role="status">
            {told(status)}
          </p>
        </>
      )}
    </fieldset>
  );
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{value.toLocaleString('en')}</dd>
    </div>
  );
}

/** What that means for whoever wants to repeat the run. */
export function told({ seen, taken }: Pick<PeerStatus, 'seen' | 'taken'>): string {
  if (taken > 0)
    return 'Episodes of other tabs have trained this run. Its link alone does not repeat it: they are not in the link.';
  if (seen === 0) return 'Nobody else shares this task yet. Open the experiment in another tab, with another seed.';
  return 'Nothing has been taken yet, so the link of this run still repeats it.';
}
