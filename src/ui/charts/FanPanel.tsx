import { FAN } from '../../slots/metrics/batchMeasures.ts';
import { measures } from '../../slots/metrics/measures.ts';
import type { MeasuredHistory } from '../../worker/protocol.ts';
import { short, value } from '../format.ts';
import type { CountedAxis } from '../stores/view.ts';
import { useCountedAxis } from './useXAxis.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, rangeOf, scaleOf, WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'Quantiles of Δ = log π_θ − log π_old over the decisions of the batches shown, after their update (over words, where actions are written and each word has its own ratio). Middle line: 50 %; bands: 25–75, 5–95 and 1–99 %. Δ is shown rather than ρ because it is symmetric about 0.';
/** Points that are drawn; each stands for the newest batch of its stretch. */
const MOST_POINTS = 200;

/** Quantiles of the measured batches: [point][quantile]. */
export function fanOf(history: MeasuredHistory, xAxis: CountedAxis): { x: number; q: number[] }[] {
  const columns = FAN.map((q) => measures.findIndex((m) => m.id === `delta${q}`));
  const every = Math.max(1, Math.ceil(history.points / MOST_POINTS));
  const rows = Array.from({ length: history.points }, (_, k) => ({
    x: history[xAxis][k]!,
    q: columns.map((m) => history.values[m * history.points + k]!),
  }));
  return rows.filter((row, k) => (rows.length - 1 - k) % every === 0 && row.q.every(Number.isFinite));
}

/** How far single decisions moved, as a fan over the updates. */
export function FanPanel() {
  const xAxis = useCountedAxis();
  const history = useShown()?.history ?? null;
  const fan = history ? fanOf(history, xAxis) : [];
  const last = fan.at(-1);
  if (!last) {
    return (
      <Figure title="Log-ratios" unit="Δ" doc={DOC} file="log-ratios" table={null} sentence="">
        <p className="quiet empty">Appears with the first batch.</p>
      </Figure>
    );
  }
  const [low, high] = rangeOf(
    fan.flatMap(({ q }) => q),
    0,
  );
  const scale = scaleOf([fan[0]!.x, Math.max(last.x, fan[0]!.x + 1)], [low, high]);
  const band = (a: number, b: number): string => {
    const up = fan.map(({ x, q }) => [scale.x(x), scale.y(q[b]!)] as const);
    const down = fan.map(({ x, q }) => [scale.x(x), scale.y(q[a]!)] as const).reverse();
    return `${pathOf([...up, ...down])}Z`;
  };
  const told = `Newest batch: half of the decisions between ${value(last.q[2])} and ${value(last.q[4])}, all but 2 % between ${value(last.q[0])} and ${value(last.q[6])}.`;
  return (
    <Figure
      title="Log-ratios"
      unit="Δ"
      doc={DOC}
      sentence={told}
      now={value(last.q[3])}
      file="log-ratios"
      table={{
        columns: [xAxis === 'update' ? 'update' : 'steps', ...FAN.map((q) => `${q} %`)],
        rows: fan.map(({ x, q }) => [Math.round(x), ...q.map((d) => value(d))]),
      }}
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Quantiles of the log-ratio over training. ${told}`}
      >
        <Axes
          scale={scale}
          x={[...new Set([fan[0]!.x, last.x])].map((x) => [x, short(x)])}
          y={[...new Set([low, 0, high])].map((d) => [d, value(d)])}
          name={xAxis === 'update' ? 'updates' : 'environment steps'}
        />
        {[0, 1, 2].map((k) => (
          <path key={k} className="fanband" d={band(k, FAN.length - 1 - k)} />
        ))}
        <path className="line" d={pathOf(fan.map(({ x, q }) => [scale.x(x), scale.y(q[3]!)]))} />
      </svg>
    </Figure>
  );
}
