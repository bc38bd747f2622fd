import { metricIndex } from '../../slots/metrics/metrics.ts';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { useChartSeries } from '../frames.ts';
import { look } from '../stores/view.ts';

/** Units of the drawing; it is stretched over the width of the bar. */
const [WIDE, HIGH] = [200, 30];

/** [points] training success, the mean over the seeds. */
export function successOf({ values, S, points }: SeriesFrame): number[] {
  const at = (s: number, k: number): number => values[(metricIndex.success * S + s) * points + k]!;
  return Array.from({ length: points }, (_, k) => {
    let sum = 0;
    for (let s = 0; s < S; s++) sum += at(s, k) / S;
    return sum;
  });
}

/** Points of a polyline: the last update at the right edge of its share of the run. */
export function lineOf(success: readonly number[], update: number, updates: number): string {
  const width = (WIDE * Math.min(update, updates)) / Math.max(1, updates);
  const last = Math.max(1, success.length - 1);
  return success.map((y, k) => `${((width * k) / last).toFixed(1)},${(1 + (HIGH - 2) * (1 - y)).toFixed(1)}`).join(' ');
}

/** The curve of success in the run bar of a phone, where charts are on another tab; it leads there. */
export function Sparkline({ update, updates }: { update: number; updates: number }) {
  const series = useChartSeries();
  const success = series ? successOf(series) : [];
  const newest = success.at(-1);
  const value = newest === undefined || Number.isNaN(newest) ? '–' : newest.toFixed(2);
  return (
    <button
      type="button"
      className="spark"
      aria-label={`Training success ${value}. Open the charts`}
      onClick={() => look({ tab: 'charts' })}
    >
      <span className="number">{value}</span>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden>
        <line x1="0" x2={WIDE} y1={HIGH - 1} y2={HIGH - 1} />
        <polyline points={lineOf(success, update, updates)} />
      </svg>
    </button>
  );
}
