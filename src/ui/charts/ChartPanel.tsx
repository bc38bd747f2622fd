import { memo, useCallback, useMemo, useState, type RefCallback } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { metricIndex, metrics, type Metric, type MetricId } from '../../methods/analysis/metrics.ts';
import { download } from '../download.ts';
import { short, value } from '../format.ts';
import { useChartSeries } from '../frames.ts';
import { useDraft } from '../stores/draft.ts';
import { useView } from '../stores/view.ts';
import { csvOf, MAX_LINES, rowsOf, type Row } from './rows.ts';
import { ChartTable } from './ChartTable.tsx';

type Props = { id: MetricId };

/** True while the element is on the screen: charts elsewhere do not draw. */
function useOnScreen(): [RefCallback<HTMLElement>, boolean] {
  const [isSeen, setSeen] = useState(false);
  const attach = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)!.isIntersecting), {
      rootMargin: '120px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [attach, isSeen];
}

const MARGIN = { top: 6, right: 8, bottom: 0, left: 0 };

const Plot = memo(function Plot({ rows, metric, seeds }: { rows: Row[]; metric: Metric; seeds: number }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={rows} margin={MARGIN} accessibilityLayer>
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="x"
          type="number"
          domain={[0, 'dataMax']}
          tickFormatter={short}
          stroke="var(--muted)"
          tickLine={false}
          height={22}
          fontSize={11}
        />
        <YAxis
          domain={metric.range ? [metric.range[0], metric.range[1]] : ['auto', 'auto']}
          tickFormatter={value}
          stroke="var(--muted)"
          tickLine={false}
          width={54}
          fontSize={11}
        />
        <Tooltip
          isAnimationActive={false}
          formatter={(x) => (Array.isArray(x) ? x.map((y) => value(Number(y))).join(' … ') : value(Number(x)))}
          labelFormatter={(x) => short(Number(x))}
          contentStyle={{
            background: 'var(--surface)',
            border: '1px solid var(--line)',
            color: 'var(--text)',
            fontSize: 12,
          }}
        />
        {metric.id === 'success' && <ReferenceLine y={0.8} stroke="var(--muted)" strokeDasharray="2 4" />}
        <Area
          dataKey="band"
          name="band"
          stroke="none"
          fill="var(--accent)"
          fillOpacity={0.16}
          isAnimationActive={false}
          activeDot={false}
          connectNulls
        />
        {Array.from({ length: Math.min(seeds, MAX_LINES) }, (_, s) => (
          <Line
            key={s}
            dataKey={`s${s}`}
            name={`seed ${s + 1}`}
            stroke="var(--thin)"
            strokeWidth={1}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls
          />
        ))}
        <Line
          dataKey="iqm"
          name="interquartile mean"
          stroke="var(--accent)"
          strokeWidth={2.25}
          dot={rows.length === 1}
          isAnimationActive={false}
          connectNulls
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
});

/** Newest interquartile mean in words, with how many seeds it stands on. */
function summary(metric: Metric, rows: readonly Row[], seeds: number): string {
  const last = rows.at(-1);
  if (!last) return metric.look;
  return `${metric.title} ${value(last.iqm)} (${seeds === 1 ? 'one seed' : `${seeds} seeds, interquartile mean`}). ${metric.look}`;
}

/** One metric: title, unit, newest value, curve, sentence, the same numbers as a table and as CSV. */
export function ChartPanel({ id }: Props) {
  const series = useChartSeries();
  const metric: Metric = metrics[metricIndex[id]]!;
  const xAxis = useView((v) => v.xAxis);
  const firstSeed = useDraft((d) => d.config.run['seed'] as number);
  const [attach, isSeen] = useOnScreen();
  const [drawn, setDrawn] = useState(series);
  if ((isSeen || series === null) && drawn !== series) setDrawn(series);
  const rows = useMemo(() => (drawn ? rowsOf(drawn, metricIndex[id], xAxis) : []), [drawn, id, xAxis]);
  const seeds = drawn?.S ?? 0;
  const sentence = summary(metric, rows, seeds);
  return (
    <section className="chart" aria-label={metric.title} ref={attach}>
      <div className="charthead">
        <h3 title={metric.doc}>{metric.title}</h3>
        <span className="quiet">{metric.unit}</span>
        <span className="number now">{value(rows.at(-1)?.iqm)}</span>
      </div>
      <div className="plot" role="img" aria-label={sentence}>
        {rows.length > 0 ? (
          <Plot rows={rows} metric={metric} seeds={seeds} />
        ) : (
          <p className="quiet empty">{metric.look}</p>
        )}
      </div>
      <details className="twin">
        <summary>
          Details<span className="visually-hidden"> of {metric.title}</span>
        </summary>
        <p className="quiet">
          {metric.doc} {metric.look}
        </p>
        {drawn && seeds > 0 && (
          <>
            <p className="quiet">
              Thick: interquartile mean of {seeds} {seeds === 1 ? 'seed' : 'seeds'}. Band:{' '}
              {seeds < 4 ? 'lowest to highest seed' : 'quartiles of the seeds'}.
              {seeds > MAX_LINES && ` Thin: the first ${MAX_LINES} seeds.`}
              {seeds < 3 && ' Too few seeds for an interval.'}
            </p>
            <button type="button" onClick={() => download(`${id}.csv`, csvOf(drawn, metricIndex[id], id, firstSeed))}>
              CSV
            </button>
            <ChartTable series={drawn} metric={metricIndex[id]} title={metric.title} firstSeed={firstSeed} />
          </>
        )}
      </details>
    </section>
  );
}
