import { css, viridis } from '../color.ts';
import { value } from '../format.ts';
import { SignedScale } from '../credit/Legend.tsx';
import type { Overlay } from '../stores/view.ts';
import { mostVisits, rangeOf } from './marks.ts';
import type { StageView } from './useStage.ts';

const RAMP = Array.from({ length: 9 }, (_, k) => css(viridis(k / 8))).join(', ');

/** What the colors of the map mean; always one line high, so that nothing moves. */
export function Scale({ overlay, view }: { overlay: Overlay; view: StageView }) {
  if (!view.cells || overlay === 'ahead') return <p className="scale" />;
  if (overlay === 'credit') return <SignedScale limit={view.limit} what="mean per cell, newest batch" />;
  if (overlay === 'reward')
    return <SignedScale limit={view.limit} what="mean reward of a step" less="costs" more="pays" />;
  if (overlay === 'entropy' || overlay === 'change') {
    const [low, high] = rangeOf(view.cells, overlay);
    return (
      <p className="scale" title="From the smallest to the largest value on this map">
        <span className="number">{value(low)}</span>
        <span className="ramp" aria-hidden style={{ background: `linear-gradient(90deg, ${RAMP})` }} />
        <span className="number">{value(high)} nats</span>
      </p>
    );
  }
  if (overlay === 'visits') {
    return (
      <p className="scale">
        <span className="number">0</span>
        <span className="ramp" aria-hidden style={{ background: `linear-gradient(90deg, ${RAMP})` }} />
        <span className="number">{mostVisits(view.cells)} visits</span>
        <span className="quiet">uncolored: never visited</span>
      </p>
    );
  }
  return (
    <p className="scale">
      <svg width="76" height="14" aria-hidden viewBox="0 0 76 14">
        <path d="M2 7h10" stroke="currentColor" strokeWidth="1.2" opacity="0.4" />
        <path d="M12 4.6v4.8l4-2.4z" fill="currentColor" opacity="0.4" />
        <path d="M30 7h34" stroke="currentColor" strokeWidth="3" />
        <path d="M62 1.8v10.4l9-5.2z" fill="currentColor" />
      </svg>
      <span className="quiet">rarely · nearly always</span>
    </p>
  );
}
