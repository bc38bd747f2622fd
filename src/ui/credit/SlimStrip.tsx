import { ChevronDown, ChevronUp } from 'lucide-react';
import { updateNumber } from '../../core/counting.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { look, useView } from '../stores/view.ts';
import { part } from '../Part.tsx';
import { Blank } from './Blank.tsx';
import './slim.css';

// There are no cells before the first update; they have the room of two rows.
const SlimRows = part(() => import('./SlimRows.tsx').then((m) => m.SlimRows), <div className="slimrows" />);

/** `isPlayed`: the episode on the stage is of this batch, and has a step in the strip. */
type Props = { snapshot: Snapshot | null; trajectory: number; step: number; isPlayed: boolean };

/** Opens or closes the credit of all episodes. */
function Toggle() {
  const isOpen = useView((v) => v.isCreditOpen);
  const Chevron = isOpen ? ChevronUp : ChevronDown;
  const toggle = (): void => {
    look({ isCreditOpen: !isOpen });
    if (isOpen) return;
    requestAnimationFrame(() => document.getElementById('credit')?.scrollIntoView({ block: 'nearest' }));
  };
  return (
    <button type="button" className="slimmore" aria-expanded={isOpen} aria-controls="credit" onClick={toggle}>
      All episodes <Chevron aria-hidden size={16} />
    </button>
  );
}

/**
 * Credit of one episode, step by step: the estimate over the exact one. Like the map it is of the newest batch, also while
 * an episode of an earlier one is played. Opens into that of all episodes.
 */
export function SlimStrip({ snapshot, trajectory, step, isPlayed }: Props) {
  const i = Math.min(trajectory, (snapshot?.B ?? 1) - 1);
  return (
    <div className="slim" role="group" aria-label="Credit of this episode">
      <div className="slimhead">
        <span>Credit</span>
        {snapshot && <span className="number slimbatch">update {updateNumber(snapshot.update)}</span>}
        <Blank snapshot={snapshot}>orange: do more, purple: do less</Blank>
        <Toggle />
      </div>
      {snapshot ? (
        <SlimRows
          snapshot={snapshot}
          i={i}
          t={Math.max(0, Math.min(step, snapshot.length[i]! - 1))}
          isPlayed={isPlayed}
        />
      ) : (
        <p className="slimrows quiet">After the first update, every step of an episode is a cell here.</p>
      )}
    </div>
  );
}
