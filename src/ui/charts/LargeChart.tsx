import { useEffect, useMemo, useRef, useState } from 'react';
import { metricIndex, metrics, type MetricId } from '../../slots/metrics/metrics.ts';
import { useChartSeries } from '../frames.ts';
import { Modal, ModalText } from '../Modal.tsx';
import { useRun } from '../stores/run.ts';
import { look, MANY_POINTS, POINTS } from '../stores/view.ts';
import { useXAxis } from './useXAxis.ts';
import { Keys } from './Keys.tsx';
import { Plot, type PlotProps, type Range } from './Plot.tsx';
import { withOther, type Row } from './rows.ts';
import { SavePicture } from './SavePicture.tsx';
import { useWindowHeight } from './useWindowHeight.ts';
import { stepOf, wider, type Zoom } from './zoom.ts';
import './charts.css';

type Props = { readonly plot: PlotProps; readonly sentence: string; readonly file: string; readonly close: () => void };

/** Room of the dialog for everything but the chart. */
const AROUND = 400;

/** One chart in a dialog: with a second metric, zoomed by dragging or by keys, and saved as a picture. */
export function LargeChart({ plot, sentence, file, close }: Props) {
  const { metric } = plot;
  const box = useRef<HTMLDivElement>(null);
  const [beside, setBeside] = useState<MetricId | ''>('');
  const [range, setRange] = useState<Range | null>(null);
  const [marked, setMarked] = useState<Range | null>(null);
  const height = Math.max(180, Math.min(560, useWindowHeight() - AROUND));
  const isByUpdate = useXAxis() === 'update';
  const isRunning = useRun((r) => r.state === 'running');
  useEffect(() => {
    look({ points: isRunning ? POINTS : MANY_POINTS });
    return () => look({ points: POINTS });
  }, [isRunning]);
  const rows = useSecond(plot.rows, beside);
  const second = rows.some((row) => row.second !== undefined) ? metrics[metricIndex[beside as MetricId]]!.title : null;
  const whole: Range = [
    0,
    Math.max(1, plot.rows.at(-1)?.x ?? 1, ...(plot.ghosts ?? []).map((g) => g.points.at(-1)?.[0] ?? 0)),
  ];
  const drag = {
    start: (x: number) => Number.isFinite(x) && setMarked([x, x]),
    move: (x: number) => Number.isFinite(x) && marked && setMarked([marked[0], x]),
    end: () => {
      if (marked && marked[0] !== marked[1]) setRange([Math.min(...marked), Math.max(...marked)]);
      setMarked(null);
    },
  };
  return (
    <Modal title={metric.title} closeLabel={`Close ${metric.title}`} className="dialog largechart" close={close}>
      <ModalText>
        {metric.doc} {metric.look}
      </ModalText>
      <div className="row">
        <label className="inline">
          together with{' '}
          <select value={beside} onChange={(event) => setBeside(event.target.value as MetricId | '')}>
            <option value="">nothing else</option>
            {metrics
              .filter((m) => m.id !== metric.id)
              .map((m) => (
                <option key={m.id} value={m.id}>
                  {m.title}
                </option>
              ))}
          </select>
        </label>
        <SavePicture box={box} title={metric.title} file={file} words={sentence} />
      </div>
      <div ref={box} className="largeplot" style={{ height }} role="img" aria-label={sentence}>
        <Plot {...plot} rows={rows} height={height} second={second} range={range} marked={marked} drag={drag} />
      </div>
      <Keys plot={plot} second={second} />
      <ZoomBar range={range ?? whole} whole={whole} isByUpdate={isByUpdate} set={setRange} />
    </Modal>
  );
}

/** The rows with another metric on its own axis, where it was measured. */
function useSecond(rows: Row[], id: MetricId | ''): Row[] {
  const series = useChartSeries();
  const xAxis = useXAxis();
  return useMemo(
    () => (id === '' || !series ? rows : withOther(rows, 'second', series, metricIndex[id], xAxis)),
    [rows, id, series, xAxis],
  );
}

/** Which part is shown: two sliders and three buttons, the same as dragging over the chart. */
function ZoomBar({ range: [from, to], whole, isByUpdate, set }: Zoom) {
  const what = isByUpdate ? 'update' : 'step';
  const step = stepOf(whole);
  const put = (range: Range): void => set(range[0] <= whole[0] && range[1] >= whole[1] ? null : range);
  return (
    <div className="row zoombar" role="group" aria-label="Zoom">
      <label className="inline">
        from {what}{' '}
        <input
          type="range"
          min={whole[0]}
          max={whole[1]}
          step={step}
          value={from}
          onChange={(event) => put([Math.min(Number(event.target.value), to - step), to])}
        />{' '}
        <span className="number">{Math.round(from)}</span>
      </label>{' '}
      <label className="inline">
        to {what}{' '}
        <input
          type="range"
          min={whole[0]}
          max={whole[1]}
          step={step}
          value={to}
          onChange={(event) => put([from, Math.max(Number(event.target.value), from + step)])}
        />{' '}
        <span className="number">{Math.round(to)}</span>
      </label>{' '}
      <button type="button" onClick={() => put(wider([from, to], whole, 0.5))}>
        Zoom in
      </button>{' '}
      <button type="button" onClick={() => put(wider([from, to], whole, 2))}>
        Zoom out
      </button>{' '}
      <button type="button" onClick={() => set(null)}>
        Whole run
      </button>{' '}
      <p className="quiet">You can also drag across the chart to zoom.</p>
    </div>
  );
}
