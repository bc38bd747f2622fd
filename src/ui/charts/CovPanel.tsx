import { correlation } from '../../core/fidelity.ts';
import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import type { SeriesFrame } from '../../worker/protocol.ts';
import { useChartSeries } from '../frames.ts';
import { useView } from '../stores/view.ts';
import { value } from '../format.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, rangeOf, scaleOf, WIDTH } from './frame.ts';

const DOC =
  'Each point is an update of the seed on the stage: covariance of credit and log π_θ against the change in policy entropy by the next update. A positive covariance predicts a falling entropy. Drawn while the page holds every update of the run.';

/** Covariance of an update and the change in entropy that followed it; none while updates are thinned for the page. */
export function covOf(series: SeriesFrame, s: number): { update: number; cov: number; change: number }[] {
  const { points, update } = series;
  if (points === 0 || update[points - 1] !== points) return [];
  const of = (id: MetricId, k: number): number => series.values[(metricIndex[id] * series.S + s) * points + k]!;
  return Array.from({ length: points - 1 }, (_, k) => ({
    update: update[k]!,
    cov: of('cov', k),
    change: of('entropy', k + 1) - of('entropy', k),
  })).filter(({ cov, change }) => Number.isFinite(cov) && Number.isFinite(change));
}

/** Does the covariance of credit and confidence announce what the entropy does next? */
export function CovPanel() {
  const series = useChartSeries();
  const replica = useView((v) => v.replica);
  const points = series ? covOf(series, Math.min(replica, series.S - 1)) : [];
  if (points.length < 2) {
    const isLong = series !== null && series.points > 2;
    return (
      <Figure
        title="Covariance and the next change in entropy"
        unit="nats"
        doc={DOC}
        file="cov"
        table={null}
        sentence=""
      >
        <p className="quiet empty">
          {isLong ? 'This run is too long for the page to hold every update.' : 'Appears after a few updates.'}
        </p>
      </Figure>
    );
  }
  const x = rangeOf(
    points.map((p) => p.cov),
    0,
  );
  const y = rangeOf(
    points.map((p) => p.change),
    0,
  );
  const scale = scaleOf(x, y);
  const r = correlation(
    points.map((p) => p.cov),
    points.map((p) => p.change),
  );
  const told = `${points.length} updates${r === null ? '' : `, correlation ${value(r)}`}: ${
    r !== null && r < -0.3
      ? 'where likely actions get the credit, entropy falls next.'
      : 'the covariance hardly predicts what entropy does next.'
  }`;
  return (
    <Figure
      title="Covariance and the next change in entropy"
      unit="nats"
      doc={DOC}
      sentence={told}
      file="cov"
      table={{
        columns: ['update', 'covariance', 'change in entropy'],
        rows: points.map((p) => [p.update, value(p.cov), value(p.change)]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Covariance against change in entropy. ${told}`}>
        <Axes
          scale={scale}
          x={[...new Set([x[0], 0, x[1]])].map((at) => [at, value(at)])}
          y={[...new Set([y[0], 0, y[1]])].map((at) => [at, value(at)])}
          name="covariance of credit and log π"
        />
        {points.map((p) => (
          <circle key={p.update} className="dot" cx={scale.x(p.cov)} cy={scale.y(p.change)} r={2.5} />
        ))}
      </svg>
    </Figure>
  );
}
