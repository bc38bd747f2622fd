import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useMemo, useRef, type PointerEvent } from 'react';
import { updateNumber } from '../../core/counting.ts';
import { estimators } from '../../slots/methods.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { paintSigned } from '../color.ts';
import { useRunConfig } from '../session.ts';
import { CellGrid } from '../stage/CellGrid.tsx';
import { showBatch } from '../stage/shown.ts';
import { useWidth } from '../stage/useWidth.ts';
import { look, select, useView } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { Blank } from './Blank.tsx';
import { FAINT, runScale, withoutFaint } from './runScale.ts';
import { credit } from './sentences.ts';
import './slim.css';
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
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width } = useWidth(box, 400);
  const isDark = useIsDark();
  const { T, A, exact } = snapshot;
  const length = snapshot.length[i]!;
  const rows = exact ? 2 : 1;
  const own = useMemo(() => limitOf(snapshot, A), [snapshot, A]);
  const scale = runScale().exact;
  useEffect(() => {
    const pixels = new Uint32Array(rows * length);
    paintSigned(pixels, 0, A, i * T, length, own, isDark);
    const shown = exact && withoutFaint(exact.subarray(i * T, i * T + length), FAINT * scale);
    if (shown) paintSigned(pixels, length, shown, 0, length, scale || 1, isDark);
    const picture = canvas.current!;
    picture.width = length;
    picture.height = rows;
    const image = new ImageData(new Uint8ClampedArray(pixels.buffer), length, rows);
    picture.getContext('2d')!.putImageData(image, 0, 0);
  }, [A, exact, i, T, length, rows, own, scale, isDark]);
  const cell = width / length;
  const under = (event: PointerEvent<HTMLDivElement>): number => {
    const frame = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(length - 1, Math.floor(((event.clientX - frame.left) / frame.width) * length)));
  };
  const choose = (to: number): void => {
    if (!isPlayed) showBatch(snapshot);
    select(i, to);
  };
  const k = i * T + t;
  const told = `Step ${t + 1}: ${title} ${credit(A[k]!)}${exact ? `, exact ${credit(exact[k]!)}` : ''}`;
  return (
    <div className="slimrows">
      <span className="slimnames" aria-hidden>
        <span>{title}</span>
        {exact && <span>Exact</span>}
      </span>
      <div className="slimcells" ref={box} style={{ height: rows * 14 }}>
        <canvas ref={canvas} role="img" aria-label={`${title}${exact ? ' over exact' : ''}, one cell per step`} />
        <CellGrid
          label="Credit of this episode, step by step; arrow keys move"
          rows={1}
          columns={length}
          row={0}
          column={t}
          text={told}
          isShown={isPlayed}
          frame={{ transform: `translateX(${t * cell}px)`, width: cell, height: rows * 14 }}
          onMove={(key) => {
            const to = { ArrowLeft: t - 1, ArrowRight: t + 1, Home: 0, End: length - 1 }[key];
            if (to !== undefined) choose(Math.max(0, Math.min(length - 1, to)));
            return to !== undefined;
          }}
          onHover={(event) => {
            const to = under(event);
            if (event.pointerType !== 'mouse' || (to === t && isPlayed)) return;
            if (!isPlayed) showBatch(snapshot);
            look({ hovered: { i, t: to } });
          }}
          onLeave={() => look({ hovered: null })}
          onPoint={(event) => choose(under(event))}
        />
      </div>
    </div>
  );
}
