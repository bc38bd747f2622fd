import { metrics, type MetricId } from '../../methods/analysis/metrics.ts';
import { look, useView } from '../stores/view.ts';
import { measures } from '../../methods/analysis/measures.ts';
import { ChartPanel } from './ChartPanel.tsx';
import { MeasurePanel } from './MeasurePanel.tsx';

const FIRST: readonly MetricId[] = ['success', 'returnMean', 'entropy', 'ess', 'approxKL', 'clipFraction', 'gradNorm'];

/** Live curves: the ones everybody needs first, the others below. */
export function Charts() {
  const xAxis = useView((v) => v.xAxis);
  const others = metrics.filter((m) => !FIRST.includes(m.id));
  return (
    <>
      <div className="panelhead">
        <h2>Curves</h2>
        <label className="inline">
          against{' '}
          <select value={xAxis} onChange={(event) => look({ xAxis: event.target.value as 'update' | 'envSteps' })}>
            <option value="update">updates</option>
            <option value="envSteps">environment steps</option>
          </select>
        </label>
      </div>
      {FIRST.map((id) => (
        <ChartPanel key={id} id={id} />
      ))}
      <details className="more">
        <summary>Credit and structure</summary>
        <p className="quiet">
          Measured on the batches that are shown, for the seed on the stage; the points are fewer than those of the
          other curves, and some need exact values.
        </p>
        {measures.map(({ id }) => (
          <MeasurePanel key={id} id={id} />
        ))}
      </details>
      <details className="more">
        <summary>More curves</summary>
        {others.map(({ id }) => (
          <ChartPanel key={id} id={id} />
        ))}
      </details>
    </>
  );
}
