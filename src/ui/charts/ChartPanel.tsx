import type { Config } from '../../config/slots.ts';
import type { AnyValues } from '../../core/settings.ts';
import { rollouts } from '../../slots/registry.ts';
import { clustersIn } from '../../slots/rollout/types.ts';
import { useMemo, useState, type ComponentType } from 'react';
import { metricIndex, metrics, type Metric, type MetricId } from '../../slots/metrics/metrics.ts';
import { download } from '../download.ts';
import { value, many } from '../format.ts';
import { useChartSeries } from '../frames.ts';
import { useWholeConfig } from '../session.ts';
import { useXAxis } from './useXAxis.ts';
import { usePlotStory } from '../timeline/plotStory.ts';
import { ChartTable } from './ChartTable.tsx';
import { Empty } from './Empty.tsx';
import { CurveChart, type CurveChartProps } from './CurveChart.tsx';
import { csvOf, MAX_LINES, rowsOf, withOther, type Row } from './rows.ts';
import { useGhostLines } from './useGhostLines.ts';
import { shareWords } from './shareWords.ts';
import { useOnScreen } from './useOnScreen.ts';

/** `as`: what draws it, where that is not the chart of the lab. */
type Props = { id: MetricId; as?: ComponentType<CurveChartProps> };

/** Another number that is a dotted line in the chart of the first. */
const BESIDE: { readonly [id in MetricId]?: Beside } = {
  success: { id: 'evalSuccess', name: 'evaluation success', doc: 'success on the evaluation episodes' },
  ess: { id: 'essStart', name: 'before the update', doc: 'before the first optimizer step' },
  approxKL: { id: 'klStart', name: 'before the update', doc: 'before the first optimizer step' },
  entropy: { id: 'entropyPlain', name: 'at temperature 1', doc: 'the same policy at temperature 1' },
  shapedReturn: { id: 'success', name: 'training success', doc: 'training success, which no shaping changes' },
  entropyMarginal: { id: 'entropy', name: 'policy entropy', doc: 'the policy entropy; the gap between them is I(a;s)' },
};
type Beside = { readonly id: MetricId; readonly name: string; readonly doc: string };

/** A number that bounds the first from above: a dashed guide in its chart. */
const GUIDES: { readonly [id in MetricId]?: MetricId } = { entropy: 'entropyMost' };

/** Interquartile mean of the update that is looked at in words, with how many seeds it stands on. */
function summary(metric: Metric, shown: Row | undefined, seeds: number): string {
  return `${metric.title} ${value(shown?.iqm)} (${seeds === 1 ? 'one seed' : `${seeds} seeds, interquartile mean`}). ${metric.look}`;
}

/** Episodes of a batch that do not share their beginning. */
function clustersOf({ rollout }: Config): number {
  const chosen = rollouts.find(({ id }) => id === rollout.method)!;
  const sizes = { P: Number(rollout['tasksPerBatch']), G: Number(rollout['groupSize']) };
  return clustersIn(chosen, rollout[chosen.id] as AnyValues, sizes);
}

/** One metric: title, unit, newest value, curve, sentence, the same numbers as a table and as CSV. */
export function ChartPanel({ id, as: Chart = CurveChart }: Props) {
  const series = useChartSeries();
  const metric: Metric = metrics[metricIndex[id]]!;
  const xAxis = useXAxis();
  const run = useWholeConfig();
  const firstSeed = Number(run?.run['seed'] ?? 0);
  const episodes = run ? Number(run.rollout['tasksPerBatch']) * Number(run.rollout['groupSize']) : 0;
  const clusters = run ? clustersOf(run) : 0;
  const [attach, isSeen] = useOnScreen();
  const [drawn, setDrawn] = useState(series);
  if ((isSeen || series === null) && drawn !== series) setDrawn(series);
  const rows = useMemo(() => {
    if (!drawn) return [];
    const own = rowsOf(drawn, metricIndex[id], xAxis);
    const { [id]: beside } = BESIDE;
    const { [id]: guide } = GUIDES;
    const drawnBeside = beside ? withOther(own, 'start', drawn, metricIndex[beside.id], xAxis) : own;
    return guide ? withOther(drawnBeside, 'most', drawn, metricIndex[guide], xAxis) : drawnBeside;
  }, [drawn, id, xAxis]);
  const seeds = drawn?.S ?? 0;
  const ghosts = useGhostLines(metricIndex[id]);
  const { pastX } = usePlotStory();
  // the policy that plays the batch on the stage was measured before it
  const shownX = pastX !== null && metric.isBefore && xAxis === 'update' ? pastX - 1 : pastX;
  const shown = shownX === null ? rows.at(-1) : rows.findLast(({ x }) => x <= shownX);
  const { [id]: beside } = BESIDE;
  // bounds that both have are those of the axis
  const other: Metric | undefined = beside && metrics[metricIndex[beside.id]];
  const besideRange = metric.range ? undefined : other?.range;
  const hasBeside = rows.some((row) => row.start !== undefined);
  const hasGuide = rows.some((row) => row.most !== undefined);
  return (
    <Chart
      plot={{
        ...{ rows, metric, seeds, firstSeed, ghosts, hasDots: false, beside: BESIDE[id]?.name, besideRange },
        name: seeds < 4 ? 'mean' : 'interquartile mean',
      }}
      sentence={summary(metric, shown, seeds)}
      now={value(shown?.iqm)}
      empty={<Empty metric={metric} hasBegun={drawn !== null && drawn.points > 0} />}
      file={id}
      attach={attach}
    >
      <p className="quiet">
        {metric.doc} {metric.look}
      </p>
      {drawn && seeds > 0 && (
        <>
          <p className="quiet">
            Thick: interquartile mean of {many(seeds, 'seed')}. Band:{' '}
            {seeds < 4 ? 'lowest to highest seed' : 'quartiles of the seeds'}.
            {seeds > MAX_LINES && ` Thin: the first ${MAX_LINES} seeds.`}
            {hasBeside && ` Dotted: ${BESIDE[id]!.doc}.`}
            {drawn && shareWords(id, drawn, episodes, clusters)}
            {hasGuide &&
              ' Dashed: the largest possible value, the log of the number of legal actions (summed over the words where actions are written).'}
            {seeds < 3 && ' Too few seeds for an interval.'}
          </p>
          <button type="button" onClick={() => download(`${id}.csv`, csvOf(drawn, metricIndex[id], id, firstSeed))}>
            CSV
          </button>
          <ChartTable series={drawn} metric={metricIndex[id]} title={metric.title} firstSeed={firstSeed} />
        </>
      )}
    </Chart>
  );
}
