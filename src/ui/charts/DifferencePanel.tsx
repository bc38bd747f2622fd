import { useEffect, useMemo, useState } from 'react';
import { FEWEST_SEEDS } from '../../core/difference.ts';
import { metricIndex, metrics, type MetricId } from '../../slots/metrics/metrics.ts';
import type { CurveColumn } from '../../worker/protocol.ts';
import { count, short, signed } from '../format.ts';
import { useChartSeries } from '../frames.ts';
import { columnOf } from '../ghosts/columnOf.ts';
import { seedsOf, useGhosts, type Ghost } from '../ghosts/ghosts.ts';
import { differencesOf, type ComparedBy, type DifferenceAt, type Measured } from '../ghosts/lines.ts';
import { nullIfGone } from '../owed.ts';
import { lab, useWholeConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, rangeOf, scaleOf, WIDTH } from './frame.ts';
import { ticksOf } from './ticks.ts';
import { useCountedAxis } from './useXAxis.ts';

const DOC =
  'The current run minus the kept one, after each update that both have measured; where curves stand against environment steps, after as many steps, with what the kept run had measured last. If they share at least three seeds, differences are taken seed by seed, so that what a seed decides for both (levels, initial weights, draws) cancels out. Otherwise it is the difference of the two means. Band: 95 % bootstrap interval of the mean over seeds, 2,000 resamples, for each place separately.';
/** A metric of a longer run is read only while it rests. */
const MOST_NUMBERS = 1_000_000;

/** A metric of the current run, read again whenever the charts are drawn. */
function useOwn(metric: number): Measured | null {
  const series = useChartSeries();
  const config = useWholeConfig();
  const isRunning = useRun((r) => r.state === 'running');
  const [found, setFound] = useState<Found | null>(null);
  const isLong = series !== null && series.S * metrics.length * (series.update.at(-1) ?? 0) > MOST_NUMBERS;
  const waits = isLong && isRunning;
  useEffect(() => {
    if (!series || waits) return;
    let isOld = false;
    void lab()
      .column(metric)
      .catch(nullIfGone)
      .then((column) => !isOld && setFound({ metric, column }));
    return () => {
      isOld = true;
    };
  }, [series, waits, metric]);
  return useMemo(
    () =>
      config && series && found?.column && found.metric === metric
        ? { ...seedsOf(config), ...found.column, metric }
        : null,
    [config, series, found, metric],
  );
}

type Found = { readonly metric: number; readonly ghost?: Ghost; readonly column: CurveColumn | null };

/** The same metric of a kept run. */
function useKept(ghost: Ghost, metric: number): Measured | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isOld = false;
    void columnOf(ghost, metric).then((column) => !isOld && setFound({ metric, ghost, column }));
    return () => {
      isOld = true;
    };
  }, [ghost, metric]);
  return useMemo(() => {
    const { S, firstSeed } = ghost;
    const isThis = found?.ghost === ghost && found.metric === metric;
    return isThis && found.column ? { S, firstSeed, ...found.column, metric } : null;
  }, [ghost, found, metric]);
}

/** Two runs on one chart: their difference with its interval over seeds. */
export function DifferencePanel() {
  const ghosts = useGhosts((g) => g.ghosts);
  const [metric, setMetric] = useState<MetricId>('success');
  const [chosen, setChosen] = useState<number | null>(null);
  const ghost = ghosts.find((g) => g.id === chosen) ?? ghosts.at(-1)!;
  const by = useCountedAxis();
  const own = useOwn(metricIndex[metric]);
  const kept = useKept(ghost, metricIndex[metric]);
  const found = useMemo(() => (own && kept ? differencesOf(own, kept, by) : []), [own, kept, by]);
  return (
    <div className="difference">
      <div className="row">
        <label className="inline">
          Difference in{' '}
          <select value={metric} onChange={(event) => setMetric(event.target.value as MetricId)}>
            {metrics.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {ghosts.length > 1 && (
          <label className="inline">
            to{' '}
            <select value={ghost.id} onChange={(event) => setChosen(Number(event.target.value))}>
              {ghosts.map(({ id, name }, k) => (
                <option key={id} value={id}>
                  {k + 1}: {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <DifferenceFigure
        found={found}
        by={by}
        ghost={ghost}
        title={`Now less kept: ${metrics[metricIndex[metric]]!.title}`}
      />
    </div>
  );
}

/** "difference +0.12, 95 % interval +0.02 … +0.2 over the 3 seeds that both share" */
export function differenceWords({ place, mean, interval, isPaired, n }: DifferenceAt, by: ComparedBy): string {
  const seeds = isPaired
    ? `the ${n[0]} ${n[0] === 1 ? 'seed' : 'seeds'} that both share`
    : `${n[0]} and ${n[1]} seeds, not paired`;
  const spread = interval
    ? `95 % interval ${signed(interval[0])} … ${signed(interval[1])}`
    : `too few seeds for an interval (it needs ${FEWEST_SEEDS})`;
  const after = by === 'update' ? `update ${place}` : `${count(place)} environment steps`;
  return `After ${after}: difference ${signed(mean)}, ${spread}, over ${seeds}.`;
}

type FigureProps = { found: readonly DifferenceAt[]; by: ComparedBy; ghost: Ghost; title: string };

function DifferenceFigure({ found, by, ghost, title }: FigureProps) {
  const last = found.at(-1);
  const common = { title, unit: '', doc: DOC, file: 'difference' };
  if (!last) {
    return (
      <Figure {...common} table={null} sentence="">
        <p className="quiet empty">Appears when both runs have measured this.</p>
      </Figure>
    );
  }
  const told = `${differenceWords(last, by)} Compared with ${ghost.name}.`;
  const ys = found.flatMap(({ mean, interval }) => [mean, ...(interval ?? [])]);
  const up = ticksOf(...rangeOf(ys, 0), 4);
  const [from, to] = [found[0]!.place, Math.max(last.place, found[0]!.place + 1)];
  const scale = scaleOf([from, to], [up.at[0]!, up.at.at(-1)!]);
  const band = found.filter((d) => d.interval !== null);
  const edge = (k: 0 | 1) => band.map((d) => [scale.x(d.place), scale.y(d.interval![k])] as const);
  return (
    <Figure
      {...common}
      sentence={told}
      now={signed(last.mean)}
      table={{
        columns: [
          by === 'update' ? 'update' : 'environment steps',
          'difference',
          'low',
          'high',
          'paired',
          'seeds now',
          'seeds kept',
        ],
        rows: found.map((d) => [
          Math.round(d.place),
          signed(d.mean),
          ...(d.interval ? d.interval.map(signed) : ['too few seeds', 'too few seeds']),
          d.isPaired ? 'yes' : 'no',
          ...d.n,
        ]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}. ${told}`}>
        <Axes
          scale={scale}
          x={[...new Set([from, to])].map((x) => [x, short(x)])}
          y={up.at.map((y) => [y, up.text(y)])}
          name={by === 'update' ? 'updates' : 'environment steps'}
        />
        {band.length > 0 && <path className="fanband" d={`${pathOf([...edge(1), ...edge(0).reverse()])}Z`} />}
        <path className="line exact" d={pathOf([from, to].map((x) => [scale.x(x), scale.y(0)]))} />
        <path className="line" d={pathOf(found.map((d) => [scale.x(d.place), scale.y(d.mean)]))} />
      </svg>
    </Figure>
  );
}
