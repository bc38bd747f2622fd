import { useEffect, useRef } from 'react';
import type { Profile, ProfiledSlot } from '../../worker/protocol.ts';
import { value } from '../format.ts';
import { useWidth } from '../stage/useWidth.ts';
import { useIsDark } from '../useTheme.ts';
import { SLOT_TITLES, slotMs, totalMs } from './sentences.ts';

const HEIGHT = 44;
const TRACK = 18;

/** One update in time: what the worker did above, what kernels did below. The tables hold the same numbers. */
export function Bars({ profile }: { profile: Profile }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, ratio } = useWidth(canvas, 600);
  // the style sheet has other colors then
  const isDark = useIsDark();
  useEffect(() => {
    const element = canvas.current;
    const ctx = element?.getContext('2d');
    if (!element || !ctx) return;
    element.width = Math.round(width * ratio);
    element.height = Math.round(HEIGHT * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(element);
    for (const [row, track] of (['worker', 'gpu'] as const).entries()) {
      const bars = profile.bars.filter((bar) => bar.track === track);
      const from = Math.min(...bars.map((bar) => bar.startUs));
      const to = Math.max(...bars.map((bar) => bar.startUs + bar.us));
      const scale = width / Math.max(1, to - from);
      for (const { slot, startUs, us } of bars) {
        ctx.fillStyle = style.getPropertyValue(`--slot-${slot}`);
        ctx.fillRect((startUs - from) * scale, row * (TRACK + 6), Math.max(0.5, us * scale), TRACK);
      }
    }
  }, [profile, width, ratio, isDark]);
  const parts = profile.slots.map((s, k) => `${SLOT_TITLES[s.slot]} ${value(slotMs(profile, k))} ms`).join(', ');
  return (
    <figure className="profilebars">
      <canvas ref={canvas} role="img" aria-label={`One update in time, worker above and kernels below: ${parts}.`} />
      <figcaption className="quiet">
        One update in time: the worker above, kernels below, each by its own clock.
      </figcaption>
    </figure>
  );
}

/** Share of each slot as one bar with its legend. */
export function SlotShare({ profile }: { profile: Profile }) {
  const total = totalMs(profile);
  const share = (k: number): number => slotMs(profile, k) / total;
  return (
    <div className="slotshare" aria-hidden="true">
      <div>
        {profile.slots.map(({ slot }, k) => (
          <span key={slot} style={{ width: `${100 * share(k)}%`, background: color(slot) }} />
        ))}
      </div>
    </div>
  );
}

export const color = (slot: ProfiledSlot): string => `var(--slot-${slot})`;
