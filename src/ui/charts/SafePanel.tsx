import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { short, value } from '../format.ts';
import { useChartSeries } from '../frames.ts';
import { useView, type CountedAxis } from '../stores/view.ts';
import { useCountedAxis } from './useXAxis.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { BOTTOM, HEIGHT, pathOf, scaleOf, TOP, WIDTH } from './frame.ts';

/** Metrics that are one figure here. */
export const IN_SAFE: readonly MetricId[] = ['klShort', 'safeThreshold', 'safePhase', 'safePenalty'];

const DOC =
  'SAFE penalizes KL to the reference only above a threshold. Solid: slow mean of the KL, 0.9 of the old mean plus 0.1 of each update. Dashed: the threshold, from 0.1 to 0.6. Background: the phase, from the rewards of the last 50 updates. Penalty: 0.1 · (slow mean − threshold)² · gate.';
const PHASES = ['warm-up', 'climbing', 'plateau', 'converged'] as const;
/** How dark the ground is. */
const SHADES = [0.03, 0.16, 0.09, 0.22] as const;

type Point = { readonly x: number; readonly kl: number; readonly bound: number; readonly phase: number; pay: number };

/** What SAFE decided for one seed, update by update. */
export function safeOf(series: SeriesFrame, s: number, xAxis: CountedAxis): Point[] {
  const of = (id: MetricId, k: number): number => series.values[(metricIndex[id] * series.S + s) * series.points + k]!;
  return Array.from({ length: series.points }, (_, k) => ({
    x: series[xAxis][k]!,
    kl: of('klShort', k),
    bound: of('safeThreshold', k),
    phase: of('safePhase', k),
    pay: of('safePenalty', k),
  })).filter(({ kl }) => Number.isFinite(kl));
}

/** Stretches of one phase: where each begins and ends. */
export function phasesOf(points: readonly Point[]): { phase: number; from: number; to: number }[] {
  const found: { phase: number; from: number; to: number }[] = [];
  for (const { x, phase } of points) {
    const last = found.at(-1);
    if (last) last.to = x;
    if (last?.phase !== phase) found.push({ phase, from: x, to: x });
  }
  return found;
}

/** Threshold, KL and phase of SAFE as one chart; nothing in runs without it. */
export function SafePanel() {
  const series = useChartSeries();
  const xAxis = useCountedAxis();
  const replica = useView((v) => v.replica);
  const points = series ? safeOf(series, Math.min(replica, series.S - 1), xAxis) : [];
  const last = points.at(-1);
  if (!last) return null;
  const high = Math.max(0.6, ...points.map(({ kl }) => kl));
  const scale = scaleOf([points[0]!.x, Math.max(last.x, points[0]!.x + 1)], [0, high]);
  const phases = phasesOf(points);
  const bound = `the threshold of ${value(last.bound)}`;
  const place = last.kl > last.bound ? `above ${bound}, which costs ${value(last.pay)}` : `below ${bound}`;
  const told = `${PHASES[last.phase]!}: slow KL ${value(last.kl)}, ${place}.`;
  return (
    <Figure
      title="SAFE: threshold, KL and phase"
      unit="nats"
      doc={DOC}
      sentence={`${told[0]!.toUpperCase()}${told.slice(1)}`}
      now={value(last.kl)}
      file="safe"
      table={{
        columns: [xAxis === 'update' ? 'update' : 'steps', 'slow KL', 'threshold', 'phase', 'penalty'],
        rows: points.map((p) => [Math.round(p.x), value(p.kl), value(p.bound), PHASES[p.phase]!, value(p.pay)]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`SAFE over training. ${told}`}>
        {phases.map(({ phase, from, to }) => (
          <g key={from}>
            <rect
              className="phase"
              x={scale.x(from)}
              y={TOP}
              width={Math.max(1, scale.x(to) - scale.x(from))}
              height={HEIGHT - BOTTOM - TOP}
              fillOpacity={SHADES[phase]}
            >
              <title>{PHASES[phase]}</title>
            </rect>
            {scale.x(to) - scale.x(from) > 52 && (
              <text className="small" x={(scale.x(from) + scale.x(to)) / 2} y={HEIGHT - BOTTOM - 5} textAnchor="middle">
                {PHASES[phase]}
              </text>
            )}
          </g>
        ))}
        <Axes
          scale={scale}
          x={[...new Set([points[0]!.x, last.x])].map((x) => [x, short(x)])}
          y={[0, 0.3, high].map((y) => [y, value(y)])}
          name={xAxis === 'update' ? 'updates' : 'environment steps'}
        />
        <path className="line bound" d={pathOf(points.map(({ x, bound }) => [scale.x(x), scale.y(bound)]))} />
        <path className="line" d={pathOf(points.map(({ x, kl }) => [scale.x(x), scale.y(kl)]))} />
      </svg>
      <p className="keyline">
        <span className="key">slow KL</span>
        <span className="key warmkey">threshold</span>
        <span className="quiet">background: phase; seed on the stage</span>
      </p>
    </Figure>
  );
}
