import { Maximize2 } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { termOfMetric } from '../glossary/find.ts';
import { Meaning } from '../glossary/Meaning.tsx';
import { part } from '../Part.tsx';
import { useTurn } from '../useTurn.ts';
import { Keys } from './Keys.tsx';
import { Plot, type PlotProps } from './Plot.tsx';
import './charts.css';

// who looks at one chart for longer asks for it
const LargeChart = part(() => import('./LargeChart.tsx').then((m) => m.LargeChart));

export type CurveChartProps = {
  readonly plot: PlotProps;
  /** what the chart shows now, in one sentence */
  readonly sentence: string;
  /** newest value, or that of the update that is looked at */
  readonly now: string;
  /** stands in place of a curve that does not exist */
  readonly empty: ReactNode;
  readonly file: string;
  /** definition, table and files */
  readonly children: ReactNode;
  readonly attach: (element: HTMLElement | null) => (() => void) | void;
};

/** A chart of one metric: head, legend, curve, and what unfolds below; a click on it shows it large. */
export function CurveChart({ plot, sentence, now, empty, file, children, attach }: CurveChartProps) {
  const { metric } = plot;
  const term = termOfMetric(metric.id);
  const [isLarge, setLarge] = useState(false);
  const pressedAt = useRef<number | null>(null);
  const hasCurve = plot.rows.length > 0 || (plot.ghosts?.some(({ points }) => points.length > 0) ?? false);
  const isDrawn = useTurn(hasCurve);
  return (
    <section className="chart" aria-label={metric.title} ref={attach}>
      <div className="charthead">
        <h3 title={metric.doc}>{metric.title}</h3>
        <span className="quiet">{metric.unit}</span>
        {term && <Meaning term={term} />}
        <span className="number now">{now}</span>
        {hasCurve && (
          <button type="button" className="icon" aria-label={`Enlarge ${metric.title}`} onClick={() => setLarge(true)}>
            <Maximize2 aria-hidden size={14} />
          </button>
        )}
      </div>
      {hasCurve ? (
        <>
          {/* the button above does the same for keys */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
          <div
            className="plot"
            onPointerDown={(event) => void (pressedAt.current = event.pointerType === 'mouse' ? event.clientX : null)}
            onClick={(event) => pressedAt.current === event.clientX && setLarge(true)}
          >
            <div role="img" aria-label={sentence}>
              {isDrawn && <Plot {...plot} />}
            </div>
          </div>
          <Keys plot={plot} />
        </>
      ) : (
        empty
      )}
      <details className="twin">
        <summary>
          Details<span className="visually-hidden"> of {metric.title}</span>
        </summary>
        {children}
      </details>
      {isLarge && <LargeChart plot={plot} sentence={sentence} file={file} close={() => setLarge(false)} />}
    </section>
  );
}
