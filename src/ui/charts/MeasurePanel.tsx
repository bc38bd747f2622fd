import { useMemo, useState } from 'react';
import { measures, type MeasureId } from '../../slots/metrics/measures.ts';
import type { Metric } from '../../slots/metrics/metrics.ts';
import type { MeasuredHistory } from '../../worker/protocol.ts';
import { download } from '../download.ts';
import { count, value } from '../format.ts';
import { newestSnapshot, useChartSeries } from '../frames.ts';
import { useXAxis } from './useXAxis.ts';
import { CurveChart } from './CurveChart.tsx';
import { measuredCsv, measuredRows, measuredTable } from './rows.ts';
import { useOnScreen } from './useOnScreen.ts';

/** A measure of the batches shown: like a chart of a metric, with a dot for each batch. */
export function MeasurePanel({ id }: { id: MeasureId }) {
  // drawn on the clock of the other charts: the newest batch may be a little ahead of them
  const series = useChartSeries();
  const history = series && (newestSnapshot.get()?.history ?? null);
  const at = measures.findIndex((m) => m.id === id);
  const metric: Metric = measures[at]!;
  const xAxis = useXAxis();
  const [attach, isSeen] = useOnScreen();
  const [drawn, setDrawn] = useState<MeasuredHistory | null>(history);
  if ((isSeen || history === null) && drawn !== history) setDrawn(history);
  const rows = useMemo(() => (drawn ? measuredRows(drawn, at, xAxis) : []), [drawn, at, xAxis]);
  const last = rows.at(-1);
  const none = drawn && drawn.points > 0 ? `Not known for the batches of this run. ${metric.doc}` : metric.look;
  const sentence = last ? `${metric.title} ${value(last.iqm)} in the newest batch. ${metric.look}` : none;
  return (
    <CurveChart
      plot={{ rows, metric, seeds: 0, name: 'batches shown', hasDots: rows.length <= 60 }}
      sentence={sentence}
      now={value(last?.iqm)}
      empty={
        <div className="plot">
          <p className="quiet empty">{none}</p>
        </div>
      }
      file={id}
      attach={attach}
    >
      <p className="quiet">
        {metric.doc} {metric.look}
      </p>
      {drawn && last && (
        <>
          <button type="button" onClick={() => download(`${id}.csv`, measuredCsv(drawn, at, id))}>
            CSV
          </button>
          <MeasureTable history={drawn} at={at} title={metric.title} />
        </>
      )}
    </CurveChart>
  );
}

function MeasureTable({ history, at, title }: { history: MeasuredHistory; at: number; title: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide table' : 'Show as table'}
      </button>
      {isShown && (
        <div className="tablebox" tabIndex={0} role="region" aria-label={`Table of ${title}`}>
          <table>
            <caption className="visually-hidden">{title} of the batches shown</caption>
            <thead>
              <tr>
                <th scope="col">Update</th>
                <th scope="col">Steps</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {measuredTable(history, at).map((r) => (
                <tr key={r.update}>
                  <th scope="row">{r.update}</th>
                  <td>{count(r.envSteps)}</td>
                  <td>{value(r.value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
