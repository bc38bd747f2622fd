import { ChevronDown, ChevronUp } from 'lucide-react';
import { useMemo } from 'react';
import { updateNumber } from '../../core/counting.ts';
import { estimators } from '../../slots/methods.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { paintSigned } from '../color.ts';
import { useRunConfig } from '../session.ts';
import { look, useView } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { Blank } from './Blank.tsx';
import { EpisodeCells } from './EpisodeCells.tsx';
import { FAINT, runScale, withoutFaint } from './runScale.ts';
import { credit } from './sentences.ts';
import './slim.css';
import { stepOf } from './stepOf.ts';
import { limitOf } from './strips.ts';

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
        <Rows snapshot={snapshot} i={i} t={Math.max(0, Math.min(step, snapshot.length[i]! - 1))} isPlayed={isPlayed} />
      ) : (
        <p className="slimrows quiet">After the first update, every step of an episode is a cell here.</p>
      )}
    </div>
  );
}

type RowsProps = { snapshot: Snapshot; i: number; t: number; isPlayed: boolean };

function Rows({ snapshot, i, t, isPlayed }: RowsProps) {
  const method = useRunConfig()?.advantage.method;
  const title = estimators.find((e) => e.id === method)?.title ?? 'Credit';
  const isDark = useIsDark();
  const { T, A, exact } = snapshot;
  const length = snapshot.length[i]!;
  const rows = exact ? 2 : 1;
  const own = useMemo(() => limitOf(snapshot, A), [snapshot, A]);
  const scale = runScale().exact;
  const pixels = useMemo(() => {
    const packed = new Uint32Array(rows * length);
    paintSigned(packed, 0, A, i * T, length, own, isDark);
    const shown = exact && withoutFaint(exact.subarray(i * T, i * T + length), FAINT * scale);
    if (shown) paintSigned(packed, length, shown, 0, length, scale || 1, isDark);
    return new Uint8ClampedArray(packed.buffer);
  }, [A, exact, i, T, length, rows, own, scale, isDark]);
  const k = i * T + t;
  return (
    <div className="slimrows">
      <span className="slimnames" aria-hidden>
        <span>{title}</span>
        {exact && <span>Exact</span>}
      </span>
      <EpisodeCells
        picture={`${title}${exact ? ' over exact' : ''}`}
        label="Credit of this episode"
        text={`Step ${t + 1}: ${title} ${credit(A[k]!)}${exact ? `, exact ${credit(exact[k]!)}` : ''}`}
        n={length}
        height={rows * 14}
        isShown={isPlayed}
        {...{ pixels, t }}
        {...stepOf(snapshot, i, isPlayed)}
      />
    </div>
  );
}
