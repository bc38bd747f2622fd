import { Ghost as GhostIcon, X } from 'lucide-react';
import { useState } from 'react';
import { diffText } from '../../config/diff.ts';
import { focusOn } from '../focus.ts';
import { dropGhost, keepGhost, useGhosts } from '../ghosts/ghosts.ts';
import { say } from '../notices/say.ts';
import { useWholeConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { DifferencePanel } from './DifferencePanel.tsx';
import { GHOST_DASHES } from './Lines.tsx';

const KEEP = '.ghostbar button';

/** Keeps the run of the moment as gray curves behind the next ones, and says how the kept ones differ from it. */
export function GhostBar() {
  const ghosts = useGhosts((g) => g.ghosts);
  const config = useWholeConfig();
  const isEmpty = useRun((r) => r.update === 0);
  const [isBusy, setBusy] = useState(false);
  const keep = async (): Promise<void> => {
    setBusy(true);
    const isKept = await keepGhost().finally(() => setBusy(false));
    say(isKept ? 'Kept: its curves stay in gray behind the next runs.' : 'There is no run to keep yet.');
  };
  return (
    <div className="ghostbar">
      <button
        type="button"
        aria-disabled={isEmpty || isBusy}
        title="Its curves and its credit stay in gray behind the next runs"
        onClick={() => !isEmpty && !isBusy && void keep()}
      >
        <GhostIcon aria-hidden size={16} /> Keep this run
      </button>
      {ghosts.length > 0 && (
        <ul aria-label="Kept runs">
          {ghosts.map((ghost, k) => (
            <li key={ghost.id}>
              <svg width="18" height="8" viewBox="0 0 18 8" aria-hidden>
                <path d="M0 4h18" stroke="var(--muted)" strokeWidth={1.5} strokeDasharray={GHOST_DASHES[k]} />
              </svg>
              <span>
                {ghost.name}
                {config && <span className="quiet">: {diffText(ghost.config, config)}</span>}
              </span>
              <button
                type="button"
                className="icon"
                aria-label={`Discard ${ghost.name}`}
                onClick={() => {
                  dropGhost(ghost.id);
                  focusOn(KEEP);
                }}
              >
                <X aria-hidden size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {ghosts.length > 0 && <DifferencePanel />}
    </div>
  );
}
