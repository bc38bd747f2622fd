import { useState } from 'react';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { ChartPanel } from '../charts/ChartPanel.tsx';
import { CurveNumbers } from '../charts/ChartTable.tsx';
import type { CurveChartProps } from '../charts/CurveChart.tsx';
import { Keys } from '../charts/Keys.tsx';
import { Plot } from '../charts/Plot.tsx';
import '../charts/charts.css';
import { useChartSeries } from '../frames.ts';
import { useWholeConfig } from '../session.ts';
import { useEmbed } from './embedStore.ts';
import type { ViewProps } from './views.tsx';

/** The curves that the address or the host asks for; the same numbers as tables. */
export function ChartsView({ hasControls }: ViewProps) {
  const ids = useEmbed((e) => e.metrics);
  const [isTable, setTable] = useState(false);
  return (
    <>
      <div className="embedcharts">
        {ids.map((id) => (
          <ChartPanel key={id} id={id} as={PlainChart} />
        ))}
      </div>
      {hasControls && (
        <button type="button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Hide the numbers' : 'Show as table'}
        </button>
      )}
      {isTable && <Tables />}
    </>
  );
}

/** A curve with its name, unit and newest value; nothing to press. */
function PlainChart({ plot, sentence, now, attach }: CurveChartProps) {
  const { metric } = plot;
  return (
    <section className="chart" aria-label={metric.title} ref={attach}>
      <div className="charthead">
        <h2 title={metric.doc}>{metric.title}</h2>
        <span className="quiet">{metric.unit}</span>
        <span className="number now">{now}</span>
      </div>
      {plot.rows.length > 0 ? (
        <>
          <div className="plot">
            <div role="img" aria-label={sentence}>
              <Plot {...plot} />
            </div>
          </div>
          <Keys plot={plot} />
        </>
      ) : (
        <div className="plot">
          <p className="quiet empty">{metric.look}</p>
        </div>
      )}
    </section>
  );
}

function Tables() {
  const ids = useEmbed((e) => e.metrics);
  const series = useChartSeries();
  const firstSeed = Number(useWholeConfig()?.run['seed'] ?? 0);
  if (!series) return <p className="quiet">There are no numbers before the first update.</p>;
  return ids.map((id) => (
    <CurveNumbers key={id} series={series} metric={metricIndex[id]} title={id} firstSeed={firstSeed} />
  ));
}
