import type { AnyValues } from '../../core/settings.ts';
import { environments } from '../../envs/registry.ts';
import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { short, value } from '../format.ts';
import { useChartSeries } from '../frames.ts';
import { useWholeConfig } from '../session.ts';
import { useView } from '../stores/view.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { dashOf, strokeOf } from './groupLines.ts';
import { useCountedAxis } from './useXAxis.ts';
import { pathOf, scaleOf, WIDTH, HEIGHT } from './frame.ts';

const NUMBERS = [1, 2, 3, 4, 5] as const;
/** Metrics that are one figure here. */
export const FAMILY_METRICS: readonly MetricId[] = NUMBERS.map((k) => `difficulty${k}` as const);

const DOC =
  'Difficulty of each family of levels, a place between two rows of its table. Flat stretches: the family waits for a place in the batch. Dots: updates after which a family left its place.';
/** Difficulty of every family over training, for the seed on the stage; nothing in runs without families. */
export function FamiliesPanel() {
  const series = useChartSeries();
  const config = useWholeConfig();
  const replica = useView((v) => v.replica);
  const xAxis = useCountedAxis();
  if (!series || !config) return null;
  const s = Math.min(replica, series.S - 1);
  const at = (id: MetricId, k: number): number => series.values[(metricIndex[id] * series.S + s) * series.points + k]!;
  const points = Array.from({ length: series.points }, (_, k) => k);
  const known = NUMBERS.filter((n) => points.some((k) => Number.isFinite(at(`difficulty${n}`, k))));
  if (known.length === 0) return null;
  const env = environments.find(({ id }) => id === config.task.method);
  const families = env?.families?.((config.task[config.task.method] ?? {}) as AnyValues) ?? [];
  const name = (n: number): string => families[n - 1]?.title ?? `family ${n}`;
  const x = points.map((k) => series[xAxis][k]!);
  const high = Math.max(1, ...known.flatMap((n) => points.map((k) => at(`difficulty${n}`, k))).filter(Number.isFinite));
  const scale = scaleOf([x[0]!, Math.max(x.at(-1)!, x[0]! + 1)], [0, high]);
  const last = points.at(-1)!;
  const told = known.map((n) => `${name(n)}: ${value(at(`difficulty${n}`, last))}`).join('; ');
  return (
    <Figure
      title="Difficulty of families"
      unit="row of its table"
      doc={DOC}
      sentence={told}
      file="difficulty"
      table={{
        columns: [xAxis === 'update' ? 'update' : 'steps', ...known.map(name), 'left'],
        rows: points.map((k) => [
          Math.round(x[k]!),
          ...known.map((n) => value(at(`difficulty${n}`, k))),
          value(at('retired', k)),
        ]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Difficulty over training. ${told}`}>
        <Axes
          scale={scale}
          x={[...new Set([x[0]!, x.at(-1)!])].map((at) => [at, short(at)])}
          y={[0, high / 2, high].map((y) => [y, value(y)])}
          name={xAxis === 'update' ? 'updates' : 'environment steps'}
        />
        {known.map((n) => (
          <path
            key={n}
            className="line"
            style={{ stroke: strokeOf(n - 1), strokeDasharray: dashOf(n - 1) }}
            d={pathOf(points.map((k) => [scale.x(x[k]!), scale.y(at(`difficulty${n}`, k))]))}
          >
            <title>{name(n)}</title>
          </path>
        ))}
        {points
          .filter((k) => at('retired', k) > 0)
          .map((k) => (
            <circle key={k} className="dot" r="2.5" cx={scale.x(x[k]!)} cy={scale.y(0)} />
          ))}
      </svg>
      <ul className="quiet">
        {known.map((n) => (
          <li key={n}>
            <svg viewBox="0 0 28 8" style={{ width: 28, height: 8, display: 'inline' }} aria-hidden>
              <path className="line" style={{ stroke: strokeOf(n - 1), strokeDasharray: dashOf(n - 1) }} d="M0 4H28" />
            </svg>{' '}
            {name(n)}
          </li>
        ))}
      </ul>
    </Figure>
  );
}
